package workflow_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// spends is an agent whose turns cost ten tokens each.
type spends struct{ used []int64 }

func (*spends) Name() string { return "agent" }

func (a *spends) Run(ctx *workflow.Context, _ any) (workflow.Result, error) {
	part := workflow.Spender{Author: "agent", Node: ctx.Definition()}
	for range 10 {
		if err := ctx.AllowModelCall(); err != nil {
			return workflow.Result{}, err
		}
		a.used = append(a.used, ctx.Tokens(part))
		ctx.Spend(part, 10)
		answer := journal.Msg{Role: journal.RoleModel, Author: "agent", Usage: &journal.Usage{Input: 6, Output: 2, CacheRead: 1, CacheWrite: 1}}
		if err := ctx.Commit(answer); err != nil {
			return workflow.Result{}, err
		}
	}
	return workflow.Result{Output: "done"}, nil
}

// The tokens of a run are counted over its processes, and end it when they are used up.
func TestTokens_of_a_run(t *testing.T) {
	for _, dies := range []int{0, 4} { // at this append
		store := journal.Store(memory.New())
		a := &spends{}
		w := agentWorkflow(t, a, workflow.NodeConfig{})
		env := workflow.Env{Limits: workflow.Limits{MaxTokens: 45}}
		req := workflow.RunRequest{Store: store, Session: "s", Run: "r", Env: env}
		if dies > 0 {
			req.Store = storetest.NewFaulty(store, dies, storetest.Before)
		}
		got := run(w, req)
		if dies > 0 {
			a.used = nil
			got = resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Env: env})
			if a.used[0] != 10 {
				t.Errorf("after a restart %d tokens are used, want those of the turn that was recorded", a.used[0])
			}
		}
		if codeOf(got.err) != workflow.CodeLimit || a.used[len(a.used)-1] != 40 {
			t.Errorf("the run ended with %v, after %v", got.err, a.used)
		}
	}
}

func TestTokens_of_parts(t *testing.T) {
	l := newLab()
	l.inner["o"] = "START -> x"
	l.items["w"] = worker{body: "x"}
	var seen []string
	l.does("x", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		seen = append(seen, ctx.Definition())
		return workflow.Result{Output: []any{1}}, nil
	})
	if got := run(l.build(t, "START -> x -> o -> w"), workflow.RunRequest{}); got.err != nil {
		t.Fatal(got.err)
	}
	if want := []string{"x", "o/x", "w/"}; len(seen) != 3 || seen[0] != want[0] || seen[1] != want[1] || seen[2] != want[2] {
		t.Errorf("the definitions are %q, want %q", seen, want)
	}
}
