package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ErrClosed is returned by every method of a pool after [Pool.Close].
var ErrClosed = errors.New("the mcp pool is closed")

// ServerError is a failure to reach a server, or the server's refusal of a request. A tool that ran and failed isn't one:
// that is a [Result] with IsError.
type ServerError struct {
	// Server is the configured name.
	Server string

	// Op is what was tried: "connect", "list tools" or "call " and the tool's name at the server.
	Op string

	// Retryable says that the same request may succeed later. It says nothing about whether the server has acted on it:
	// the answer, not the request, may have been lost.
	Retryable bool

	// TimedOut says that the server didn't answer in time.
	TimedOut bool

	// Err is the cause.
	Err error
}

// Error names the server, what was tried, and why it failed.
func (e *ServerError) Error() string {
	return fmt.Sprintf("mcp server %q: %s: %v", e.Server, e.Op, e.Err)
}

// Unwrap returns the cause.
func (e *ServerError) Unwrap() error { return e.Err }

// Timeout returns TimedOut, as net.Error does, for callers that don't know this package.
func (e *ServerError) Timeout() bool { return e.TimedOut }

// timeoutError is the cause of a call that ran into its own limit. It matches context.DeadlineExceeded.
type timeoutError struct{ text string }

func (e *timeoutError) Error() string { return e.text }

func (e *timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// classify wraps the cause of a failed exchange.
func classify(server, op string, cause error) *ServerError {
	e := &ServerError{Server: server, Op: op, Retryable: true, Err: plainCause(cause)}
	var (
		v      *violation
		status *statusError
		rpc    *jsonrpc.Error
		known  *ServerError
	)
	switch {
	case errors.As(cause, &known):
		return known
	case errors.Is(cause, context.DeadlineExceeded):
		e.TimedOut = true
	case errors.As(cause, &v), errors.As(cause, new(*refusal)):
		e.Retryable = false
	case errors.As(cause, &status):
		e.Retryable, e.TimedOut = status.retryable(), status.timedOut()
	case serverError(cause, &rpc):
		e.Retryable = !refusesRequest(rpc.Code)
	}
	return e
}

// refusal is a failure that only a change of the configuration or of the server can end.
type refusal struct{ text string }

func (e *refusal) Error() string { return e.text }

func refusef(format string, args ...any) error { return &refusal{text: fmt.Sprintf(format, args...)} }

func (e *statusError) timedOut() bool {
	return e.status == http.StatusRequestTimeout || e.status == http.StatusGatewayTimeout
}

func (e *statusError) retryable() bool {
	return e.timedOut() || e.status == http.StatusTooManyRequests || e.status >= http.StatusInternalServerError
}

// refusesRequest reports whether a JSON-RPC code says that this request will never be accepted.
func refusesRequest(code int64) bool {
	switch code {
	case jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest, jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidParams,
		sdk.CodeHeaderMismatch, sdk.CodeMissingRequiredClientCapabilities, sdk.CodeUnsupportedProtocolVersion,
		sdk.CodeURLElicitationRequired:
		return true
	}
	return false
}

// serverError finds a JSON-RPC error that a server sent. The SDK marks states of its own transports with errors of the
// same type, with codes that servers use as well.
func serverError(err error, target **jsonrpc.Error) bool {
	if !errors.As(err, target) {
		return false
	}
	own := map[int64]string{
		-32001: "unknown error", -32003: "client is closing", -32004: "server is closing", -32005: "rejected by transport",
	}
	message, ok := own[(*target).Code]
	return !ok || (*target).Message != message
}

// plainCause takes off what the SDK and net/http wrapped around the cause: methods and URLs, which may hold keys.
func plainCause(err error) error {
	var (
		rpc *jsonrpc.Error
		u   *url.Error
	)
	switch {
	case serverError(err, &rpc):
		return &answeredError{rpc}
	case errors.As(err, &u):
		return u.Err
	}
	return err
}

// answeredError shows a server's error with its code, in bounded length.
type answeredError struct{ rpc *jsonrpc.Error }

func (e *answeredError) Error() string {
	return fmt.Sprintf("the server answers with error %d: %s", e.rpc.Code, shorten(printable(e.rpc.Message), 500))
}

func (e *answeredError) Unwrap() error { return e.rpc }
