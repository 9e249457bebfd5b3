package workflow_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// counts is a body that counts in the state how often it ran, and gives how often it had before.
func counts(ctx *workflow.Context, _ any) (workflow.Result, error) {
	n, _ := ctx.State().Get("n")
	before, _ := n.(int64)
	return workflow.Result{Output: before, State: map[string]any{"n": before + 1}}, nil
}

// A fork of a fork, or of a retry, from what that one has from another run begins with the state as it was there.
func TestFork_of_what_another_run_did(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		broken := true
		l := newLab().does("count", counts).does("end", func(ctx *workflow.Context, input any) (workflow.Result, error) {
			if broken {
				return workflow.Result{}, workflow.Terminal(context.DeadlineExceeded)
			}
			n, _ := ctx.State().Get("n")
			return workflow.Result{Output: []any{input, n}}, nil
		})
		w := l.build(t, "START -> count -> end")
		run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		broken = false
		again := func(session, run, as string) workflow.RetryRequest {
			return workflow.RetryRequest{Store: store, Session: session, Run: run, As: as, Env: workflow.Env{IDs: ids(as)}}
		}
		expect := func(name string, got outcome, want []any, parent journal.Parent) {
			t.Helper()
			if diff := cmp.Diff(any(want), got.output); diff != "" || got.err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", name, got.err, diff)
			}
			if parent == (journal.Parent{}) {
				return
			}
			fold, err := journal.Load(context.Background(), store, "of-"+name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(&parent, fold.Session.Parent); diff != "" {
				t.Errorf("%s: parent of the session (-want +got):\n%s", name, diff)
			}
		}
		forked := func(name, session, run, from string, set map[string]any) outcome {
			return collect(w.Fork(context.Background(),
				workflow.ForkRequest{RetryRequest: again(session, run, name), From: from, Into: "of-" + name, Set: set}))
		}

		expect("retry", collect(w.Retry(context.Background(), again("s", "r", "retry"))), []any{int64(0), int64(1)}, journal.Parent{})
		expect("kept", forked("kept", "s", "retry", "count@1", nil), []any{int64(0), int64(1)},
			journal.Parent{Session: "s", Run: "r", Path: "count@1"})
		expect("anew", forked("anew", "s", "retry", "end@1", nil), []any{int64(0), int64(1)},
			journal.Parent{Session: "s", Run: "retry", Path: "end@1"})

		expect("edited", forked("edited", "s", "retry", "end@1", map[string]any{"n": 7}), []any{int64(0), int64(7)},
			journal.Parent{Session: "s", Run: "retry", Path: "end@1"})
		expect("same", forked("same", "of-edited", "edited", "end@1", nil), []any{int64(0), int64(7)},
			journal.Parent{Session: "of-edited", Run: "edited", Path: "end@1"})
		expect("first", forked("first", "of-edited", "edited", "count@1", nil), []any{int64(0), int64(1)},
			journal.Parent{Session: "s", Run: "r", Path: "count@1"})
	})
}

// The run that a fork goes on from may be gone.
func TestFork_of_what_a_lost_run_did(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, other := memory.New(), memory.New()
		w := newLab().does("count", counts).build(t, "START -> count -> end")
		run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		fork(w, store, workflow.ForkRequest{From: "end@1"})
		for e, err := range store.Read(context.Background(), "fork", 1) {
			if err == nil {
				err = other.Append(context.Background(), "fork", e.Seq, e)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		got := collect(w.Fork(context.Background(), workflow.ForkRequest{From: "count@1",
			RetryRequest: workflow.RetryRequest{Store: other, Session: "fork", Run: "r2"}}))
		want := "count@1 began in another run, which isn't there any more: there is no session s"
		if codeOf(got.err) != workflow.CodeRequest || got.err.Error() != want {
			t.Errorf("%v, want %s", got.err, want)
		}
	})
}

// What begins while an agent is in the middle of its turns can be forked from: the agent goes on after the turns that it had.
func TestFork_beside_an_agent_in_the_middle_of_its_turns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, a := memory.New(), &turns{n: 3}
		slow := &slowTurns{a}
		l := newLab()
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"first@1": 90 * time.Second}[path] }
		w, err := workflow.New("test", slices.Concat(
			workflow.Chain(workflow.Start, workflow.NewAgentNode(slow, workflow.NodeConfig{})),
			workflow.Chain(workflow.Start, l.node("first"), l.node("beside"))))
		if err != nil {
			t.Fatal(err)
		}
		run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "in", Env: workflow.Env{IDs: ids("1")},
			Message: &journal.Msg{ID: "m0", Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: "in"}}}})
		a.called = nil
		got := fork(w, store, workflow.ForkRequest{From: "beside@1", RetryRequest: workflow.RetryRequest{Env: workflow.Env{IDs: ids("2")}}})
		if got.err != nil {
			t.Fatal(got.err)
		}
		if diff := cmp.Diff([]string{"c2", "c3"}, a.called); diff != "" {
			t.Errorf("calls of the fork (-want +got):\n%s", diff)
		}
		// Of the fork, the agent is forked from the run in which it began.
		a.called = nil
		got = collect(w.Fork(context.Background(), workflow.ForkRequest{From: "agent@1",
			RetryRequest: workflow.RetryRequest{Store: store, Session: "fork", Run: "r2", Env: workflow.Env{IDs: ids("3")}}}))
		if diff := cmp.Diff([]string{"c1", "c2", "c3"}, a.called); diff != "" || got.err != nil {
			t.Errorf("%v, calls of the fork of the fork (-want +got):\n%s", got.err, diff)
		}
	})
}

// slowTurns is an agent that takes a minute for each turn.
type slowTurns struct{ *turns }

func (s *slowTurns) Run(ctx *workflow.Context, input any) (workflow.Result, error) {
	all := s.n
	defer func() { s.n = all }()
	for s.n = len(ctx.Session().Own)/2 + 1; ; s.n++ {
		if err := sleep(ctx, time.Minute); err != nil {
			return workflow.Result{}, err
		}
		if res, err := s.turns.Run(ctx, input); err != nil || s.n == all {
			return res, err
		}
	}
}
