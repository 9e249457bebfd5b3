package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/plait-dev/plait/pkg/journal"
)

// entryPrinter is a store that prints each entry, one JSON text a line, once it is durable.
type entryPrinter struct {
	journal.Store
	out io.Writer
}

// Append implements [journal.Log].
func (p entryPrinter) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	if err := p.Store.Append(ctx, session, seq, e); err != nil {
		return err
	}
	line, err := journal.EncodeEntry(ctx, e, nil)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s\n", line)
	return err
}
