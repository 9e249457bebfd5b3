package mcp

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const pong = `{"jsonrpc":"2.0","id":1,"result":{}}`

// readEvents runs a stream through the screen, byte by byte so that no boundary is lucky.
func readEvents(t *testing.T, stream string, limit int) (string, *exchange, error) {
	t.Helper()
	_, x, release := withExchange(context.Background(), linger)
	t.Cleanup(func() { release(io.EOF) })
	src := io.NopCloser(iotest.OneByteReader(strings.NewReader(stream)))
	out, err := io.ReadAll(newEventScreen(src, limit, x))
	return string(out), x, err
}

func TestEventScreenHandsOnWholeEvents(t *testing.T) {
	tests := map[string]struct{ stream, want string }{
		"one event":                {"event: message\ndata: " + pong + "\n\n", "event: message\ndata: " + pong + "\n\n"},
		"carriage returns":         {"data: " + pong + "\r\n\r\n", "data: " + pong + "\n\n"},
		"no blank after the colon": {"data:" + pong + "\n\n", "data: " + pong + "\n\n"},
		"a byte order mark":        {"\ufeffdata: " + pong + "\n\n", "data: " + pong + "\n\n"},
		"comments and blank lines": {": keep-alive\n\n\ndata: " + pong + "\n: more\n\n: bye\n", "data: " + pong + "\n\n"},
		"a line without a colon":   {"heartbeat\ndata: " + pong + "\n\n", "data: " + pong + "\n\n"},
		"an unknown field":         {"colour: red\ndata: " + pong + "\n\n", "data: " + pong + "\n\n"},
		"an id without data":       {"id: 7\nretry: 10\n\n", "id: 7\nretry: 10\n\n"},
		"empty data":               {"id: 7\ndata\n\n", "id: 7\ndata: \n\n"},
		"a message on two lines": {
			"data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"result\":{}}\n\n",
			"data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"result\":{}}\n\n",
		},
		"another event's data is no message": {"event: endpoint\ndata: /here\n\n", "event: endpoint\ndata: /here\n\n"},
		"structured content": {
			`data: {"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"n":1}}}` + "\n\n",
			`data: {"jsonrpc":"2.0","id":1,"result":{"structuredContent":"{\"n\":1}"}}` + "\n\n",
		},
		"nothing": {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, _, err := readEvents(t, tt.stream, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAStreamThatEndsMidEventIsAnError(t *testing.T) {
	for name, half := range map[string]string{
		"no blank line":      "data: " + pong + "\n",
		"no end of line":     "data: " + pong,
		"only half the JSON": "data: {\"jsonrpc\"",
	} {
		t.Run(name, func(t *testing.T) {
			got, x, err := readEvents(t, "data: "+pong+"\n\n"+half, 1000)
			if want := "data: " + pong + "\n\n"; got != want {
				t.Errorf("handed on %q, want the whole event only", got)
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) || x.cut == nil {
				t.Errorf("%v, noted %v; want an unexpected end", err, x.cut)
			}
		})
	}
}

func TestEventScreenRefuses(t *testing.T) {
	tests := map[string]struct{ stream, mentions string }{
		"a duplicate key":    {`data: {"jsonrpc":"2.0","id":1,"id":2}` + "\n\n", `duplicate key "id"`},
		"what is not JSON":   {"data: hello\n\n", "not a JSON-RPC message"},
		"a line too long":    {"data: " + strings.Repeat("x", 2000), "longer than 1000 bytes"},
		"an event too long":  {strings.Repeat("data: "+strings.Repeat("x", 99)+"\n", 20), "longer than 1000 bytes"},
		"too many empty ids": {strings.Repeat("id:\n", 2000), "longer than 1000 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, x, err := readEvents(t, tt.stream, 1000)
			if err == nil || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), tt.mentions) {
				t.Fatalf("%v, want an error that mentions %q", err, tt.mentions)
			}
			if cause, _ := x.cause(errors.New("request terminated")); !errors.Is(cause, err) {
				t.Errorf("noted %v, want %v", cause, err)
			}
		})
	}
}
