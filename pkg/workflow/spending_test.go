package workflow_test

import (
	"fmt"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// spends is an agent whose turns cost ten tokens and a cent each.
type spends struct {
	part  workflow.Part
	turns int // in this process
}

func (*spends) Name() string { return "agent" }

func (a *spends) Run(ctx *workflow.Context, _ any) (workflow.Result, error) {
	if a.part.Author != "" {
		_, leave := ctx.Enter(a.part)
		defer leave()
	}
	for range 10 {
		if err := ctx.AllowModelCall(); err != nil {
			return workflow.Result{}, err
		}
		a.turns++
		used := journal.Usage{Input: 6, Output: 2, CacheRead: 1, CacheWrite: 1, Cost: 0.01}
		ctx.Spend(used)
		if err := ctx.Commit(journal.Msg{Role: journal.RoleModel, Author: "agent", Usage: &used}); err != nil {
			return workflow.Result{}, err
		}
	}
	return workflow.Result{Output: "done"}, nil
}

// What a run uses is counted over its processes, and what reaches a limit of it, or of a part of it, ends that.
func TestSpending_over_processes(t *testing.T) {
	cases := []struct {
		name   string
		limits workflow.Limits
		part   workflow.PartLimits
		want   string
	}{
		{"tokens of the run", workflow.Limits{MaxTokens: 45}, workflow.PartLimits{},
			"agent@1: limit exceeded: max_tokens is 45, and 50 are used"},
		{"cost of the run", workflow.Limits{MaxCostUSD: 0.045}, workflow.PartLimits{},
			"agent@1: limit exceeded: max_cost_usd is 0.045, and 0.05 are used"},
		{"tokens of a part", workflow.Limits{}, workflow.PartLimits{MaxTokens: 45},
			"agent@1: limit max_tokens reached: 50 of 45 used"},
		{"cost of a part", workflow.Limits{}, workflow.PartLimits{MaxCostUSD: 0.045},
			"agent@1: limit max_cost_usd reached: 0.05 of 0.045 used"},
	}
	for _, c := range cases {
		for _, dies := range []int{0, 4} { // at this append
			t.Run(fmt.Sprintf("%s, killed at append %d", c.name, dies), func(t *testing.T) {
				store := journal.Store(memory.New())
				a := &spends{part: workflow.Part{Name: "agent", Author: "agent", Limits: c.part}}
				w := agentWorkflow(t, a, workflow.NodeConfig{Retry: &workflow.RetryConfig{MaxAttempts: 3}})
				env := workflow.Env{Limits: c.limits}
				req := workflow.RunRequest{Store: store, Session: "s", Run: "r", Env: env}
				turns := 5
				if dies > 0 {
					req.Store, turns = storetest.NewFaulty(store, dies, storetest.Before), 4 // one of them is recorded
				}
				got := run(w, req)
				if dies > 0 {
					a.turns = 0
					got = resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Env: env})
				}
				if codeOf(got.err) != workflow.CodeLimit || got.err.Error() != c.want || a.turns != turns {
					t.Errorf("%d turns, then %v", a.turns, got.err)
				}
			})
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
