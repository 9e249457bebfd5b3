package mcp_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

func named(name string, cfg mcp.ServerConfig) mcp.ServerConfig {
	cfg.Name = name
	return cfg
}

func TestConnectReportsEveryServerThatFailed(t *testing.T) {
	t.Parallel()
	gone := mcp.ServerConfig{Name: "gone", Command: []string{"/no/such/program"}}
	dead := named("dead", child("dies-at-start"))
	pool := newPool(t, quick(), dead, child("official"), gone)
	err := pool.Connect(t.Context())
	if err == nil {
		t.Fatal("connected")
	}
	first, second := strings.Index(err.Error(), `mcp server "dead": connect: `), strings.Index(err.Error(), `mcp server "gone": connect: `)
	if first < 0 || second < first || strings.Contains(err.Error(), `"crm"`) {
		t.Errorf("%v: want both failures in the order of the configuration", err)
	}
	callText(t, pool, "echo") // the one that is up serves
	_, err = pool.Call(t.Context(), "gone", "echo", nil, mcp.CallOptions{})
	wantServerError(t, err, `mcp server "gone": connect: `)
}

func TestLazyServersWaitForTheirFirstUse(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	inner := official(t, &sdk.StreamableHTTPOptions{Stateless: true})
	cfg := remote(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		inner.ServeHTTP(w, r)
	})))
	cfg.Lazy = true
	pool := connected(t, quick(), cfg)
	if n := requests.Load(); n != 0 {
		t.Errorf("%d requests before the first use", n)
	}
	callText(t, pool, "echo")
}

func TestConnectsRunThirtyTwoAtATime(t *testing.T) {
	t.Parallel()
	const servers, width = 40, 32
	var now, most atomic.Int64
	full := make(chan struct{})
	var once sync.Once
	inner := official(t, &sdk.StreamableHTTPOptions{Stateless: true})
	srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "server/discover" {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			if n == width {
				once.Do(func() { time.AfterFunc(200*time.Millisecond, func() { close(full) }) }) // for one too many to come
			}
			<-full // nobody is answered before so many wait
			now.Add(-1)
		}
		inner.ServeHTTP(w, r)
	}))
	var cfgs []mcp.ServerConfig
	for i := range servers {
		cfgs = append(cfgs, named(fmt.Sprintf("s%d", i), remote(srv)))
	}
	opts := quick()
	opts.ProbeTimeout = opts.ConnectTimeout
	connected(t, opts, cfgs...)
	if n := most.Load(); n != width {
		t.Errorf("%d at a time, want %d", n, width)
	}
}

func TestAnUnknownServer(t *testing.T) {
	t.Parallel()
	pool := newPool(t, nil, named("crm", child("official")), named("wiki", child("official")))
	_, err := pool.Call(t.Context(), "cmr", "echo", nil, mcp.CallOptions{})
	if want := `there is no mcp server "cmr"; configured: crm, wiki`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := pool.Tools(t.Context(), "cmr"); err == nil {
		t.Error("it has tools")
	}
	if _, err := pool.CoreTools(t.Context(), "cmr"); err == nil {
		t.Error("it has tools for agents")
	}
}

func TestTheAllowListIsCheckedAgainstTheServer(t *testing.T) {
	t.Parallel()
	cfg := child("official")
	cfg.AllowTools = []string{"echo", "ehco", "refund"}
	err := newPool(t, quick(), cfg).Connect(t.Context())
	se := wantServerError(t, err, `mcp server "crm": list tools: not offered: ehco, refund; offered: `, "echo", "facts")
	if se.Retryable {
		t.Error("it is the configuration that is wrong")
	}

	cfg.AllowTools = []string{"echo", "pid"}
	pool := connected(t, quick(), cfg)
	tools, err := pool.Tools(t.Context(), "crm")
	if err != nil || len(tools) != 2 || tools[0].Name != "echo" || tools[1].Name != "pid" {
		t.Errorf("%v, %v; want echo and pid", tools, err)
	}
	se = wantServerError(t, call(t.Context(), pool, "facts"), "call facts: not among the tools that are allowed: echo, pid")
	if se.Retryable {
		t.Error("it won't be allowed later")
	}
}

// listingServer is a raw server whose list of tools is the given pages; the cursor of each is the number of the next.
func listingServer(t *testing.T, page func(n int) (tools, next string)) mcp.ServerConfig {
	t.Helper()
	n := 0
	inner := rawHTTP(nil)
	return remote(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req rpc
		text := readBody(r, &req)
		if req.Method != "tools/list" {
			r.Body = io.NopCloser(strings.NewReader(text))
			inner(w, r)
			return
		}
		tools, next := page(n)
		n++
		writeJSON(w, result(req.ID, fmt.Sprintf(`{"tools":[%s],"nextCursor":%q}`, tools, next)))
	})))
}

func tool(name string) string {
	return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name)
}

func TestAllPagesOfTheListAreRead(t *testing.T) {
	t.Parallel()
	cfg := listingServer(t, func(n int) (string, string) {
		if n == 2 {
			return tool("last"), ""
		}
		return tool(fmt.Sprintf("t%d", n)), fmt.Sprint(n)
	})
	tools, err := connected(t, quick(), cfg).Tools(t.Context(), "crm")
	if err != nil || len(tools) != 3 || tools[2].QualifiedName != "crm__last" {
		t.Errorf("%v, %v; want three tools", tools, err)
	}
}

func TestBadListsOfToolsAreRefusedAtConnect(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 70)
	tests := map[string]struct {
		page     func(n int) (tools, next string)
		mentions string
	}{
		"two tools of one name": {
			func(int) (string, string) { return tool("a") + "," + tool("b") + "," + tool("a"), "" },
			`the tools "a" and "a" would both be called crm__a`,
		},
		"two tools of one name on two pages": {
			func(n int) (string, string) { return tool("a"), []string{"1", ""}[n] }, "would both be called crm__a",
		},
		"a tool without a name": {func(int) (string, string) { return tool(""), "" }, "a tool has no name"},
		"the same cursor again": {func(n int) (string, string) { return tool(fmt.Sprint(n)), "again" }, `repeats the cursor "again"`},
		"no end of pages":       {func(n int) (string, string) { return tool(fmt.Sprint(n)), fmt.Sprint(n) }, "has no end: 65 tools on 65 pages"},
		"no end of tools": {
			func(n int) (string, string) {
				var tools []string
				for i := range 500 {
					tools = append(tools, tool(fmt.Sprintf("%s%d_%d", long, n, i)))
				}
				return strings.Join(tools, ","), fmt.Sprint(n)
			}, "has no end: 2500 tools on 5 pages",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := newPool(t, quick(), listingServer(t, tt.page)).Connect(t.Context())
			se := wantServerError(t, err, "list tools", tt.mentions)
			if se.Retryable {
				t.Errorf("%+v, want one that isn't retryable", se)
			}
		})
	}
}

func TestAServerWithoutToolsHasNone(t *testing.T) {
	t.Parallel()
	bare := sdk.NewServer(&sdk.Implementation{Name: "bare", Version: "1"}, &sdk.ServerOptions{Capabilities: &sdk.ServerCapabilities{}})
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return bare }, &sdk.StreamableHTTPOptions{Stateless: true})
	pool := connected(t, quick(), remote(serve(t, handler)))
	if tools, err := pool.Tools(t.Context(), "crm"); err != nil || len(tools) != 0 {
		t.Errorf("%v, %v", tools, err)
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	for name, cfg := range everyTransport(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := connected(t, nil, cfg)
			var all sync.WaitGroup
			for i := range 20 {
				all.Go(func() {
					for j := range 5 {
						args := map[string]any{"text": fmt.Sprintf("%d-%d", i, j)}
						res, err := pool.Call(t.Context(), "crm", "echo", args, mcp.CallOptions{})
						if want := fmt.Sprintf(`{"text":"%d-%d"}`, i, j); err != nil || res.Text() != want {
							t.Errorf("%q, %v; want %s", res.Text(), err, want)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

func TestAPoolWithoutServers(t *testing.T) {
	t.Parallel()
	pool := connected(t, nil)
	if _, err := pool.Tools(t.Context(), "crm"); err == nil || errors.Is(err, mcp.ErrClosed) {
		t.Errorf("%v", err)
	}
}
