package mcp_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

func TestStdioEndToEnd(t *testing.T) {
	t.Parallel()
	pool := connected(t, nil, child("official"))
	tools, err := pool.Tools(t.Context(), "crm")
	if err != nil {
		t.Fatal(err)
	}
	if len(tools) != 11 {
		t.Errorf("%d tools", len(tools))
	}
	want := mcp.ToolInfo{
		Server: "crm", Name: "echo", QualifiedName: "crm__echo", Description: "The tool echo.",
		InputSchema: []byte(`{"properties":{"text":{"type":"string"}},"required":["text"],"type":"object"}`),
		ReadOnly:    true, Idempotent: true,
	}
	for _, tool := range tools {
		if tool.Name == "echo" {
			if diff := cmp.Diff(want, tool); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	}
	if got, want := callText(t, pool, "echo"), `{"text":"hello"}`; got != want {
		t.Errorf("echo: %s, want %s", got, want)
	}
}

func TestStructuredContentComesThroughAsItWasSent(t *testing.T) {
	t.Parallel()
	for name, cfg := range everyTransport(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := connected(t, nil, cfg)
			res, err := pool.Call(t.Context(), "crm", "facts", nil, mcp.CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if string(res.Structured) != facts {
				t.Errorf("%s, want %s", res.Structured, facts)
			}
			want := map[string]any{
				"zeta": int64(1), "alpha": int64(9007199254740993), "ratio": 1.0, "list": []any{int64(1), 2.5, "x"},
			}
			if diff := cmp.Diff(any(want), res.Output()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAToolThatFailsIsAResult(t *testing.T) {
	t.Parallel()
	for name, cfg := range everyTransport(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := connected(t, nil, cfg)
			res, err := pool.Call(t.Context(), "crm", "fails", nil, mcp.CallOptions{})
			if err != nil || !res.IsError || res.Text() != "no such customer" {
				t.Errorf("%+v, %v; want a failed result", res, err)
			}
		})
	}
}

func TestTheIdempotencyKeyTravelsInMeta(t *testing.T) {
	t.Parallel()
	for name, cfg := range everyTransport(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := connected(t, nil, cfg)
			res, err := pool.Call(t.Context(), "crm", "key", nil, mcp.CallOptions{IdempotencyKey: "K7"})
			if err != nil || res.Text() != "K7" {
				t.Errorf("with a key: %q, %v", res.Text(), err)
			}
			if got := callText(t, pool, "key"); got != "<nil>" {
				t.Errorf("without a key the server got %q", got)
			}
		})
	}
}

func TestAnUnknownToolIsRefusedForGood(t *testing.T) {
	t.Parallel()
	for name, cfg := range everyTransport(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := connected(t, nil, cfg)
			se := wantServerError(t, call(t.Context(), pool, "nope"), "call nope", "-32602", "nope")
			if se.Retryable || se.TimedOut {
				t.Errorf("%+v, want neither retryable nor timed out", se)
			}
			se = wantServerError(t, call(t.Context(), pool, "refuses"), "refused by the handler")
			if !se.Retryable {
				t.Errorf("an error of the server's own: %+v, want it retryable", se)
			}
		})
	}
}

func TestAToolThatAsksForInputIsAnError(t *testing.T) {
	t.Parallel()
	pool := connected(t, nil, child("official"))
	se := wantServerError(t, call(t.Context(), pool, "asks"), "asks for input")
	if se.Retryable {
		t.Error("it would ask again")
	}
}

func TestAStdioServerRunsAsASubprocessWithAReducedEnvironment(t *testing.T) {
	t.Parallel()
	cfg := child("official")
	cfg.Env["CRM_REGION"] = "eu"
	cfg.Dir = t.TempDir()
	opts := &mcp.PoolOptions{Environ: append(os.Environ(), "ANTHROPIC_API_KEY=SECRET", "AWS_PROFILE=prod")}
	pool := connected(t, opts, cfg)
	environ := callText(t, pool, "environ")
	if strings.Contains(environ, "SECRET") || strings.Contains(environ, "AWS_PROFILE") {
		t.Errorf("the child sees:\n%s", environ)
	}
	if !strings.Contains(environ, "CRM_REGION=eu") || !strings.Contains(environ, "PATH=") {
		t.Errorf("the child lacks something:\n%s", environ)
	}
	dir, err := filepath.EvalSymlinks(cfg.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := callText(t, pool, "where"); got != dir {
		t.Errorf("the child works in %s, want %s", got, dir)
	}
}

func TestAMalformedFrameTearsTheConnectionDown(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ server, mentions string }{
		"a duplicate key":  {"duplicate-key", `duplicate key "text"`},
		"an unsafe id":     {"unsafe-id", "9007199254740993"},
		"half a line":      {"half-a-line", "in the middle of a line"},
		"a line too long":  {"endless-line", "longer than 65536 bytes"},
		"unknown contents": {"unknown-content", "hologram"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := quick()
			opts.MaxMessageBytes = 64 << 10
			pool := connected(t, opts, child(tt.server))
			wantServerError(t, call(t.Context(), pool, "echo"), "call echo", tt.mentions)
		})
	}
}

func TestAServerThatLogsOnStdoutIsToldSo(t *testing.T) {
	t.Parallel()
	pool := newPool(t, quick(), child("logs-on-stdout"))
	se := wantServerError(t, pool.Connect(t.Context()),
		`mcp server "crm": connect: `, `"Server listening on stdio"`, "everything else to stderr")
	if se.Retryable {
		t.Error("it would do so again")
	}
}

func TestAServerThatDiesAtTheStartSaysWhy(t *testing.T) {
	t.Parallel()
	pool := newPool(t, quick(), child("dies-at-start"))
	wantServerError(t, pool.Connect(t.Context()), "connect", "exit status 3", "licence key missing")
}

func TestAProgramThatIsNotThere(t *testing.T) {
	t.Parallel()
	pool := newPool(t, quick(), mcp.ServerConfig{Name: "crm", Command: []string{"/no/such/program"}})
	wantServerError(t, pool.Connect(t.Context()), "connect", "/no/such/program")
}

func TestAServerOfTheOlderEra(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]string{
		"exits on the probe":  "exits-on-discover",
		"ignores the probe":   "ignores-discover",
		"answers it too late": "starts-slowly",
	} {
		t.Run("that "+name, func(t *testing.T) {
			t.Parallel()
			pool := connected(t, quick(), child(server))
			tools, err := pool.Tools(t.Context(), "crm")
			if err != nil || len(tools) == 0 {
				t.Fatalf("%v, %v", tools, err)
			}
			callText(t, pool, "echo")
		})
	}
}

func TestACrashIsExplainedAndTheServerComesBack(t *testing.T) {
	t.Parallel()
	pool := connected(t, quick(), child("official"))
	before := callText(t, pool, "pid")
	se := wantServerError(t, call(t.Context(), pool, "crash"), "call crash", "exit status 4", "out of cheese")
	if !se.Retryable || se.TimedOut {
		t.Errorf("%+v, want it retryable", se)
	}
	if after := callText(t, pool, "pid"); after == before {
		t.Error("the same process answered")
	}
}

func TestACallThatTimesOutLeavesTheServerUp(t *testing.T) {
	t.Parallel()
	cfg := child("official")
	cfg.Timeout = time.Second
	pool := connected(t, quick(), cfg)
	before := callText(t, pool, "pid")
	se := wantServerError(t, call(t.Context(), pool, "hang"), "no answer within 1s")
	if !se.TimedOut || !se.Retryable || !se.Timeout() || !errors.Is(se, context.DeadlineExceeded) {
		t.Errorf("%+v, want a retryable timeout", se)
	}
	if after := callText(t, pool, "pid"); after != before {
		t.Error("the server was started again")
	}
}

func TestAServerThatSaysNothingIsGivenUp(t *testing.T) {
	t.Parallel()
	opts := quick()
	opts.ConnectTimeout = 500 * time.Millisecond
	pool := newPool(t, opts, child("says-nothing"))
	begin := time.Now()
	se := wantServerError(t, pool.Connect(t.Context()), "not connected within 500ms")
	if !se.TimedOut {
		t.Errorf("%+v, want a timeout", se)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestConnectingToAServerThatDoesNotReadIsBounded(t *testing.T) {
	t.Parallel()
	opts := quick()
	opts.ConnectTimeout, opts.WriteTimeout = 500*time.Millisecond, time.Minute
	opts.ClientName = strings.Repeat("x", 1<<20) // more than a pipe holds
	begin := time.Now()
	wantServerError(t, newPool(t, opts, child("says-nothing")).Connect(t.Context()), "not connected within 500ms")
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestAServerThatStopsReadingIsGivenUp(t *testing.T) {
	t.Parallel()
	pool := connected(t, quick(), child("stops-reading"))
	begin := time.Now()
	args := map[string]any{"text": strings.Repeat("x", 1<<20)}
	_, err := pool.Call(t.Context(), "crm", "echo", args, mcp.CallOptions{})
	wantServerError(t, err, "doesn't read its input", "blocked for 300ms")
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestCloseIsBoundedWithACallUnderWay(t *testing.T) {
	t.Parallel()
	for name, cfg := range everyTransport(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := connected(t, quick(), cfg)
			failed := make(chan error, 1)
			go func() { failed <- call(t.Context(), pool, "hang") }()
			callText(t, pool, "echo") // the other call is probably out by now
			begin := time.Now()
			if err := pool.Close(); err != nil {
				t.Error(err)
			}
			if took := time.Since(begin); took > 3*time.Second {
				t.Errorf("closing took %v", took)
			}
			if err := <-failed; !errors.Is(err, mcp.ErrClosed) {
				t.Errorf("the call under way got %v, want ErrClosed", err)
			}
			if err := call(t.Context(), pool, "echo"); !errors.Is(err, mcp.ErrClosed) {
				t.Errorf("afterwards: %v, want ErrClosed", err)
			}
		})
	}
}
