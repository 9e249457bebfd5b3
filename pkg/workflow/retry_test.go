package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// retrying is a node configuration whose pauses are exact.
func retrying() workflow.NodeConfig {
	return workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
}

// Output, routes and writes of a failed attempt don't count, what the last one gives does (X4).
func TestE30_failed_attempts_leave_nothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			key := fmt.Sprintf("attempt%d", ctx.Attempt())
			if err := ctx.State().Set(key, true); err != nil {
				return workflow.Result{}, err
			}
			res := workflow.Result{Output: ctx.Attempt(), Routes: []string{"r"}, State: map[string]any{key + "b": true}}
			if ctx.Attempt() < 3 {
				return res, errors.New("not yet")
			}
			return res, nil
		})
		l.config["a"] = retrying()
		l.does("b", func(ctx *workflow.Context, in any) (workflow.Result, error) {
			return workflow.Result{Output: map[string]any{"in": in, "state": ctx.State().All()}}, nil
		})
		got := run(l.build(t, "START -> a -[r]-> b"), workflow.RunRequest{})
		want := map[string]any{"in": int64(3), "state": map[string]any{"attempt3": true, "attempt3b": true}}
		if diff := cmp.Diff(any(want), got.output); diff != "" {
			t.Error(diff)
		}
	})
}

func TestE31_what_is_retried(t *testing.T) {
	refuse := schema(func(any) error { return errors.New("no") })
	for _, tc := range []struct {
		name string
		body body
		cfg  workflow.NodeConfig
		code workflow.Code
		want int
	}{
		{"plain error", fails("x"), workflow.NodeConfig{Retry: &workflow.RetryConfig{MaxAttempts: 3}}, workflow.CodeError, 3},
		{"five by default", fails("x"), retrying(), workflow.CodeError, 5},
		{"no retry", fails("x"), workflow.NodeConfig{}, workflow.CodeError, 1},
		{"terminal", func(*workflow.Context, any) (workflow.Result, error) {
			return workflow.Result{}, fmt.Errorf("wrapped: %w", workflow.Terminal(workflow.Errorf("mine", "x")))
		}, retrying(), "mine", 1},
		{"input schema", nil, workflow.NodeConfig{Retry: &workflow.RetryConfig{}, InputSchema: refuse},
			workflow.CodeInputSchema, 0},
		{"output schema", nil, workflow.NodeConfig{Retry: &workflow.RetryConfig{}, OutputSchema: refuse},
			workflow.CodeOutputSchema, 5},
		{"no JSON form", func(*workflow.Context, any) (workflow.Result, error) {
			return workflow.Result{Output: func() {}}, nil
		}, retrying(), workflow.CodeOutputValue, 1},
		{"when says no", fails("x"), workflow.NodeConfig{Retry: &workflow.RetryConfig{
			When: func(_ *workflow.Context, e *workflow.NodeError) (bool, error) { return e.Attempts < 2, nil }}},
			workflow.CodeError, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab().does("a", tc.body)
				l.config["a"] = tc.cfg
				got := run(l.build(t, "START -> a"), workflow.RunRequest{})
				if codeOf(got.err) != tc.code || len(l.calls) != tc.want {
					t.Errorf("%d attempts, ended with %v (%s)", len(l.calls), got.err, codeOf(got.err))
				}
			})
		})
	}
}

// schema makes a validator of a function.
type schema func(any) error

func (s schema) Validate(v any) error { return s(v) }

func TestE31_when_that_fails_means_no_and_is_noted(t *testing.T) {
	for _, bad := range []func() (bool, error){
		func() (bool, error) { return true, errors.New("no such key") },
		func() (bool, error) { panic("no such key") },
	} {
		l := newLab().does("a", fails("x"))
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{
			When: func(*workflow.Context, *workflow.NodeError) (bool, error) { return bad() }}}
		got := run(l.build(t, "START -> a"), workflow.RunRequest{})
		if diff := cmp.Diff([]string{"retry-when a@1"}, got.notes()); diff != "" || len(l.calls) != 1 {
			t.Errorf("%d attempts\n%s", len(l.calls), diff)
		}
	}
}

// Retry goes first, then the ERROR edges, and they alone.
func TestE31_retry_then_ERROR_edges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", func(*workflow.Context, any) (workflow.Result, error) {
			return workflow.Result{Routes: []string{"x"}}, workflow.Errorf("cel-error", "no such key: %w", errors.New("k"))
		})
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{MaxAttempts: 2, Jitter: zero()},
			Input: func(*workflow.Context) (any, error) { return map[string]any{"shaped": true}, nil }}
		got := run(l.build(t, "START -> a -> b; a -[x]-> c; a -[DEFAULT]-> d; a -[ERROR]-> e"), workflow.RunRequest{Input: "raw"})
		if diff := cmp.Diff([]string{"a@1", "a@1", "e@1"}, l.paths()); diff != "" || got.output != "e@1" {
			t.Errorf("output %v, %v\n%s", got.output, got.err, diff)
		}
		want := map[string]any{"message": "no such key: k", "type": "error", "code": "cel-error", "node": "a",
			"path": "a@1", "attempts": int64(2), "input": map[string]any{"shaped": true}}
		if diff := cmp.Diff(any(want), l.input("e@1")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestE32_delays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", fails("x"))
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{MaxAttempts: 9, Jitter: zero()}}
		got := run(l.build(t, "START -> a"), workflow.RunRequest{})
		var delays []time.Duration
		for _, e := range got.events {
			if e.Kind == workflow.NodeRetrying {
				delays = append(delays, e.Delay/time.Second)
			}
		}
		if diff := cmp.Diff([]time.Duration{1, 2, 4, 8, 16, 32, 60, 60}, delays); diff != "" {
			t.Error(diff)
		}
	})
}

// With jitter a delay is never longer than max_delay (D27).
func TestE32_jitter_stays_within_bounds(t *testing.T) {
	for _, tc := range []struct {
		random float64
		want   time.Duration
	}{{0, 0}, {0.25, 20 * time.Second}, {0.5, 40 * time.Second}, {0.999, time.Minute}} {
		synctest.Test(t, func(t *testing.T) {
			l := newLab().does("a", failsUntil(2))
			l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: 40 * time.Second}}
			began := time.Now()
			run(l.build(t, "START -> a"), workflow.RunRequest{Env: workflow.Env{Rand: func() float64 { return tc.random }}})
			if took := time.Since(began); took != tc.want {
				t.Errorf("random %v: %v, want %v", tc.random, took, tc.want)
			}
		})
	}
}

// The process dies while a pause runs: the rest of it is waited, and counting goes on.
func TestE32_T1_killed_in_a_pause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		build := func() (*lab, *workflow.Workflow) {
			l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				_ = ctx.State().Set("by", ctx.Attempt())
				if ctx.Attempt() < 3 {
					return workflow.Result{Output: "wrong"}, errors.New("not yet")
				}
				return workflow.Result{Output: ctx.Attempt()}, nil
			})
			l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: 10 * time.Second, Jitter: zero()}}
			return l, l.build(t, "START -> a")
		}
		began := time.Now()
		_, w := build()
		faulty := storetest.NewFaulty(store, 4, storetest.Before) // session, start, first failure, start of attempt 2
		if got := run(w, workflow.RunRequest{Store: faulty, Session: "s", Run: "r"}); codeOf(got.err) != workflow.CodeJournal {
			t.Fatal(got.err)
		}
		if err := sleep(t.Context(), 3*time.Second); err != nil {
			t.Fatal(err)
		}
		l, w := build()
		got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if got.output != int64(3) || len(l.calls) != 2 || l.calls[0].attempt != 2 {
			t.Errorf("output %v, %v, calls %v", got.output, got.err, l.calls)
		}
		// 10 s before attempt 2, which the dead process had reached, then at once; 20 s before attempt 3.
		if took := time.Since(began); took != 33*time.Second {
			t.Errorf("took %v", took)
		}
		fold, err := journal.Load(context.Background(), store, "s")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]any{"by": int64(3)}, fold.State); diff != "" {
			t.Error(diff)
		}
	})
}

// The rest of a pause is waited by the next process.
func TestE32_the_rest_of_a_pause_is_waited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab().does("a", failsUntil(2))
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: 10 * time.Second, Jitter: zero()}}
		w := l.build(t, "START -> a")
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		time.AfterFunc(4*time.Second, func() { cancel(workflow.ErrSuspend) })
		began := time.Now()
		watch(w, ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if took := time.Since(began); took != 10*time.Second || got.output != "a@1" {
			t.Errorf("took %v, output %v, %v", took, got.output, got.err)
		}
	})
}

func TestE36_timeout_of_one_attempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			if ctx.Attempt() == 3 {
				return workflow.Result{Output: "in time"}, nil
			}
			if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) != 5*time.Second {
				t.Errorf("deadline in %v, %v", time.Until(deadline), ok)
			}
			<-ctx.Done()
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.Errorf("the context says %v", ctx.Err())
			}
			return workflow.Result{Output: "late", State: map[string]any{"late": true}}, nil // discarded (D28)
		})
		l.config["a"] = workflow.NodeConfig{Timeout: 5 * time.Second,
			Retry: &workflow.RetryConfig{InitialDelay: time.Second, Jitter: zero()}}
		began := time.Now()
		got := run(l.build(t, "START -> a"), workflow.RunRequest{})
		if took := time.Since(began); got.output != "in time" || took != 13*time.Second {
			t.Errorf("output %v after %v, %v", got.output, took, got.err)
		}
		for _, e := range got.events {
			if e.Kind == workflow.NodeRetrying && e.Err.Code != workflow.CodeTimeout {
				t.Errorf("failed with %s", e.Err.Code)
			}
		}
	})
}

// A timeout is worth another attempt, whatever the body makes of it.
func TestE36_a_timeout_is_never_terminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			if ctx.Attempt() == 2 {
				return workflow.Result{Output: "in time"}, nil
			}
			<-ctx.Done()
			return workflow.Result{}, workflow.Terminal(workflow.Errorf("mine", "gave up: %w", ctx.Err()))
		})
		l.config["a"] = workflow.NodeConfig{Timeout: time.Minute, Retry: &workflow.RetryConfig{}}
		got := run(l.build(t, "START -> a"), workflow.RunRequest{})
		if got.output != "in time" || got.events[2].Err.Code != workflow.CodeTimeout {
			t.Errorf("output %v, %v", got.output, got.err)
		}
	})
}

// A body that was left behind can do nothing to the run that goes on without it.
func TestE36_an_abandoned_body_in_a_run_that_goes_on(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var late error
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			time.Sleep(time.Hour)
			ctx.Emit(workflow.Progress{Text: "late"})
			late = ctx.Commit(journal.Msg{Role: journal.RoleModel})
			return workflow.Result{Output: "late", State: map[string]any{"late": true}}, nil
		})
		l.config["a"] = workflow.NodeConfig{Timeout: time.Minute}
		l.does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			return workflow.Result{Output: "b"}, sleep(ctx, 2*time.Hour)
		})
		got := run(l.build(t, "START -> a -[ERROR]-> b; a -> c"), workflow.RunRequest{Store: memory.New()})
		if got.output != "b" || codeOf(got.err) != "" {
			t.Errorf("output %v, %v", got.output, got.err)
		}
		if late == nil || len(got.of(workflow.Progressed, workflow.MessageAdded)) > 0 {
			t.Errorf("the commit ended with %v, seen: %v", late, got.of(workflow.Progressed, workflow.MessageAdded))
		}
	})
}

// A body that ignores its timeout is left behind after the grace time; it can neither give nor write anything any more.
func TestE36_a_body_that_ignores_its_timeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := make(chan error, 1)
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			time.Sleep(time.Hour)
			ctx.Emit(workflow.Progress{Text: "late"})
			late <- ctx.Commit(journal.Msg{Role: journal.RoleModel})
			return workflow.Result{Output: "late"}, nil
		})
		l.config["a"] = workflow.NodeConfig{Timeout: time.Minute}
		began := time.Now()
		got := run(l.build(t, "START -> a; a -[ERROR]-> b"), workflow.RunRequest{Store: memory.New()})
		if took := time.Since(began); got.output != "b@1" || took != 61*time.Second {
			t.Errorf("output %v after %v, %v", got.output, took, got.err)
		}
		if diff := cmp.Diff([]string{"abandoned a@1"}, got.notes()); diff != "" {
			t.Error(diff)
		}
		if err := <-late; err == nil {
			t.Error("an abandoned body could commit")
		}
	})
}

// Whether an attempt was in time is decided when its body returns, however late its end is taken note of.
func TestE36_an_attempt_that_returned_in_time_is_no_timeout(t *testing.T) {
	for _, tc := range []struct {
		name, graph   string
		deterministic bool
		slow          string
	}{
		{"slow reader", "START -> a; START -> b", false, ""},
		{"slow reader, nested", "START -> b; START -> w", false, ""},
		{"another node takes long", "START -> a; START -> slow", true, "slow@1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab()
				l.inner["w"] = "START -> x"
				for _, node := range []string{"a", "b", "w", "x", "y"} {
					l.config[node] = workflow.NodeConfig{Timeout: 10 * time.Second}
				}
				l.delay = func(path string) time.Duration { return map[string]time.Duration{tc.slow: 20 * time.Second}[path] }
				w := l.build(t, tc.graph)
				for e, err := range w.Run(t.Context(), workflow.RunRequest{Env: workflow.Env{Deterministic: tc.deterministic}}) {
					if err != nil {
						t.Fatal(err)
					}
					if e.Kind == workflow.NodeCompleted && tc.slow == "" {
						time.Sleep(20 * time.Second)
					}
				}
			})
		})
	}
}
