package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is one live connection to a server.
type session struct {
	server string
	cs     *sdk.ClientSession
	link   link

	life context.Context // done when the session is over or is being closed; exchanges end with it
	end  context.CancelCauseFunc
	gone chan struct{} // closed when all that it held has been given back

	tools *listing
}

// connect opens a session over a link, asking for a revision; empty means the newest, and an older one is accepted. The
// link stays the caller's when it fails.
func connect(ctx context.Context, server string, l link, version string, opts *PoolOptions) (*session, error) {
	client := sdk.NewClient(
		&sdk.Implementation{Name: opts.ClientName, Version: opts.ClientVersion},
		&sdk.ClientOptions{
			Capabilities:   &sdk.ClientCapabilities{},
			MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
			Logger:         opts.Logger,
		})
	// The SDK doesn't obey the context while a peer doesn't read.
	stop := context.AfterFunc(ctx, l.close)
	cs, err := client.Connect(ctx, l.transport(), &sdk.ClientSessionOptions{ProtocolVersion: version})
	if !stop() {
		return nil, ended(ctx)
	}
	if err != nil {
		return nil, err
	}
	l.settle()
	s := &session{server: server, cs: cs, link: l, gone: make(chan struct{}), tools: newListing()}
	s.life, s.end = context.WithCancelCause(context.Background())
	go s.watch()
	return s, nil
}

// watch gives everything back once the connection is over, whoever ended it.
func (s *session) watch() {
	defer close(s.gone)
	cause := errors.New("the connection was lost")
	if err := s.cs.Wait(); err != nil {
		cause = fmt.Errorf("%w: %w", cause, plainCause(err))
	}
	s.end(cause)
	s.link.close()
}

// over reports whether the session can't be used any more.
func (s *session) over() bool { return s.life.Err() != nil }

// version is the revision that was agreed on.
func (s *session) version() string { return s.cs.InitializeResult().ProtocolVersion }

// close ends the session's exchanges, says goodbye, and after the grace time takes the connection away. It returns when
// everything has been given back.
func (s *session) close(grace time.Duration) {
	s.end(ErrClosed)
	var goodbye sync.WaitGroup
	goodbye.Go(func() { _ = s.cs.Close() })
	if !within(grace, s.gone) {
		s.link.close()
	}
	goodbye.Wait()
	<-s.gone
}

// do runs one exchange. Its failure is classified; lost says that the server no longer knows the session and has not
// acted on the request.
func (s *session) do(ctx context.Context, limit time.Duration, op string, run func(context.Context) error) (lost bool, _ error) {
	xctx, x, release := withExchange(ctx, limit)
	stop := context.AfterFunc(s.life, func() { x.abort(context.Cause(s.life)) })
	err := run(xctx)
	stop()
	if err == nil {
		release(nil)
		return false, nil
	}
	err, lost = s.explain(ctx, xctx, x, err)
	release(err)
	return lost, classify(s.server, op, err)
}

// explain finds the cause of a failed exchange: the caller's context, then a broken rule, then the time limit, then what
// the transport knows.
func (s *session) explain(ctx, xctx context.Context, x *exchange, err error) (cause error, lost bool) {
	if ctx.Err() != nil {
		return ended(ctx), false
	}
	if cause, lost = x.cause(err); cause != nil {
		return cause, lost
	}
	if cause = err; xctx.Err() != nil {
		cause = context.Cause(xctx)
	}
	if errors.Is(cause, context.DeadlineExceeded) || errors.Is(cause, ErrClosed) {
		return cause, false
	}
	cause, _ = s.link.diagnose(cause)
	if s.link.ended() || errors.Is(err, sdk.ErrConnectionClosed) {
		s.end(cause) // before watch sees it: the next call is to find a new session
	}
	return cause, lost || errors.Is(cause, sdk.ErrSessionMissing)
}

// ended says why a context is done, in a way that shows whether it was its deadline.
func ended(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, ctx.Err()) {
		return cause
	}
	return fmt.Errorf("%w (%w)", cause, ctx.Err())
}
