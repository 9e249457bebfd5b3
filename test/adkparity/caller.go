package adkparity

import (
	"context"
	"errors"
	"time"
)

// errStopped is why the caller's context ends.
var errStopped = errors.New("the caller stops")

// caller is the context that the caller of a run gives it, and ends when the graph says so.
func (g *Graph) caller(ctx context.Context) (context.Context, func()) {
	switch {
	case g.Stop == 0:
		return ctx, func() {}
	case g.Deadline:
		return context.WithTimeoutCause(ctx, g.Stop, errStopped)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(g.Stop, func() { cancel(errStopped) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// ended is the class of a run that its caller ended, and whether it did.
func (g *Graph) ended(err error) (Class, bool) {
	if g.Stop > 0 && errors.Is(err, errStopped) {
		return Stopped, true
	}
	if g.Leave != "" && err == nil {
		return Left, true
	}
	return "", false
}
