package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// scenario is a run that must give the same whenever its process dies.
type scenario struct {
	name  string
	graph string
	setup func(*lab)
	input any
	opts  []workflow.Option
}

// writes sets a key to the path of the activation and gives its input.
func writes(key string) body {
	return func(ctx *workflow.Context, input any) (workflow.Result, error) {
		return workflow.Result{Output: input, State: map[string]any{key: ctx.Path()}}, nil
	}
}

func pure() workflow.NodeConfig { return workflow.NodeConfig{Pure: true} }

func scenarios() []scenario {
	list := []scenario{
		{name: "chain", graph: "START -> a -> b -> c", input: map[string]any{"n": 1.0}},
		{name: "pure nodes", graph: "START -> p -> a -> q -> b -> r", setup: func(l *lab) {
			l.config["p"], l.config["q"], l.config["r"] = pure(), pure(), pure()
		}},
		{name: "routes", graph: "START -> c -[A]-> a -> end; c -[B]-> b -> end; c -[DEFAULT]-> d",
			setup: func(l *lab) { l.routes("c", "B") }},
		{name: "fan-out under a cap", graph: "START -> a -> J; START -> b -> J; START -> c -> J; J -> end",
			opts: []workflow.Option{workflow.WithMaxConcurrency(2)}},
		{name: "START arrives at a join", graph: "START -> J -> end; START -> a -> J", input: "hello"},
		{name: "state", graph: "START -> a -> b -> c", setup: func(l *lab) {
			l.does("a", writes("k")).does("b", writes("temp:t")).does("c", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				k, _ := ctx.State().Get("k")
				tmp, _ := ctx.State().Get("temp:t")
				return workflow.Result{Output: []any{k, tmp}, State: map[string]any{"k": nil, "user:u": "u"}}, nil
			})
		}},
		{name: "retry", graph: "START -> a -> b", setup: func(l *lab) {
			l.does("a", failsUntil(3))
			l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
		}},
		{name: "ERROR edge", graph: "START -> a -> b; a -[ERROR]-> fix -> end; a -[ERROR]-> J -> end; START -> c -> J",
			setup: func(l *lab) { l.does("a", fails("broken")) }, input: "in"},
		{name: "ERROR edge behind a cap", graph: "START -> a -[ERROR]-> fix -> end; START -> b -> end2; a -[ERROR]-> fix2 -> J; b -> J",
			setup: func(l *lab) { l.does("a", fails("broken")) }, opts: []workflow.Option{workflow.WithMaxConcurrency(1)}},
		{name: "shaped input", graph: "START -> a -> b", setup: func(l *lab) {
			l.config["b"] = workflow.NodeConfig{Input: func(ctx *workflow.Context) (any, error) {
				return map[string]any{"was": ctx.Input(), "at": ctx.Path()}, nil
			}}
			l.does("b", func(_ *workflow.Context, input any) (workflow.Result, error) {
				return workflow.Result{Output: input}, nil
			})
		}},
		{name: "loop of queued triggers", graph: "START -> a -> d -> end; START -> b -> d; START -> c -> d"},
		{name: "two long loops of pure nodes", graph: "START -> p -> q -[again]-> p; q -[done]-> J -> end; " +
			"START -> v -> w -[again]-> v; w -[done]-> J", setup: func(l *lab) {
			for _, n := range []string{"p", "q", "v", "w"} {
				l.config[n] = pure()
			}
			l.routes("q", append(slices.Repeat([]string{"again"}, 200), "done")...)
			l.routes("w", append(slices.Repeat([]string{"again"}, 170), "done")...)
		}},
		{name: "a long loop of pure nodes", graph: "START -> a -> p -> q -[again]-> p; q -[done]-> b", setup: func(l *lab) {
			l.config["p"], l.config["q"] = pure(), pure()
			l.routes("q", append(slices.Repeat([]string{"again"}, 300), "done")...)
		}},
		{name: "unmatched route", graph: "START -> a -[x]-> b; a -[y]-> c", setup: func(l *lab) { l.routes("a", "z") }},
	}
	list = append(list, nestedScenarios()...)
	list = append(list, dynamicScenarios()...)
	list = append(list, teamScenarios()...)
	list = append(list, isolatedScenarios()...)
	for _, tc := range joinCases() {
		list = append(list, scenario{name: tc.name, graph: tc.graph, setup: tc.setup, input: "input"})
	}
	return list
}

func (s scenario) lab(schedule int) *lab {
	l := newLab()
	if s.setup != nil {
		s.setup(l)
	}
	l.delay = scheduled(schedule)
	return l
}

// Whenever the process dies, before or after any append, the run that another process takes up gives the same output
// and state, executes nothing again that had ended, and uses the same idempotency keys.
func TestCrash_at_every_append(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want := s.runThrough(t)
				for n := 1; ; n++ {
					for _, moment := range []storetest.Moment{storetest.Before, storetest.After} {
						if tripped := s.crash(t, want, memory.New(), n, moment); !tripped {
							return
						}
					}
				}
			})
		})
	}
}

// The same with a store that writes what it is given as text.
func TestCrash_at_every_append_on_disk(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want := s.runThrough(t)
				for n := 1; ; n++ {
					store, err := jsonl.Open(t.TempDir(), jsonl.WithSync(jsonl.SyncNever))
					if err != nil {
						t.Fatal(err)
					}
					tripped := s.crash(t, want, store, n, storetest.After)
					if err := store.Close(); err != nil {
						t.Fatal(err)
					}
					if !tripped {
						return
					}
				}
			})
		})
	}
}

// scenarioResult is what a run leaves.
type scenarioResult struct {
	output any
	state  map[string]any
	keys   map[string]string
}

func (s scenario) request(store journal.Store) workflow.RunRequest {
	return workflow.RunRequest{Store: store, Session: "s", Run: "r", App: "app", Input: s.input,
		Message: &journal.Msg{Role: journal.RoleUser, Author: "user"}, Env: workflow.Env{IDs: ids("1")}}
}

// runThrough is the run without a crash.
func (s scenario) runThrough(t *testing.T) scenarioResult {
	store := memory.New()
	l := s.lab(0)
	got := run(l.build(t, s.graph, s.opts...), s.request(store))
	if got.err != nil {
		t.Fatal(got.err)
	}
	return s.result(t, store, got, l)
}

func (s scenario) result(t *testing.T, store journal.Store, got outcome, labs ...*lab) scenarioResult {
	fold, err := journal.Load(context.Background(), store, "s")
	if err != nil {
		t.Fatal(err)
	}
	res := scenarioResult{output: got.output, state: fold.State, keys: map[string]string{}}
	for _, l := range labs {
		for _, c := range l.calls {
			if key, ok := res.keys[c.path]; ok && key != c.key {
				t.Errorf("%s had the idempotency keys %s and %s", c.path, key, c.key)
			}
			res.keys[c.path] = c.key
		}
	}
	return res
}

// crash runs the scenario up to the n-th append, takes it up, and compares. It returns false when there was no n-th
// append.
func (s scenario) crash(t *testing.T, want scenarioResult, store journal.Store, n int, moment storetest.Moment) bool {
	t.Helper()
	faulty := storetest.NewFaulty(store, n, moment)
	before := s.lab(n)
	got := run(before.build(t, s.graph, s.opts...), s.request(faulty))
	if !faulty.Tripped() {
		return false
	}
	at := fmt.Sprintf("crash %s append %d", moment, n)
	if codeOf(got.err) != workflow.CodeJournal || !errors.Is(got.err, storetest.ErrInjected) {
		t.Fatalf("%s: the run ended with %v", at, got.err)
	}
	ended := endedActivations(t, store)
	after := s.lab(n + 1)
	w := after.build(t, s.graph, s.opts...)
	got = resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Env: workflow.Env{IDs: ids("2")}})
	if codeOf(got.err) == workflow.CodeRequest && len(ended) == 0 {
		got = run(w, s.request(store)) // nothing of the run was written
	}
	if codeOf(got.err) == workflow.CodeJournal || got.err != nil {
		t.Fatalf("%s: resuming ended with %v", at, got.err)
	}
	for _, c := range after.calls {
		if ended[c.path] {
			t.Errorf("%s: %s was executed again", at, c.path)
		}
	}
	res := s.result(t, store, got, before, after)
	if diff := cmp.Diff(want, res, cmp.AllowUnexported(scenarioResult{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", at, diff)
	}
	return true
}

// endedActivations lists what the journal knows to be over.
func endedActivations(t *testing.T, store journal.Store) map[string]bool {
	ended := map[string]bool{}
	fold, err := journal.Load(context.Background(), store, "s")
	var unknown *journal.UnknownSessionError
	switch {
	case errors.As(err, &unknown):
		return ended
	case err != nil:
		t.Fatal(err)
	}
	if r := fold.Run("r"); r != nil {
		for _, a := range r.Activations {
			if !a.State.Live() {
				ended[a.Path] = true
			}
		}
	}
	return ended
}
