package workflow_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// onlyK lets nothing but the key k be written, and no number to it.
func onlyK(key string, value any) error {
	if _, isText := value.(string); key != "k" || !isText {
		return errors.New("not that")
	}
	return nil
}

func TestWritesAreChecked(t *testing.T) {
	set := func(state map[string]any) body {
		return func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{State: state}, nil }
	}
	for _, tc := range []struct {
		name  string
		graph string
		setup func(*lab)
		want  string // the failure that the handler gets; empty for none
	}{
		{"what is allowed", "START -> a", func(l *lab) { l.does("a", set(map[string]any{"k": "v", "app:x": 1, "user:x": 1, "temp:x": 1})) }, ""},
		{"what is removed", "START -> a", func(l *lab) { l.does("a", set(map[string]any{"x": nil})) }, ""},
		{"another key", "START -> a", func(l *lab) { l.does("a", set(map[string]any{"x": "v"})) }, `state "x": not that`},
		{"another value", "START -> a", func(l *lab) { l.does("a", set(map[string]any{"k": 5})) }, `state "k": not that`},
		{"a write by the body", "START -> a", func(l *lab) {
			l.does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				return workflow.Result{}, ctx.State().Set("x", "v")
			})
		}, `state "x": not that`},
		{"a pure node", "START -> a", func(l *lab) {
			l.config["a"] = pure()
			l.does("a", set(map[string]any{"x": "v"}))
		}, `state "x": not that`},
		{"a member of a team", "START -> a", func(l *lab) {
			l.teams["a"] = "seq b"
			l.does("b", set(map[string]any{"x": "v"}))
		}, `a@1/b@1: state "x": not that`},
		{"a child", "START -> a", func(l *lab) {
			l.does("b", set(map[string]any{"x": "v"}))
			l.schedules("a", func(run runChild) (any, error) { return run("b", nil) })
		}, `a@1/b@1: state "x": not that`},
		{"an inner graph has its own rules", "START -> a", func(l *lab) {
			l.inner["a"] = "START -> b"
			l.does("b", set(map[string]any{"x": "v"}))
		}, ""},
		{"an isolated node writes to a state of its own", "START -> a", func(l *lab) {
			l.isolate("a")
			l.does("a", set(map[string]any{"x": "v"}))
		}, ""},
		{"and so do the members of an isolated team", "START -> a", func(l *lab) {
			l.isolate("a")
			l.teams["a"] = "seq b"
			l.does("b", set(map[string]any{"x": "v"}))
		}, ""},
		{"an isolated graph has its own rules", "START -> a", func(l *lab) {
			l.isolate("a")
			l.inner["a"] = "START -> b"
			l.opts["a"] = []workflow.Option{workflow.WithStateCheck(onlyK)}
			l.does("b", set(map[string]any{"x": "v"}))
		}, `a@1/b@1: state "x": not that`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			tc.setup(l)
			got := runNested(t, l, tc.graph+"; a -[ERROR]-> fix", workflow.RunRequest{}, workflow.WithStateCheck(onlyK))
			failure, failed := l.input("fix@1").(map[string]any)
			if failed != (tc.want != "") || got.err != nil || failed && (failure["message"] != tc.want || failure["code"] != "state-schema") {
				t.Errorf("%v; the handler got %v", got.err, failure)
			}
		})
	}
}

// A turn of an agent that would write what it must not isn't committed, and the agent is told.
func TestTurnsAreChecked(t *testing.T) {
	l := newLab()
	var refused []error
	l.does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		refused = append(refused, ctx.Commit(journal.Msg{Role: journal.RoleTool, Set: map[string]any{"x": "v"}}),
			ctx.Commit(journal.Msg{Role: journal.RoleTool, Set: map[string]any{"k": "v"}}))
		return workflow.Result{}, nil
	})
	store := memory.New()
	got := run(l.build(t, "START -> a", workflow.WithStateCheck(onlyK)), workflow.RunRequest{Store: store, Session: "s"})
	if got.err != nil || len(refused) != 2 || refused[0] == nil || refused[1] != nil {
		t.Fatalf("%v; %v", got.err, refused)
	}
	fold, err := journal.Load(t.Context(), store, "s")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"k": "v"}, fold.State); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
