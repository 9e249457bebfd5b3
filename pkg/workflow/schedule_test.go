package workflow_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/workflow"
)

func TestE1_E2_ids_count_activations_per_node(t *testing.T) {
	l := newLab().routes("gate", "again", "again")
	run(l.build(t, "START -> a -> gate -[again]-> a; gate -[done]-> end"), workflow.RunRequest{})
	want := []string{"a@1", "gate@1", "a@2", "gate@2", "a@3", "gate@3"}
	if diff := cmp.Diff(want, l.paths()); diff != "" {
		t.Error(diff)
	}
}

func TestE5_completions_are_taken_in_their_order(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.delay = func(path string) time.Duration {
			return map[string]time.Duration{"a@1": 3 * time.Second, "b@1": 2 * time.Second, "c@1": time.Second}[path]
		}
		got := run(l.build(t, "START -> a; START -> b; START -> c"), workflow.RunRequest{})
		want := []string{"completed c@1", "completed b@1", "completed a@1"}
		if diff := cmp.Diff(want, got.of(workflow.NodeCompleted)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestE5_deterministic_mode_takes_them_in_trigger_order(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.delay = func(path string) time.Duration {
			return map[string]time.Duration{"a@1": 3 * time.Second, "b@1": 2 * time.Second, "c@1": time.Second}[path]
		}
		got := run(l.build(t, "START -> a; START -> b; START -> c"), workflow.RunRequest{Env: workflow.Env{Deterministic: true}})
		want := []string{"completed a@1", "completed b@1", "completed c@1"}
		if diff := cmp.Diff(want, got.of(workflow.NodeCompleted)); diff != "" {
			t.Error(diff)
		}
	})
}

// Triggers of a busy node wait for their turn, also while it is between two attempts (D1).
func TestE6_one_activation_of_a_node_at_a_time(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		active, broken := 0, false
		l.does("d", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			active++
			broken = broken || active > 1
			defer func() { active-- }()
			if ctx.Path() == "d@1" && ctx.Attempt() == 1 {
				return workflow.Result{}, fmt.Errorf("once")
			}
			return workflow.Result{}, sleep(ctx, time.Second)
		})
		l.config["d"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
		run(l.build(t, "START -> a -> d; START -> b -> d; START -> c -> d"), workflow.RunRequest{})
		var order []string
		for _, c := range l.calls {
			if strings.HasPrefix(c.path, "d") {
				order = append(order, fmt.Sprint(c.path, " ", c.attempt))
			}
		}
		if diff := cmp.Diff([]string{"d@1 1", "d@1 2", "d@2 1", "d@3 1"}, order); diff != "" || broken {
			t.Errorf("overlap: %v\n%s", broken, diff)
		}
	})
}

func TestE11_plain_fan_in_runs_once_per_trigger(t *testing.T) {
	l := newLab()
	run(l.build(t, "START -> a -> d; START -> b -> d", workflow.WithMaxConcurrency(1)), workflow.RunRequest{})
	if l.input("d@1") != "a@1" || l.input("d@2") != "b@1" {
		t.Errorf("d@1 got %v, d@2 got %v", l.input("d@1"), l.input("d@2"))
	}
}

func TestE12_the_cap_counts_leaves_that_execute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.delay = func(string) time.Duration { return time.Second }
		l.does("r", failsUntil(2))
		l.config["r"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: time.Hour, MaxDelay: time.Hour,
			Jitter: zero()}}
		l.config["p"] = pure()
		l.delay = func(path string) time.Duration {
			if path == "p@1" {
				return 0
			}
			return time.Second
		}
		w := l.build(t, "START -> r; START -> a; START -> b; START -> c; START -> d; START -> p",
			workflow.WithMaxConcurrency(2))
		began := time.Now()
		got := run(w, workflow.RunRequest{})
		if l.peak > 2 {
			t.Errorf("%d bodies at once, the cap is 2", l.peak)
		}
		// r pauses for an hour without a slot: the others don't wait for it.
		var lastOther time.Time
		for _, e := range got.events {
			if e.Kind == workflow.NodeCompleted && e.Node != "r" {
				lastOther = e.At
			}
		}
		if took := lastOther.Sub(began); took > time.Minute {
			t.Errorf("the others took %v", took)
		}
		if first := got.of(workflow.NodeCompleted)[0]; first != "completed p@1" {
			t.Errorf("the pure node waited for a slot: %s came first", first)
		}
	})
}

func TestE12_cap_1_gives_trigger_order(t *testing.T) {
	l := newLab()
	w := l.build(t, "START -> c -> x; START -> a -> y; START -> b -> z", workflow.WithMaxConcurrency(1))
	run(w, workflow.RunRequest{})
	if diff := cmp.Diff([]string{"c@1", "a@1", "b@1", "x@1", "y@1", "z@1"}, l.paths()); diff != "" {
		t.Error(diff)
	}
}

func TestE13_limits_end_the_run(t *testing.T) {
	const loop = "START -> a -> gate -[again]-> a; gate -[done]-> end"
	again := strings.Split(strings.Repeat("again ", 50), " ")
	for _, tc := range []struct {
		name   string
		limits workflow.Limits
		visits int
		path   string
		text   string
	}{
		{"max_steps", workflow.Limits{MaxSteps: 7}, 0, "gate@4", "max_steps is 7"},
		{"max_visits", workflow.Limits{MaxVisits: 3}, 0, "a@4", "max_visits of a is 3"},
		{"max_visits of the node", workflow.Limits{MaxVisits: 3}, 2, "a@3", "max_visits of a is 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab().routes("gate", again...)
			l.config["a"] = workflow.NodeConfig{MaxVisits: tc.visits}
			got := run(l.build(t, loop+"; a -[ERROR]-> end"), workflow.RunRequest{Env: workflow.Env{Limits: tc.limits}})
			if codeOf(got.err) != workflow.CodeLimit || !strings.Contains(got.err.Error(), tc.text) ||
				!strings.Contains(got.err.Error(), tc.path) {
				t.Errorf("ended with %v", got.err)
			}
			if got.last().Kind != workflow.RunFailed || l.input(tc.path) != "never called" {
				t.Errorf("last event %s, %s got %v", got.last().Kind, tc.path, l.input(tc.path))
			}
		})
	}
}

func TestE13_max_duration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.delay = func(string) time.Duration { return time.Minute }
		began := time.Now()
		got := run(l.build(t, "START -> a -> b -> c"),
			workflow.RunRequest{Env: workflow.Env{Limits: workflow.Limits{MaxDuration: 90 * time.Second}}})
		if codeOf(got.err) != workflow.CodeLimit || !strings.Contains(got.err.Error(), "max_duration is 1m30s") {
			t.Errorf("ended with %v", got.err)
		}
		if took := time.Since(began); took != 90*time.Second {
			t.Errorf("ended after %v", took)
		}
	})
}

func TestE14_a_panic_is_a_failed_attempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, p := range []bool{false, true} {
			l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				if ctx.Attempt() == 1 {
					panic("ouch")
				}
				return workflow.Result{Output: ctx.Attempt()}, nil
			})
			l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{}, Pure: p}
			got := run(l.build(t, "START -> a"), workflow.RunRequest{})
			if got.output != int64(2) {
				t.Fatalf("pure %v: output %v, %v", p, got.output, got.err)
			}
			for _, e := range got.events {
				if e.Kind == workflow.NodeRetrying && (e.Err.Code != workflow.CodePanic || e.Err.Message != "panic: ouch") {
					t.Errorf("pure %v: %s %s", p, e.Err.Code, e.Err.Message)
				}
			}
		}
	})
}
