package workflow_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/plait-dev/plait/pkg/workflow"
)

// single is a workflow of one node.
func single(t *testing.T, n workflow.Node) *workflow.Workflow {
	t.Helper()
	w, err := workflow.New("test", workflow.Chain(workflow.Start, n))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

type order struct {
	ID    int      `json:"id"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags,omitempty"`
}

func TestFunctionNode_conversions(t *testing.T) {
	echo := func(_ *workflow.Context, o order) (order, error) { return o, nil }
	whole := func(_ *workflow.Context, n int) (int, error) { return n + 1, nil }
	text := func(_ *workflow.Context, s string) (string, error) { return s + "!", nil }
	pointer := func(_ *workflow.Context, o *order) (*order, error) { return o, nil }
	for _, tc := range []struct {
		name  string
		node  workflow.Node
		input any
		want  any
		code  workflow.Code
	}{
		{"a map fits a struct", workflow.NewFunctionNode("n", echo, workflow.NodeConfig{}), map[string]any{"id": 7, "price": 2.0},
			map[string]any{"id": int64(7), "price": 2.0}, ""},
		{"a struct is its JSON", workflow.NewFunctionNode("n", echo, workflow.NodeConfig{}), order{ID: 1, Tags: []string{"x"}},
			map[string]any{"id": int64(1), "price": 0.0, "tags": []any{"x"}}, ""},
		{"an integer", workflow.NewFunctionNode("n", whole, workflow.NodeConfig{}), 41, int64(42), ""},
		{"a text as it is", workflow.NewFunctionNode("n", text, workflow.NodeConfig{}), "hi", "hi!", ""},
		{"nothing is the zero value", workflow.NewFunctionNode("n", text, workflow.NodeConfig{}), nil, "!", ""},
		{"a nil pointer is no output", workflow.NewFunctionNode("n", pointer, workflow.NodeConfig{}), nil, nil, ""},
		{"text is no number", workflow.NewFunctionNode("n", whole, workflow.NodeConfig{Retry: &workflow.RetryConfig{}}), "41", nil,
			workflow.CodeInputSchema},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := run(single(t, tc.node), workflow.RunRequest{Input: tc.input})
			if diff := cmp.Diff(tc.want, got.output); diff != "" || codeOf(got.err) != tc.code {
				t.Errorf("(-want +got):\n%s%v", diff, got.err)
			}
		})
	}
}

// tool is a tool made of a function.
type tool func(*workflow.Context, map[string]any) (any, error)

func (tool) Name() string { return "lookup" }

func (f tool) Run(ctx *workflow.Context, args map[string]any) (any, error) { return f(ctx, args) }

func TestToolNode_arguments(t *testing.T) {
	echo := tool(func(_ *workflow.Context, args map[string]any) (any, error) { return map[string]any{"args": args}, nil })
	for _, tc := range []struct {
		name  string
		input any
		want  any
		code  workflow.Code
	}{
		{"a map", map[string]any{"q": "x"}, map[string]any{"q": "x"}, ""},
		{"nothing", nil, map[string]any{}, ""},
		{"an object as text", `{"q": 1}`, map[string]any{"q": int64(1)}, ""},
		{"other text", "hello", nil, workflow.CodeInputSchema},
		{"a list as text", "[1]", nil, workflow.CodeInputSchema},
		{"a list", []any{1}, nil, workflow.CodeInputSchema},
		{"a number", 1, nil, workflow.CodeInputSchema},
		{"a boolean", true, nil, workflow.CodeInputSchema},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := run(single(t, workflow.NewToolNode(echo, workflow.NodeConfig{})), workflow.RunRequest{Input: tc.input})
			if codeOf(got.err) != tc.code {
				t.Fatal(got.err)
			}
			if tc.code != "" {
				if !strings.Contains(got.err.Error(), "the tool lookup wants a map of arguments") {
					t.Error(got.err)
				}
				return
			}
			if diff := cmp.Diff(any(map[string]any{"args": tc.want}), got.output); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestToolNode_errors(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want workflow.Code
	}{
		{errors.New("no such invoice"), workflow.CodeToolError},
		{workflow.Terminal(errors.New("no such invoice")), workflow.CodeToolError},
		{workflow.Errorf("rate-limited", "slow down"), "rate-limited"},
	} {
		node := workflow.NewNamedToolNode("find", tool(func(*workflow.Context, map[string]any) (any, error) {
			return nil, tc.err
		}), workflow.NodeConfig{})
		got := run(single(t, node), workflow.RunRequest{})
		if codeOf(got.err) != tc.want || !errors.Is(got.err, tc.err) || !strings.HasPrefix(got.err.Error(), "find@1: ") {
			t.Errorf("%v ended as %v (%s)", tc.err, got.err, codeOf(got.err))
		}
	}
}

// A resolved JSON Schema is a validator.
func TestSchemas_of_jsonschema(t *testing.T) {
	limits := &jsonschema.Schema{Type: "object", Required: []string{"id"}}
	resolved, err := limits.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	pass := func(_ *workflow.Context, in any) (any, error) { return in, nil }
	for _, tc := range []struct {
		input any
		cfg   workflow.NodeConfig
		want  workflow.Code
	}{
		{map[string]any{"id": 1}, workflow.NodeConfig{InputSchema: resolved, OutputSchema: resolved}, ""},
		{map[string]any{"x": 1}, workflow.NodeConfig{InputSchema: resolved}, workflow.CodeInputSchema},
		{map[string]any{"x": 1}, workflow.NodeConfig{OutputSchema: resolved}, workflow.CodeOutputSchema},
		{nil, workflow.NodeConfig{OutputSchema: resolved}, ""}, // no output is not checked
	} {
		got := run(single(t, workflow.NewFunctionNode("n", pass, tc.cfg)), workflow.RunRequest{Input: tc.input})
		if codeOf(got.err) != tc.want {
			t.Errorf("%v: %v", tc.input, got.err)
		}
	}
}

func TestContext_tells_where_it_is(t *testing.T) {
	l := newLab().does("a", func(ctx *workflow.Context, in any) (workflow.Result, error) {
		return workflow.Result{Output: []any{ctx.Path(), ctx.Node(), ctx.Attempt(), ctx.RunID(), ctx.SessionID(), ctx.App(),
			ctx.Principal(), ctx.User(), ctx.Workflow(), ctx.Input(), in, ctx.Branch(), ctx.Message() == nil}}, nil
	})
	got := run(l.build(t, "START -> a"), workflow.RunRequest{Session: "s", Run: "r", App: "app", Principal: "web", User: "ann", Input: "in"})
	want := []any{"a@1", "a", int64(1), "r", "s", "app", "web", "ann", "test", "in", "in", "", true}
	if diff := cmp.Diff(any(want), got.output); diff != "" {
		t.Error(diff)
	}
}
