package workflow_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Own writes are seen at once, by others when the activation ends.
func TestE54_visibility(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			if err := ctx.State().Set("k", []int{1, 2}); err != nil {
				t.Error(err)
			}
			if v, _ := ctx.State().Get("k"); !cmp.Equal(v, any([]any{int64(1), int64(2)})) {
				t.Errorf("own write reads as %v", v)
			}
			return workflow.Result{}, sleep(ctx, 2*time.Second)
		})
		l.does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			_, early := ctx.State().Get("k")
			err := sleep(ctx, 3*time.Second)
			_, late := ctx.State().Get("k")
			return workflow.Result{Output: []bool{early, late}}, err
		})
		got := run(l.build(t, "START -> a; START -> b"), workflow.RunRequest{})
		if diff := cmp.Diff(any([]any{false, true}), got.output); diff != "" {
			t.Error(diff)
		}
	})
}

func TestE54_All_is_a_snapshot(t *testing.T) {
	l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		before := ctx.State().All()
		ctx.State().Delete("old")
		if err := ctx.State().Set("new", 1); err != nil {
			return workflow.Result{}, err
		}
		if diff := cmp.Diff(map[string]any{"old": "o"}, before); diff != "" {
			t.Errorf("the snapshot changed: %s", diff)
		}
		return workflow.Result{Output: ctx.State().All()}, nil
	})
	got := run(l.build(t, "START -> a"), workflow.RunRequest{State: map[string]any{"old": "o"}})
	if diff := cmp.Diff(any(map[string]any{"new": int64(1)}), got.output); diff != "" {
		t.Error(diff)
	}
}

// What others commit doesn't change a snapshot that was taken before.
func TestE54_All_is_not_changed_by_others(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", writes("a")).does("c", writes("c"))
		l.delay = func(path string) time.Duration {
			if path == "c@1" {
				return time.Millisecond
			}
			return 0
		}
		l.does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			all := ctx.State().All()
			err := sleep(ctx, time.Second)
			return workflow.Result{Output: len(all)}, err
		})
		got := run(l.build(t, "START -> a -> b -> d; a -> c -[x]-> d"), workflow.RunRequest{})
		if in := l.input("d@1"); in != int64(1) || got.err != nil {
			t.Errorf("b saw %v keys, %v", in, got.err)
		}
	})
}

func TestE54_values_without_JSON_form(t *testing.T) {
	l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{}, ctx.State().Set("f", func() {})
	})
	l.does("b", func(*workflow.Context, any) (workflow.Result, error) {
		return workflow.Result{State: map[string]any{"f": func() {}}}, nil
	})
	for _, graph := range []string{"START -> a", "START -> b"} {
		if got := run(l.build(t, graph), workflow.RunRequest{}); codeOf(got.err) != workflow.CodeOutputValue {
			t.Error(got.err)
		}
	}
	if got := run(l.build(t, "START -> a"), workflow.RunRequest{State: map[string]any{"f": func() {}}}); codeOf(got.err) != workflow.CodeRequest {
		t.Error(got.err)
	}
}

// Each prefix has its life: the session's keys stay with it, app: and user: keys reach other sessions, temp: ends with
// the run.
func TestE54_prefixes(t *testing.T) {
	store := memory.New()
	set := newLab().does("a", func(*workflow.Context, any) (workflow.Result, error) {
		return workflow.Result{State: map[string]any{"own": 1, "app:a": 2, "user:u": 3, "temp:t": 4}}, nil
	}).does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{Output: ctx.State().All()}, nil
	})
	see := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{Output: ctx.State().All()}, nil
	})
	first := run(set.build(t, "START -> a -> b"),
		workflow.RunRequest{Store: store, Session: "s1", App: "app", User: "ann", State: map[string]any{"init": 0}})
	want := map[string]any{"init": int64(0), "own": int64(1), "app:a": int64(2), "user:u": int64(3), "temp:t": int64(4)}
	if diff := cmp.Diff(any(want), first.output); diff != "" {
		t.Fatalf("in the run: %s%v", diff, first.err)
	}
	for _, tc := range []struct {
		name string
		req  workflow.RunRequest
		want map[string]any
	}{
		{"the next run of the session", workflow.RunRequest{Session: "s1"},
			map[string]any{"init": int64(0), "own": int64(1), "app:a": int64(2), "user:u": int64(3)}},
		{"another session of the user", workflow.RunRequest{Session: "s2", App: "app", User: "ann"},
			map[string]any{"app:a": int64(2), "user:u": int64(3)}},
		{"another user", workflow.RunRequest{Session: "s3", App: "app", User: "bob"}, map[string]any{"app:a": int64(2)}},
		{"another application", workflow.RunRequest{Session: "s4", App: "other", User: "ann"}, map[string]any{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.req.Store = store
			got := run(see.build(t, "START -> a"), tc.req)
			if diff := cmp.Diff(any(tc.want), got.output); diff != "" || got.err != nil {
				t.Errorf("%s%v", diff, got.err)
			}
		})
	}
}

// A deleted shared key is gone for others, too.
func TestE54_shared_keys_can_be_deleted(t *testing.T) {
	store := memory.New()
	for i, value := range []any{"x", nil} {
		l := newLab().does("a", func(*workflow.Context, any) (workflow.Result, error) {
			return workflow.Result{State: map[string]any{"app:k": value}}, nil
		})
		if got := run(l.build(t, "START -> a"), workflow.RunRequest{Store: store, App: "app"}); got.err != nil {
			t.Fatal(i, got.err)
		}
	}
	item, err := store.Get(context.Background(), "app:app", "k")
	if err != nil || item.Value.Present() {
		t.Errorf("still %v, %v", item.Value, err)
	}
}

// What a session once wrote for all is not what it sees for ever.
func TestE54_shared_keys_are_read_anew(t *testing.T) {
	store := memory.New()
	for i, step := range []struct {
		session string
		value   any
		want    any
	}{{"s1", "x", nil}, {"s2", nil, "x"}, {"s1", "y", nil}, {"s2", "z", "y"}, {"s1", nil, "z"}} {
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			before, _ := ctx.State().Get("app:k")
			return workflow.Result{Output: []any{before}, State: map[string]any{"app:k": step.value}}, nil
		})
		got := run(l.build(t, "START -> a"), workflow.RunRequest{Store: store, Session: step.session, App: "app"})
		if diff := cmp.Diff(any([]any{step.want}), got.output); diff != "" || got.err != nil {
			t.Errorf("step %d: %s%v", i, diff, got.err)
		}
	}
}

func TestE54_a_session_begins_with_its_own_keys_only(t *testing.T) {
	for _, key := range []string{"app:k", "user:k", "temp:k"} {
		got := run(newLab().build(t, "START -> a"), workflow.RunRequest{State: map[string]any{key: 1}})
		if codeOf(got.err) != workflow.CodeRequest {
			t.Errorf("%s: %v", key, got.err)
		}
	}
}

// Of two activations that write a key without knowing of each other, the one that was triggered later wins, whoever is
// faster.
func TestE55_S1_concurrent_writers(t *testing.T) {
	for _, slow := range []string{"a@1", "b@1"} {
		synctest.Test(t, func(t *testing.T) {
			store := memory.New()
			l := newLab().does("a", writes("k")).does("b", writes("k"))
			l.delay = func(path string) time.Duration {
				if path == slow {
					return 2 * time.Second
				}
				return time.Second
			}
			got := run(l.build(t, "START -> a; START -> b"), workflow.RunRequest{Store: store, Session: "s"})
			fold, err := journal.Load(context.Background(), store, "s")
			if err != nil || fold.State["k"] != "b@1" {
				t.Errorf("%s slow: k = %v, %v", slow, fold.State["k"], err)
			}
			if diff := cmp.Diff([]string{"state-conflict a@1"}, got.notes()); diff != "" {
				t.Errorf("%s slow: %s", slow, diff)
			}
			data, _ := got.last().Warnings[0].Data.(map[string]any)
			if diff := cmp.Diff(map[string]any{"key": "k", "winner": "b@1", "loser": "a@1"}, data); diff != "" {
				t.Errorf("%s slow: %s", slow, diff)
			}
		})
	}
}

// One after the other is no conflict, and neither is writing the same.
func TestE55_no_conflict(t *testing.T) {
	same := func(*workflow.Context, any) (workflow.Result, error) {
		return workflow.Result{State: map[string]any{"k": "same"}}, nil
	}
	for graph, l := range map[string]*lab{
		"START -> a -> b":         newLab().does("a", writes("k")).does("b", writes("k")),
		"START -> a; START -> b":  newLab().does("a", same).does("b", same),
		"START -> a; START -> c ": newLab().does("a", writes("k")).does("c", writes("other")),
	} {
		if got := run(l.build(t, graph), workflow.RunRequest{}); len(got.notes()) > 0 {
			t.Errorf("%s: %v", graph, got.notes())
		}
	}
}

// What was committed before an attempt began is no conflict, also when that attempt goes on after a restart.
func TestE55_a_later_attempt_knows_more(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab().does("b", writes("k"))
		l.does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			if ctx.Attempt() == 1 {
				return workflow.Result{}, errBroken
			}
			return workflow.Result{State: map[string]any{"k": ctx.Path()}}, sleep(ctx, time.Minute)
		})
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: 10 * time.Second, Jitter: zero()}}
		w := l.build(t, "START -> a; START -> b")
		suspendAfter(w, 20*time.Second, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		fold, err := journal.Load(context.Background(), store, "s")
		if err != nil || fold.State["k"] != "a@1" || len(got.notes()) > 0 {
			t.Errorf("k = %v, notes %v, %v", fold.State["k"], got.notes(), err)
		}
	})
}

// The rule holds across a restart: what was committed before the process died is compared all the same.
func TestE55_across_a_restart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		build := func(slow time.Duration) *workflow.Workflow {
			l := newLab().does("a", writes("k")).does("b", writes("k"))
			l.delay = func(path string) time.Duration {
				if path == "a@1" {
					return slow
				}
				return time.Second
			}
			return l.build(t, "START -> a; START -> b")
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		time.AfterFunc(2*time.Second, func() { cancel(workflow.ErrSuspend) })
		watch(build(time.Hour), ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		got := resume(build(0), workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		fold, err := journal.Load(context.Background(), store, "s")
		if err != nil || fold.State["k"] != "b@1" {
			t.Errorf("k = %v, %v", fold.State["k"], err)
		}
		if diff := cmp.Diff([]string{"state-conflict a@1"}, got.notes()); diff != "" {
			t.Error(diff)
		}
	})
}
