package mcp_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

func TestHTTPEndToEnd(t *testing.T) {
	t.Parallel()
	for name, cfg := range everyTransport(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := connected(t, nil, cfg)
			if got, want := callText(t, pool, "echo"), `{"text":"hello"}`; got != want {
				t.Errorf("echo: %s, want %s", got, want)
			}
		})
	}
}

func TestHeadersGoWithEveryRequest(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]bool{}
	inner := official(t, &sdk.StreamableHTTPOptions{Stateless: true})
	srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		_, blank := r.Header["X-Empty"]
		seen[fmt.Sprintf("%s blank %v", r.Header.Get("Authorization"), blank)] = true
		mu.Unlock()
		inner.ServeHTTP(w, r)
	}))
	cfg := remote(srv)
	cfg.Headers = []mcp.Header{{Name: "authorization", Value: "Bearer T"}, {Name: "X-Empty", Value: ""}}
	pool := connected(t, nil, cfg)
	callText(t, pool, "echo")
	if diff := cmp.Diff(map[string]bool{"Bearer T blank false": true}, seen); diff != "" {
		t.Errorf("what the requests came with (-want +got):\n%s", diff)
	}
}

func TestARedirectToAnotherOriginGetsNothing(t *testing.T) {
	var reached atomic.Int64
	elsewhere := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	for name, target := range map[string]string{
		"another port": elsewhere.URL + "/mcp",
		"another host": strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1) + "/mcp",
		"metadata":     "http://169.254.169.254/latest",
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, target, http.StatusTemporaryRedirect)
			}))
			cfg := remote(srv)
			cfg.Headers = []mcp.Header{{Name: "Authorization", Value: "Bearer SECRET"}}
			err := newPool(t, quick(), cfg).Connect(t.Context())
			wantServerError(t, err, "redirects from "+srv.URL, "another origin")
			if strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%v", err)
			}
		})
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the other origin got %d requests", n)
	}
}

func TestARedirectWithinTheOriginIsFollowed(t *testing.T) {
	t.Parallel()
	inner := official(t, &sdk.StreamableHTTPOptions{Stateless: true})
	srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			http.Redirect(w, r, "/v2", http.StatusTemporaryRedirect)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	callText(t, connected(t, nil, remote(srv)), "echo")
}

func TestForbiddenAddressesAreNotDialled(t *testing.T) {
	t.Parallel()
	srv := serve(t, official(t, nil))
	opts := quick()
	opts.RefuseLoopback = true
	wantServerError(t, newPool(t, opts, remote(srv)).Connect(t.Context()), "connect", "loopback")

	cfg := mcp.ServerConfig{Name: "crm", URL: "http://169.254.169.254/mcp"}
	wantServerError(t, newPool(t, quick(), cfg).Connect(t.Context()), "cloud metadata")
}

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

func TestAServerThatCannotBeReached(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(nil)
	cfg := remote(srv)
	cfg.URL += "?key=SECRET"
	srv.Close()
	err := newPool(t, quick(), cfg).Connect(t.Context())
	se := wantServerError(t, err, `mcp server "crm": connect: `, "connection refused")
	if !se.Retryable || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("retryable %v: %v", se.Retryable, err)
	}
}

func TestAServerThatIgnoresTheProbeIsSpokenToInTheOlderWay(t *testing.T) {
	t.Parallel()
	inner := rawHTTP(func(w http.ResponseWriter, req rpc) { writeJSON(w, textAnswer(req, "fine")) })
	for name, ignore := range map[string]func(http.ResponseWriter, *http.Request){
		"no response at all": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"a stream without an event": func(w http.ResponseWriter, r *http.Request) {
			writeEvents(w, ": wait\n\n")
			<-r.Context().Done()
		},
		"half a body": func(w http.ResponseWriter, r *http.Request) {
			writeJSON(w, `{"jsonrpc"`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var probes atomic.Int64
			srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Mcp-Method") == "server/discover" {
					probes.Add(1)
					_, _ = io.Copy(io.Discard, r.Body) // the server notices a client that goes only behind the body
					ignore(w, r)
					return
				}
				inner(w, r)
			}))
			pool := connected(t, quick(), remote(srv))
			if got := callText(t, pool, "echo"); got != "fine" {
				t.Errorf("%q", got)
			}
			if n := probes.Load(); n != 1 {
				t.Errorf("%d probes", n)
			}
		})
	}
}

func TestTheEraIsRemembered(t *testing.T) {
	t.Parallel()
	var probes, sessions atomic.Int64
	known := new(atomic.Value)
	known.Store("")
	srv := serve(t, sessionServer(&probes, &sessions, known))
	pool := connected(t, quick(), remote(srv))
	known.Store("") // the server was started again and knows nobody
	callText(t, pool, "echo")
	if p, s := probes.Load(), sessions.Load(); p != 1 || s != 2 {
		t.Errorf("%d probes for %d sessions, want 1 for 2", p, s)
	}
}

// sessionServer is a server of 2025 with one session, whose id is in known. It answers requests of others with 404 and a
// JSON-RPC error, as the SDK for TypeScript does.
func sessionServer(probes, sessions *atomic.Int64, known *atomic.Value) http.HandlerFunc {
	inner := rawHTTP(func(w http.ResponseWriter, req rpc) { writeJSON(w, textAnswer(req, "fine")) })
	return func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("Mcp-Session-Id")
		switch {
		case r.Header.Get("Mcp-Method") == "server/discover":
			probes.Add(1)
		case id == "" && r.Method == http.MethodPost:
			known.Store(fmt.Sprintf("s%d", sessions.Add(1)))
			w.Header().Set("Mcp-Session-Id", known.Load().(string))
		case id != known.Load():
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
			return
		}
		inner(w, r)
	}
}

func TestAForgottenSessionIsMadeAgainAndTheCallRepeated(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]func() (http.Handler, func()){
		"by a server that says so in JSON-RPC": func() (http.Handler, func()) {
			known := new(atomic.Value)
			known.Store("")
			return sessionServer(new(atomic.Int64), new(atomic.Int64), known), func() { known.Store("") }
		},
		"by the official server": func() (http.Handler, func()) {
			var current atomic.Value
			current.Store(official(t, nil))
			forward := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				current.Load().(http.Handler).ServeHTTP(w, r)
			})
			return forward, func() { current.Store(official(t, nil)) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, forget := handler()
			pool := connected(t, quick(), remote(serve(t, h)))
			first := callText(t, pool, "echo")
			forget()
			if again := callText(t, pool, "echo"); again != first {
				t.Errorf("%q, before %q", again, first)
			}
		})
	}
}

func TestUnsafeToolNamesAreEncodedInTheHeader(t *testing.T) {
	t.Parallel()
	var names sync.Map
	inner := official(t, &sdk.StreamableHTTPOptions{Stateless: true})
	srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "tools/call" {
			names.Store(r.Header.Get("Mcp-Name"), true)
		}
		inner.ServeHTTP(w, r)
	}))
	pool := connected(t, quick(), remote(srv))
	for _, tool := range []string{"echo", "größe", "line\nbreak"} {
		_ = call(t.Context(), pool, tool) // this server knows one of them
	}
	for _, want := range []string{"echo", "=?base64?Z3LDtsOfZQ==?=", "=?base64?bGluZQpicmVhaw==?="} {
		if _, ok := names.Load(want); !ok {
			t.Errorf("no request had the Mcp-Name %q", want)
		}
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

func TestACallThatTimesOutOverHTTP(t *testing.T) {
	t.Parallel()
	for name, cfg := range everyTransport(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg.Timeout = time.Second
			pool := connected(t, quick(), cfg)
			begin := time.Now()
			se := wantServerError(t, call(t.Context(), pool, "hang"), "call hang: no answer within 1s")
			if !se.TimedOut || time.Since(begin) > 5*time.Second {
				t.Errorf("%+v after %v", se, time.Since(begin))
			}
			callText(t, pool, "echo")
		})
	}
}
