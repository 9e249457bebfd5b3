package mcp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
