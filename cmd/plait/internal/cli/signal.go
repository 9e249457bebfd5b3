package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that Ctrl-C or SIGTERM ends, for what has to be brought to an end in order: a run, and the
// servers that were started for it. Until a verb gets there a signal ends the process as it ends any other, whatever the
// process waits for: nothing can interrupt the reading of a terminal or a FIFO. So does the second signal.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
