package mcp_test

import (
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// TestBadAnswersAreRefused has one case for every rule that the SDK leaves to its host. The session outlives all of them.
func TestBadAnswersAreRefused(t *testing.T) {
	t.Parallel()
	const limit = 64 << 10
	padding := strings.Repeat("x", limit)
	twice := func(req rpc) string {
		return strings.TrimSuffix(result(req.ID, `{"content":[{"type":"text","text":"A","text":"B"}]}`), "\n")
	}
	tests := map[string]struct {
		answer   func(w http.ResponseWriter, req rpc)
		mentions string
	}{
		"a duplicate key in JSON":   {func(w http.ResponseWriter, r rpc) { writeJSON(w, twice(r)) }, `duplicate key "text"`},
		"a duplicate key in events": {func(w http.ResponseWriter, r rpc) { writeEvents(w, "data: "+twice(r)+"\n\n") }, `duplicate key "text"`},
		"a body too long":           {func(w http.ResponseWriter, r rpc) { writeJSON(w, textAnswer(r, padding)) }, "longer than 65536 bytes"},
		"an event too long": {
			func(w http.ResponseWriter, r rpc) { writeEvents(w, "data: "+textAnswer(r, padding)+"\n\n") }, "longer than 65536 bytes",
		},
		"a declared length too long": {
			func(w http.ResponseWriter, _ rpc) {
				w.Header().Set("Content-Length", "9000000000000000000")
				writeJSON(w, "{")
			}, "longer than 65536 bytes",
		},
		"a bomb": {
			func(w http.ResponseWriter, _ rpc) {
				w.Header().Set("Content-Encoding", "gzip")
				w.Header().Set("Content-Type", "application/json")
				z := gzip.NewWriter(w)
				_, _ = io.CopyN(z, zeros{}, 64<<20)
				_ = z.Close()
			}, "longer than 65536 bytes",
		},
		"half an event": {
			func(w http.ResponseWriter, r rpc) { writeEvents(w, "data: "+textAnswer(r, "half")+"\n") }, "middle of an event",
		},
		"no answer in the stream": {func(w http.ResponseWriter, _ rpc) { writeEvents(w, ": bye\n\n") }, "terminated without response"},
		"a page of HTML": {
			func(w http.ResponseWriter, _ rpc) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, "<h1>Sign in</h1>")
			}, `"text/html"`,
		},
		"an unsafe id": {
			func(w http.ResponseWriter, _ rpc) { writeJSON(w, `{"jsonrpc":"2.0","id":1.5,"result":{}}`) }, "id 1.5",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var good atomic.Bool
			srv := serve(t, rawHTTP(func(w http.ResponseWriter, req rpc) {
				if good.Load() {
					writeJSON(w, textAnswer(req, "fine"))
					return
				}
				tt.answer(w, req)
			}))
			opts := quick()
			opts.MaxMessageBytes = limit
			pool := connected(t, opts, remote(srv))
			wantServerError(t, call(t.Context(), pool, "echo"), "call echo", tt.mentions)
			good.Store(true)
			if got := callText(t, pool, "echo"); got != "fine" {
				t.Errorf("the next call: %q", got)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestRefusalsKeepTheirReason(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		status    int
		body      string
		mentions  string
		retryable bool
		timedOut  bool
	}{
		"unauthorized":        {http.StatusUnauthorized, "token expired", "http 401 Unauthorized: token expired", false, false},
		"forbidden":           {http.StatusForbidden, "", "http 403 Forbidden", false, false},
		"too many requests":   {http.StatusTooManyRequests, "slow down", "http 429 Too Many Requests: slow down", true, false},
		"unavailable":         {http.StatusServiceUnavailable, "upstream\nis \x1b[1mdown", "http 503 Service Unavailable: upstream is [1mdown", true, false},
		"gateway timeout":     {http.StatusGatewayTimeout, "", "http 504 Gateway Timeout", true, true},
		"a JSON-RPC error":    {http.StatusBadRequest, `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"bad text"}}`, "error -32602: bad text", false, false},
		"one with equal keys": {http.StatusBadRequest, `{"jsonrpc":"2.0","id":3,"error":{"code":1,"code":2,"message":"x"}}`, "http 400 Bad Request: {", false, false},
		"a long page":         {http.StatusBadGateway, strings.Repeat("x", 1<<20), "http 502 Bad Gateway: xxx", true, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := serve(t, rawHTTP(func(w http.ResponseWriter, _ rpc) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			}))
			pool := connected(t, quick(), remote(srv))
			se := wantServerError(t, call(t.Context(), pool, "echo"), tt.mentions)
			if se.Retryable != tt.retryable || se.TimedOut != tt.timedOut {
				t.Errorf("retryable %v, timed out %v; want %v, %v", se.Retryable, se.TimedOut, tt.retryable, tt.timedOut)
			}
			if len(se.Error()) > 500 {
				t.Errorf("the error is %d characters long", len(se.Error()))
			}
		})
	}
}

func TestAStreamLeftOpenBehindTheAnswerIsClosed(t *testing.T) {
	t.Parallel()
	var open atomic.Int64
	srv := serve(t, rawHTTP(func(w http.ResponseWriter, req rpc) {
		open.Add(1)
		defer open.Add(-1)
		writeEvents(w, "data: "+textAnswer(req, "fine")+"\n\n")
		for http.NewResponseController(w).Flush() == nil {
			if _, err := io.WriteString(w, ": still here\n\n"); err != nil {
				return
			}
			runtime.Gosched()
		}
	}))
	pool := connected(t, quick(), remote(srv))
	for range 3 {
		callText(t, pool, "echo")
	}
	eventually(t, "the streams are closed", func() bool { return open.Load() == 0 })
}

func TestWhatAServerAnswersToANotificationDoesNotMatter(t *testing.T) {
	t.Parallel()
	inner := rawHTTP(func(w http.ResponseWriter, req rpc) { writeJSON(w, textAnswer(req, "fine")) })
	for name, text := range map[string]string{"nothing": "", "null": "null", "an object": `{"ok":true}`, "text": "accepted"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err == nil && strings.Contains(string(body), `"notifications/`) {
					writeJSON(w, text)
					return
				}
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				inner(w, r)
			}))
			if got := callText(t, connected(t, quick(), remote(srv)), "echo"); got != "fine" {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestConnectionsAreUsedAgain has a server that ends its stream only when the caller has got the answer, which is no
// reason to throw the connection away.
func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	var connections, idle atomic.Int64
	answered := make(chan struct{})
	srv := httptest.NewUnstartedServer(rawHTTP(func(w http.ResponseWriter, req rpc) {
		writeEvents(w, "data: "+textAnswer(req, "fine")+"\n\n")
		<-answered
	}))
	srv.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			connections.Add(1)
		case http.StateIdle:
			idle.Add(1)
		default:
		}
	}
	srv.Start()
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	pool := connected(t, quick(), remote(srv))
	before := connections.Load()
	for range 5 {
		callText(t, pool, "echo")
		rested := idle.Load()
		answered <- struct{}{}
		eventually(t, "the connection is idle", func() bool { return idle.Load() > rested })
	}
	if n := connections.Load() - before; n > 1 {
		t.Errorf("%d more connections for 5 calls, one after the other", n)
	}
}
