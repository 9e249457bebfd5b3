package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestClassify(t *testing.T) {
	rpc := func(code int64, message string) error {
		return fmt.Errorf("calling %q: %w", "tools/call", &jsonrpc.Error{Code: code, Message: message})
	}
	type verdict struct {
		Text                string
		Retryable, TimedOut bool
	}
	tests := map[string]struct {
		cause error
		want  verdict
	}{
		"a lost connection": {io.EOF, verdict{"EOF", true, false}},
		"a deadline":        {fmt.Errorf("x: %w", context.DeadlineExceeded), verdict{"x: context deadline exceeded", true, true}},
		"a time limit":      {&timeoutError{"no answer within 2s"}, verdict{"no answer within 2s", true, true}},
		"a cancellation":    {context.Canceled, verdict{"context canceled", true, false}},
		"a broken rule":     {&violation{rule: "duplicate key"}, verdict{"duplicate key", false, false}},
		"a wrong setting":   {refusef("not offered: %s", "a"), verdict{"not offered: a", false, false}},
		"bad parameters":    {rpc(jsonrpc.CodeInvalidParams, "bad"), verdict{"the server answers with error -32602: bad", false, false}},
		"an inner error":    {rpc(jsonrpc.CodeInternalError, "oops"), verdict{"the server answers with error -32603: oops", true, false}},
		"an error of a code that the SDK uses, too": {
			rpc(-32001, "Session not found"), verdict{"the server answers with error -32001: Session not found", true, false},
		},
		"the SDK's own state": {
			rpc(-32004, "server is closing"), verdict{`calling "tools/call": server is closing`, true, false},
		},
		"a URL is left out": {
			fmt.Errorf("x: %w", &url.Error{Op: "Post", URL: "http://h/?key=SECRET", Err: io.ErrUnexpectedEOF}),
			verdict{"unexpected EOF", true, false},
		},
		"an outage":         {&statusError{http.StatusBadGateway, ""}, verdict{"http 502 Bad Gateway", true, false}},
		"a slow gateway":    {&statusError{http.StatusGatewayTimeout, "late"}, verdict{"http 504 Gateway Timeout: late", true, true}},
		"a request timeout": {&statusError{http.StatusRequestTimeout, ""}, verdict{"http 408 Request Timeout", true, true}},
		"a wrong URL":       {&statusError{http.StatusNotFound, ""}, verdict{"http 404 Not Found", false, false}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := classify("crm", "call a", tt.cause)
			if diff := cmp.Diff(tt.want, verdict{e.Err.Error(), e.Retryable, e.TimedOut}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if e.Timeout() != e.TimedOut {
				t.Error("Timeout disagrees with TimedOut")
			}
		})
	}
}

func TestClassifyKeepsWhatIsClassified(t *testing.T) {
	first := classify("crm", "connect", io.EOF)
	if again := classify("crm", "call a", fmt.Errorf("x: %w", first)); again != first {
		t.Errorf("%v became %v", first, again)
	}
	var rpc *jsonrpc.Error
	e := classify("crm", "call a", &jsonrpc.Error{Code: 7, Message: "x"})
	if !errors.As(e, &rpc) || rpc.Code != 7 {
		t.Errorf("%v has lost the server's code", e)
	}
}

func TestListed(t *testing.T) {
	var many []string
	for i := range 15 {
		many = append(many, fmt.Sprint(i))
	}
	for want, names := range map[string][]string{
		"nothing": nil,
		"a, b":    {"a", "b"},
		"0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more": many,
	} {
		if got := listed(names); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
