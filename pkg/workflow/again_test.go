package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// errMended is what a body fails with in the first run alone.
var errMended = errors.New("broken")

// ended says how the first run of a scenario comes to its end early: in the n-th body.
type ended func(s scenario, l *lab, store journal.Store, n int) outcome

// canceled cancels the run when the n-th body begins.
func canceled(s scenario, l *lab, store journal.Store, n int) outcome {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	delay := l.delay
	var begun atomic.Int64
	l.delay = func(path string) time.Duration {
		if begun.Add(1) == int64(n) {
			cancel()
		}
		return delay(path)
	}
	w, _ := l.workflow(s)
	return watch(w, ctx, s.request(store))
}

// failed lets the n-th body fail for good.
func failed(s scenario, l *lab, store journal.Store, n int) outcome {
	var begun atomic.Int64
	l.breaks = func() error {
		if begun.Add(1) == int64(n) {
			return workflow.Terminal(errMended)
		}
		return nil
	}
	w, _ := l.workflow(s)
	return watch(w, context.Background(), s.request(store))
}

func (l *lab) workflow(s scenario) (*workflow.Workflow, error) {
	return workflow.New("test", l.edges(s.graph), s.opts...)
}

func retry(w *workflow.Workflow, store journal.Store) outcome {
	return collect(w.Retry(context.Background(), workflow.RetryRequest{Store: store, Session: "s", Run: "r", As: "r2",
		Env: workflow.Env{IDs: ids("2")}}))
}

// Wherever a run failed or was canceled, a retry comes to the same output and state as a run that didn't, executes nothing
// again that was done, and has the same idempotency keys.
func TestRetry_of_runs_that_are_over(t *testing.T) {
	for name, end := range map[string]ended{"canceled": canceled, "failed": failed} {
		for _, s := range scenarios() {
			t.Run(name+" "+s.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					want := s.runThrough(t)
					for n := 1; s.retried(t, want, end, n); n += 1 + n/20 { // of long loops not every lap
					}
				})
			})
		}
	}
}

// retried ends a run in its n-th body and retries it. It returns false when there was no n-th body.
func (s scenario) retried(t *testing.T, want scenarioResult, end ended, n int) bool {
	t.Helper()
	store, before, after := memory.New(), s.lab(n), s.lab(n+1)
	got := end(s, before, store, n)
	if len(before.paths()) < n {
		return false
	}
	if got.err == nil {
		return true // the failure was handled
	}
	done := doneActivations(t, store, "r")
	w, err := after.workflow(s)
	if err != nil {
		t.Fatal(err)
	}
	got = retry(w, store)
	if codeOf(got.err) == workflow.CodeReplayMismatch && strings.Contains(got.err.Error(), "w@again") {
		return true // the body went on after the failure, and gave a child that it names another input than it gives now
	}
	s.compare(t, fmt.Sprintf("ended in body %d", n), want, store, got, done, before, after)
	return true
}

func (s scenario) compare(
	t *testing.T, at string, want scenarioResult, store journal.Store, got outcome, done map[string]bool, labs ...*lab,
) {
	t.Helper()
	if got.err != nil {
		t.Fatalf("%s: the retry ended with %v", at, got.err)
	}
	for _, c := range labs[len(labs)-1].calls {
		if done[c.path] {
			t.Errorf("%s: %s was executed again", at, c.path)
		}
	}
	res := s.result(t, store, got, labs...)
	if diff := cmp.Diff([]any{want.output, want.state}, []any{res.output, res.state}); diff != "" {
		t.Errorf("%s (-want +got):\n%s", at, diff)
	}
	for path, key := range want.keys {
		if got, ok := res.keys[path]; ok && got != key {
			t.Errorf("%s: %s has the idempotency key %s, want %s", at, path, got, key)
		}
	}
}

func doneActivations(t *testing.T, store journal.Store, run string) map[string]bool {
	t.Helper()
	fold, err := journal.Load(context.Background(), store, "s")
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]bool{}
	if r := fold.Run(run); r != nil {
		for _, a := range r.Activations {
			done[a.Path] = a.State == journal.ActivationDone
		}
	}
	return done
}

// A retry survives its process, too.
func TestRetry_and_a_crash_at_every_append(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want := s.runThrough(t)
				for n := 1; s.retriedWithCrash(t, want, n); n++ {
				}
			})
		})
	}
}

func (s scenario) retriedWithCrash(t *testing.T, want scenarioResult, n int) bool {
	t.Helper()
	store, before, retrying, after := memory.New(), s.lab(n), s.lab(n+1), s.lab(n+2)
	if got := canceled(s, before, store, 2); got.err == nil {
		return false
	}
	faulty := storetest.NewFaulty(store, n, storetest.After)
	w, _ := retrying.workflow(s)
	if got := retry(w, faulty); !faulty.Tripped() {
		if got.err != nil {
			t.Errorf("the retry ended with %v", got.err)
		}
		return false
	}
	done := doneActivations(t, store, "r2")
	w, _ = after.workflow(s)
	got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r2", Env: workflow.Env{IDs: ids("3")}})
	s.compare(t, fmt.Sprintf("crash after append %d", n), want, store, got, done, before, retrying, after)
	return true
}

// A fork from any activation, with nothing edited, comes to the same output and state, and leaves the first session as it
// is.
func TestFork_from_every_activation(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, l := memory.New(), s.lab(1)
				w, err := l.workflow(s)
				if err != nil {
					t.Fatal(err)
				}
				got := run(w, s.request(store))
				want := s.result(t, store, got, l)
				before, err := journal.Load(context.Background(), store, "s")
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range before.Run("r").Activations {
					if a.Attempt > 0 {
						s.forked(t, store, want, a.Path)
					}
				}
				if after, _ := journal.Load(context.Background(), store, "s"); after.Seq != before.Seq {
					t.Errorf("the session grew from %d to %d entries", before.Seq, after.Seq)
				}
			})
		})
	}
}

func (s scenario) forked(t *testing.T, store journal.Store, want scenarioResult, from string) {
	t.Helper()
	l := s.lab(2)
	w, err := l.workflow(s)
	if err != nil {
		t.Fatal(err)
	}
	store = copyOf(t, store)
	got := collect(w.Fork(context.Background(), workflow.ForkRequest{From: from, Into: "fork",
		RetryRequest: workflow.RetryRequest{Store: store, Session: "s", Run: "r", As: "r2", Env: workflow.Env{IDs: ids("2")}}}))
	if got.err != nil {
		t.Fatalf("from %s: the fork ended with %v", from, got.err)
	}
	fold, err := journal.Load(context.Background(), store, "fork")
	if err != nil {
		t.Fatal(err)
	}
	if fold.Session.Parent == nil || *fold.Session.Parent != (journal.Parent{Session: "s", Run: "r", Path: from}) {
		t.Errorf("from %s: the session's parent is %v", from, fold.Session.Parent)
	}
	state := map[string]any{}
	for key, value := range want.state {
		if key != "user:u" { // sessions share it
			state[key] = value
		}
	}
	delete(fold.State, "user:u")
	if diff := cmp.Diff([]any{want.output, state}, []any{got.output, fold.State}); diff != "" {
		t.Errorf("from %s (-want +got):\n%s", from, diff)
	}
}

// copyOf is a store with what another one has of session s.
func copyOf(t *testing.T, store journal.Store) journal.Store {
	t.Helper()
	other := memory.New()
	for e, err := range store.Read(context.Background(), "s", 1) {
		if err == nil {
			err = other.Append(context.Background(), "s", e.Seq, e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return other
}

func TestRetry_is_refused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", fails("broken")).does("ask", asks(workflow.Question{}))
		store := memory.New()
		run(l.build(t, "START -> b"), workflow.RunRequest{Store: store, Session: "s", Run: "fine"})
		run(l.build(t, "START -> ask"), workflow.RunRequest{Store: store, Session: "s", Run: "waits"})
		run(l.build(t, "START -> b -> a"), workflow.RunRequest{Store: store, Session: "s", Run: "broke"})
		before, _ := journal.Load(context.Background(), store, "s")
		for want, req := range map[string]workflow.RetryRequest{
			"completed, there is nothing to retry":               {Session: "s", Run: "fine"},
			"isn't over, it is waiting: resume or cancel it":     {Session: "s", Run: "waits"},
			"has no run nobody":                                  {Session: "s", Run: "nobody"},
			"there is no session nowhere":                        {Session: "nowhere", Run: "r"},
			"already has a run fine":                             {Session: "s", Run: "broke", As: "fine"},
			"can't go on with this workflow: there is no node b": {Session: "s", Run: "broke", As: "new"},
		} {
			req.Store = store
			got := collect(l.build(t, "START -> a").Retry(context.Background(), req))
			if codeOf(got.err) != workflow.CodeRequest || !strings.Contains(got.err.Error(), want) {
				t.Errorf("%v, want %s", got.err, want)
			}
		}
		if after, _ := journal.Load(context.Background(), store, "s"); after.Seq != before.Seq {
			t.Errorf("%d entries, there were %d", after.Seq, before.Seq)
		}
	})
}

// A retry may go on with a workflow that was mended, and has all attempts.
func TestRetry_with_another_workflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab().does("a", fails("broken"))
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{MaxAttempts: 2, Jitter: zero()}}
		run(l.build(t, "START -> b -> a"), workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "in"})
		mended := newLab().does("a", failsUntil(2))
		mended.config["a"] = l.config["a"]
		got := retry(mended.build(t, "START -> b -> a -> end"), store)
		if got.output != "end@1" || got.err != nil {
			t.Errorf("the retry gave %v, %v", got.output, got.err)
		}
		if diff := cmp.Diff([]string{"a@1", "a@1", "end@1"}, mended.paths()); diff != "" {
			t.Errorf("executed (-want +got):\n%s", diff)
		}
	})
}

// An agent goes on after its last finished turn, whose messages are those of the first run.
func TestRetry_of_an_agent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		a := &turns{n: 3, fail: 3}
		w := agentWorkflow(t, a, workflow.NodeConfig{})
		run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "in",
			Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: "in"}}}})
		a.fail = 0
		got := retry(w, store)
		if got.output != "in after 3 turns" || got.err != nil {
			t.Errorf("the retry gave %v, %v", got.output, got.err)
		}
		if diff := cmp.Diff([]string{"c1", "c2", "c3"}, a.called); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}

func fork(w *workflow.Workflow, store journal.Store, req workflow.ForkRequest) outcome {
	req.Store, req.Session, req.Run, req.As, req.Into = store, "s", "r", "r2", "fork"
	return collect(w.Fork(context.Background(), req))
}

func TestFork_with_edits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab().does("a", writes("k")).does("b", func(ctx *workflow.Context, input any) (workflow.Result, error) {
			k, _ := ctx.State().Get("k")
			gone, there := ctx.State().Get("gone")
			tmp, _ := ctx.State().Get("temp:t")
			return workflow.Result{Output: []any{input, k, gone, there, tmp}}, nil
		})
		w := l.build(t, "START -> a -> b")
		run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "in", State: map[string]any{"gone": true}})
		got := fork(w, store, workflow.ForkRequest{From: "b@1", Input: journal.Some("edited"),
			Set: map[string]any{"k": "mine", "temp:t": 1}, Delete: []string{"gone"}})
		if diff := cmp.Diff([]any{"edited", "mine", nil, false, int64(1)}, got.output); diff != "" || got.err != nil {
			t.Errorf("%v (-want +got):\n%s", got.err, diff)
		}
		for want, req := range map[string]workflow.ForkRequest{
			"the run r has no activation c@1 that started; it has a@1, b@1":    {From: "c@1"},
			`state "app:x": a fork doesn't edit what sessions share`:           {From: "b@1", Set: map[string]any{"app:x": 1}},
			`state "k": it is to be both set and deleted`:                      {From: "b@1", Set: map[string]any{"k": 1}, Delete: []string{"k"}},
			`state "kk": there is none to delete when b@1 begins, but gone, k`: {From: "b@1", Delete: []string{"kk"}},
			"there is a session fork already":                                  {From: "b@1"},
			"input: ":                                                          {From: "b@1", Input: journal.Some(func() {})},
		} {
			if got := fork(w, store, req); codeOf(got.err) != workflow.CodeRequest || !strings.Contains(got.err.Error(), want) {
				t.Errorf("%v, want %s", got.err, want)
			}
		}
	})
}

// A fork from the middle of an agent's conversation keeps the transcript, and has keys of its own.
func TestFork_of_an_agent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		a := &turns{n: 2}
		l := newLab()
		w, err := workflow.New("test",
			workflow.Chain(workflow.Start, l.node("first"), workflow.NewAgentNode(a, workflow.NodeConfig{}), l.node("last")))
		if err != nil {
			t.Fatal(err)
		}
		run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "in", Env: workflow.Env{IDs: ids("1")},
			Message: &journal.Msg{ID: "m0", Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: "in"}}}})
		got := fork(w, store, workflow.ForkRequest{From: "last@1"})
		if got.err != nil || len(a.called) != 2 {
			t.Errorf("%v, the agent called %v", got.err, a.called)
		}
		was, _ := journal.Load(context.Background(), store, "s")
		is, _ := journal.Load(context.Background(), store, "fork")
		if len(is.Thread(is.Tip, journal.View{})) != len(was.Thread(was.Tip, journal.View{})) {
			t.Errorf("the transcript has %d messages, want %d", len(is.Thread(is.Tip, journal.View{})), len(was.Thread(was.Tip, journal.View{})))
		}
		keys := map[string]int{}
		for _, c := range l.calls {
			keys[c.key]++
		}
		if len(keys) != 3 {
			t.Errorf("the keys of first@1, last@1 and last@1 of the fork are %v", keys)
		}
	})
}

// What waited for a person is asked anew, under an id of its own.
func TestFork_of_a_run_that_waits(t *testing.T) {
	d := newDesk(t, newLab().does("ask", asks(workflow.Question{})), "START -> ask -> J; START -> a -> b -> J")
	d.wants(d.begin("in"), "ask@1")
	var id string
	for id = range d.open {
	}
	got := d.saw(fork(d.workflow(), d.store, workflow.ForkRequest{From: "b@1"}))
	d.wants(got, "ask@1")
	if _, same := d.open[id]; same {
		t.Error("two runs ask under one id")
	}
	for id = range d.open {
	}
	got = resume(d.workflow(), workflow.ResumeRequest{Store: d.store, Session: "fork", Run: "r2",
		Answers: []workflow.Answer{{ID: id, Value: "yes"}}})
	d.completed(got, map[string]any{"ask": "yes", "b": "b@1"})
}

// A dynamic node that is taken up isn't told what another run of its session wrote under the same path.
func TestE46_children_of_another_run(t *testing.T) {
	l := newLab().does("ask", asks(workflow.Question{})).does("w", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{State: map[string]any{"by": ctx.RunID()}}, nil
	})
	l.schedules("d", func(run runChild) (any, error) {
		_, err := run("w", nil)
		if err != nil {
			return nil, err
		}
		return run("ask", nil)
	})
	l.dynamic["d"] = seesBy(l.dynamic["d"])
	d := newDesk(t, l, "START -> d")
	d.wants(d.begin(nil), "d@1/ask@1")
	open := d.open
	d.saw(run(d.workflow(), workflow.RunRequest{Store: d.store, Session: "s", Run: "other"}))
	d.open = open
	d.completed(d.answer(map[string]any{"d@1/ask@1": "yes"}), "r")
}

// seesBy is a body that gives, after the one inside of it, what the state holds under "by".
func seesBy(inside body) body {
	return func(ctx *workflow.Context, input any) (workflow.Result, error) {
		if res, err := inside(ctx, input); err != nil {
			return res, err
		}
		by, _ := ctx.State().Get("by")
		return workflow.Result{Output: by}, nil
	}
}
