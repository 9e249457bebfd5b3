package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// TimeoutError says which phase of a request took too long.
type TimeoutError struct {
	Phase string // "the first byte of the answer" or "more of the answer"
	Limit time.Duration
}

// Error names phase and limit.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s did not come within %s", e.Phase, e.Limit)
}

// Timeout marks the error as a timeout for callers that know net.Error.
func (e *TimeoutError) Timeout() bool { return true }

// Passing is a request on its way to a vendor, for what stands in between; see [ClientOptions].Between.
type Passing struct {
	Request *http.Request
	Body    []byte

	// Secrets are the values in the request that nobody else may see, wherever they stand.
	Secrets []string
}

// Between stands between models and the network.
type Between func(p Passing, send func() (*http.Response, error)) (*http.Response, error)

// exchange is one request and the reading of its answer. Its watch ends the request when the vendor is silent too long.
type exchange struct {
	client *Client
	ctx    context.Context
	cancel context.CancelCauseFunc
	watch  *time.Timer
	silent *TimeoutError // what the watch waits for; it is changed while the watch stands still
	paused bool          // the watch stands still
	res    *http.Response
}

// post sends a body. The caller closes the exchange in any case.
func (c *Client) post(ctx context.Context, target string, header http.Header, body []byte, secrets []string) (*exchange, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	x := &exchange{client: c, ctx: ctx, cancel: cancel, silent: &TimeoutError{"the first byte of the answer", c.first}}
	x.watch = time.AfterFunc(c.first, func() { cancel(x.silent) })
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return x, err
	}
	req.Header = header
	if c.trace != nil {
		c.trace(ctx, header)
	}
	send := func() (*http.Response, error) { return c.http.Do(req) }
	if c.between != nil {
		x.res, err = c.between(Passing{req, body, secrets}, send) //nolint:bodyclose // close does it
	} else {
		x.res, err = send() //nolint:bodyclose // close does it
	}
	if err != nil {
		return x, x.failed(err)
	}
	return x, nil
}

// Read reads the answer's body.
func (x *exchange) Read(p []byte) (int, error) {
	if x.paused {
		x.paused = false
		x.watch.Reset(x.client.idle)
	}
	n, err := x.res.Body.Read(p)
	// Until the next read it is the caller's time. A watch that has gone off already has ended the request.
	if n > 0 && x.watch.Stop() {
		x.silent = &TimeoutError{"more of the answer", x.client.idle}
		x.paused = true
	}
	if err != nil && err != io.EOF { //nolint:errorlint // a reader's EOF is never wrapped
		err = x.failed(err)
	}
	return n, err
}

// failed says why the transport gave up. Its own error would repeat the URL.
func (x *exchange) failed(err error) error {
	if timeout, ok := errors.AsType[*TimeoutError](context.Cause(x.ctx)); ok {
		return &core.ProviderError{Class: core.ClassUnavailable, Err: timeout}
	}
	if known, ok := errors.AsType[*core.ProviderError](err); ok {
		return known // by what stands in between
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && x.res != nil {
		return cut(x.res.StatusCode)
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return &core.ProviderError{Class: core.ClassUnavailable, Err: err}
}

// close gives the connection back. It is kept for the next request when the body was read to its end.
func (x *exchange) close() {
	x.watch.Stop()
	x.cancel(nil)
	if x.res != nil {
		_ = x.res.Body.Close()
	}
}

// drain reads the little that may follow the terminal event, so that the connection can be used again.
func (x *exchange) drain() {
	const patience, little = 200 * time.Millisecond, 16 << 10
	x.watch.Reset(patience)
	_, _ = io.CopyN(io.Discard, x.res.Body, little)
}

// cut is the error of an answer that ended too early.
func cut(status int) error {
	return &core.ProviderError{Status: status, Class: core.ClassCut, Err: core.ErrCutStream}
}
