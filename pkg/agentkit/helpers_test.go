package agentkit_test

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tool is a tool made of its parts. It counts its executions by call id.
type tool struct {
	spec core.Spec
	run  func(ctx context.Context, call core.Call) (core.Result, error)

	mu    sync.Mutex
	calls []core.Call
}

func newTool(name string, run func(ctx context.Context, call core.Call) (core.Result, error)) *tool {
	return &tool{spec: core.Spec{Name: name, Description: "does " + name}, run: run}
}

// says is a tool that answers with the same text each time.
func says(name, text string) *tool {
	return newTool(name, func(context.Context, core.Call) (core.Result, error) { return core.TextResult(text), nil })
}

func (t *tool) Spec() core.Spec { return t.spec }

func (t *tool) Run(ctx context.Context, call core.Call) (core.Result, error) {
	t.mu.Lock()
	t.calls = append(t.calls, call)
	t.mu.Unlock()
	return t.run(ctx, call)
}

// runs returns the calls that were made of the tool.
func (t *tool) runs() []core.Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]core.Call(nil), t.calls...)
}

// recorder keeps the requests that a model was sent.
type recorder struct {
	core.Model
	mu       sync.Mutex
	requests []core.Request
}

func (r *recorder) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	r.mu.Lock()
	kept := *req
	kept.Messages = append([]core.Message(nil), req.Messages...)
	r.requests = append(r.requests, kept)
	r.mu.Unlock()
	return r.Model.Stream(ctx, req)
}

// last returns the newest request.
func (r *recorder) last(t *testing.T) core.Request {
	t.Helper()
	if len(r.requests) == 0 {
		t.Fatal("the model was not called")
	}
	return r.requests[len(r.requests)-1]
}

// script makes a recorded model that answers one activation with the given turns.
func script(t *testing.T, turns ...faux.Turn) *recorder {
	t.Helper()
	m, err := faux.New("faux", faux.Script{Turns: turns})
	if err != nil {
		t.Fatal(err)
	}
	return &recorder{Model: m}
}

// call is a scripted call with an object of arguments.
func call(name, args string) faux.Call { return faux.Call{Name: name, Args: json.RawMessage(args)} }

// rawCall is a scripted call whose arguments are these bytes, well-formed or not.
func rawCall(name, bytes string) faux.Call {
	quoted, err := json.Marshal(bytes)
	if err != nil {
		panic(err)
	}
	return faux.Call{Name: name, Args: quoted}
}

func newAgent(t *testing.T, cfg agentkit.Config) *agentkit.Agent {
	t.Helper()
	if cfg.Name == "" {
		cfg.Name = "bot"
	}
	a, err := agentkit.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func run(t *testing.T, cfg agentkit.Config, in agentkit.RunInput) *agentkit.Result {
	t.Helper()
	res, err := newAgent(t, cfg).Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// results returns the results in a prompt.
func results(msgs []core.Message) []core.ToolResult {
	var out []core.ToolResult
	for _, m := range msgs {
		if r, ok := core.ResultOf(m); ok {
			out = append(out, r)
		}
	}
	return out
}

// wantResult checks that a prompt ends with an error result whose text contains each of the fragments.
func wantError(t *testing.T, msgs []core.Message, fragments ...string) {
	t.Helper()
	all := results(msgs)
	if len(all) == 0 {
		t.Fatal("the prompt holds no result")
	}
	r := all[len(all)-1]
	if !r.Error {
		t.Errorf("the result of %s is no error: %s", r.Name, r.Text)
	}
	for _, f := range fragments {
		if !strings.Contains(r.Text, f) {
			t.Errorf("the result of %s doesn't say %q:\n%s", r.Name, f, r.Text)
		}
	}
}
