package mcp

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// exchange gathers what the HTTP transport learns about one call and the SDK's error doesn't say. It travels in the
// call's context because the context is all that an http.RoundTripper gets from the caller.
type exchange struct {
	abort context.CancelCauseFunc // ends the call

	mu      sync.Mutex
	status  int    // of the last response; 0: there was none
	reason  string // the beginning of the body of a refusal
	lost    bool   // the server no longer knows the session
	cut     error  // an event stream ended in the middle of an event
	refused error  // what broke a rule
}

type exchangeKey struct{}

// noLimit is the limit of an exchange whose context is limited already.
const noLimit = time.Duration(math.MaxInt64)

// linger is how long the answered request of a call may go on: enough to read the end of an event stream, after which
// its connection can be used again. A server that leaves the stream open behind its answer isn't listened to longer.
const linger = time.Second

// withExchange returns a context for one exchange with a server, which ends after the limit. The release function is to
// be called with the outcome.
func withExchange(ctx context.Context, limit time.Duration) (context.Context, *exchange, func(error)) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &timeoutError{fmt.Sprintf("no answer within %v", limit)})
	ctx, abort := context.WithCancelCause(ctx)
	end := func() { abort(nil); cancel() }
	release := func(err error) {
		if err != nil {
			end()
			return
		}
		time.AfterFunc(linger, end)
	}
	x := &exchange{abort: abort}
	return context.WithValue(ctx, exchangeKey{}, x), x, release
}

// exchangeOf returns the exchange of a request. One that the SDK sends of its own accord gets one that nobody reads.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{abort: func(error) {}}
}

// answered notes a response. Only a refusal has a reason.
func (x *exchange) answered(status int, reason string, lost bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status, x.reason, x.lost = status, reason, lost
}

// refuse notes what broke a rule and ends the call: the SDK would wait for another answer, or ask for the stream again.
func (x *exchange) refuse(err error) {
	x.mu.Lock()
	if x.refused == nil {
		x.refused = err
	}
	x.mu.Unlock()
	x.abort(err)
}

func (x *exchange) cutShort(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cut = err
}

// statusError is a refusal in HTTP's own words.
type statusError struct {
	status int
	reason string
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("http %d %s", e.status, http.StatusText(e.status))
	if e.reason != "" {
		text += ": " + e.reason
	}
	return text
}

// cause returns what the transport knows about a failure that the SDK reports as err, or nil, and whether the server has
// forgotten the session.
func (x *exchange) cause(err error) (cause error, lost bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.refused != nil:
		return x.refused, x.lost
	case x.status >= http.StatusBadRequest && !serverError(err, new(*jsonrpc.Error)):
		return &statusError{x.status, x.reason}, x.lost
	case x.cut != nil:
		return x.cut, x.lost
	}
	return nil, x.lost
}
