package workflow_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// nestedScenarios are runs with graphs in graphs and lists, which the crash tests take up at every append.
func nestedScenarios() []scenario {
	gives := func(v any) body {
		return func(*workflow.Context, any) (workflow.Result, error) { return workflow.Result{Output: v}, nil }
	}
	echo := func(_ *workflow.Context, input any) (workflow.Result, error) {
		return workflow.Result{Output: input}, nil
	}
	return []scenario{
		{name: "nested chain", graph: "START -> a -> w -> b", setup: func(l *lab) { l.inner["w"] = "START -> x -> y" }, input: "in"},
		{name: "nested joins in a loop", graph: "START -> a -> w -> gate -[again]-> a; gate -[done]-> end", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> J; START -> y -> J; START -> J; J -> z"
			l.routes("gate", "again", "again", "done")
		}},
		{name: "nested three deep, with pure nodes", graph: "START -> w -> end", setup: func(l *lab) {
			l.inner["w"], l.inner["v"], l.inner["u"] = "START -> p -> v -> x", "START -> u -> y", "START -> z -> q"
			l.config["p"], l.config["q"] = pure(), pure()
		}},
		{name: "nested under caps", graph: "START -> w -> J; START -> a -> J; START -> b -> J; J -> end", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> K; START -> y -> K; START -> z -> K"
			l.opts["w"] = []workflow.Option{workflow.WithMaxConcurrency(2)}
		}, opts: []workflow.Option{workflow.WithMaxConcurrency(2)}},
		{name: "nested failure that is handled", graph: "START -> w -> end; w -[ERROR]-> fix", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> y; START -> z"
			l.does("x", fails("broken"))
		}},
		{name: "nested workflow that is retried", graph: "START -> w -> end", setup: func(l *lab) {
			l.inner["w"] = "START -> x -> y -> z"
			l.does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				if ctx.Path() != "w@1~3/y@1" {
					return workflow.Result{}, errors.New("not yet")
				}
				return workflow.Result{Output: "third time"}, nil
			})
			l.config["w"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
		}},
		{name: "list", graph: "START -> a -> w -> b", setup: func(l *lab) {
			l.does("a", gives([]any{"x", nil, int64(3), "x"})).does("item", echo)
			l.items["w"] = worker{body: "item"}
		}},
		{name: "list under a cap, with a retry", graph: "START -> a -> w -> b", setup: func(l *lab) {
			l.does("a", gives([]any{"x", "y", "z", "u", "v"}))
			l.does("item", failsUntil(2))
			l.items["w"] = worker{body: "item", max: 2}
			l.config["w"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
		}},
		{name: "empty list", graph: "START -> a -> w -> b", setup: func(l *lab) {
			l.does("a", gives([]any{}))
			l.items["w"] = worker{body: "item"}
		}},
		{name: "list of workflows in a workflow", graph: "START -> a -> v -> b", setup: func(l *lab) {
			l.does("a", gives([]any{"x", "y", "z"}))
			l.inner["v"], l.inner["item"] = "START -> w", "START -> s -> J; START -> t -> J; J -> u"
			l.items["w"] = worker{body: "item", max: 2}
		}, opts: []workflow.Option{workflow.WithMaxConcurrency(3)}},
		{name: "list with an item that fails", graph: "START -> a -> w -> b; w -[ERROR]-> fix", setup: func(l *lab) {
			l.does("a", gives([]any{"x", "y", "bad", "z"}))
			l.does("item", func(_ *workflow.Context, input any) (workflow.Result, error) {
				if input == "bad" {
					return workflow.Result{}, errors.New("broken")
				}
				return workflow.Result{Output: input}, nil
			})
			l.items["w"] = worker{body: "item", max: 1}
		}},
		{name: "list of pure items", graph: "START -> a -> w -> b", setup: func(l *lab) {
			l.does("a", gives([]any{"x", "y", "z"})).does("item", echo)
			l.config["item"] = pure()
			l.items["w"] = worker{body: "item"}
		}},
	}
}

// runNested lets a graph run in a bubble of time.
func runNested(t *testing.T, l *lab, graph string, req workflow.RunRequest, opts ...workflow.Option) (got outcome) {
	t.Helper()
	w := l.build(t, graph, opts...)
	synctest.Test(t, func(*testing.T) { got = run(w, req) })
	return got
}

func TestE1_E2_inner_graphs_count_for_themselves(t *testing.T) {
	l := newLab()
	l.inner["w"] = "START -> x -> y -[again]-> x; y -[done]-> z"
	l.routes("y", "again", "done").routes("gate", "again", "done")
	got := runNested(t, l, "START -> w -> gate -[again]-> w; gate -[done]-> end", workflow.RunRequest{})
	want := []string{
		"w@1/x@1", "w@1/y@1", "w@1/x@2", "w@1/y@2", "w@1/z@1", "gate@1",
		"w@2/x@1", "w@2/y@1", "w@2/x@2", "w@2/y@2", "w@2/z@1", "gate@2", "end@1",
	}
	if diff := cmp.Diff(want, l.paths()); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
	if got := l.input("gate@2"); got != "w@2/z@1" {
		t.Errorf("the output of the inner graph is %v", got)
	}
}

func TestE12_caps_count_leaves_at_any_depth(t *testing.T) {
	for _, tc := range []struct {
		name         string
		outer, inner int
		list         int
		want         int
	}{
		{"outer cap", 2, 0, 0, 2}, {"inner cap", 0, 2, 0, 3}, {"cap of the list", 0, 0, 1, 3},
		{"all", 1, 1, 1, 1}, {"none", 0, 0, 0, 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab()
			l.inner["w"] = "START -> x; START -> v"
			l.items["v"] = worker{body: "item", max: tc.list}
			l.opts["w"] = []workflow.Option{workflow.WithMaxConcurrency(tc.inner)}
			l.delay = func(string) time.Duration { return time.Second }
			got := runNested(t, l, "START -> w; START -> a", workflow.RunRequest{Input: []any{"1", "2", "3"}},
				workflow.WithMaxConcurrency(tc.outer))
			if got.err != nil || l.peak != tc.want {
				t.Errorf("%v; %d bodies executed at once, want %d", got.err, l.peak, tc.want)
			}
		})
	}
}

func TestE33_failure_inside_cancels_the_inner_graph_alone(t *testing.T) {
	l := newLab()
	l.inner["w"] = "START -> x; START -> y -> z"
	l.does("x", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{}, errors.Join(sleep(ctx, time.Second), errors.New("broken"))
	})
	l.delay = func(path string) time.Duration {
		if path == "w@1/x@1" {
			return 0
		}
		return 5 * time.Second
	}
	got := runNested(t, l, "START -> w -> end; w -[ERROR]-> fix; START -> a -> b", workflow.RunRequest{Store: memory.New()})
	want := []string{
		"failed w@1/x@1", "canceled w@1/y@1", "failed w@1", "completed a@1", "completed fix@1", "completed b@1",
		"run-completed",
	}
	kinds := []workflow.EventKind{workflow.NodeCompleted, workflow.NodeFailed, workflow.NodeCanceled, workflow.RunCompleted}
	if diff := cmp.Diff(want, got.of(kinds...)); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
	failure, _ := l.input("fix@1").(map[string]any)
	if failure["path"] != "w@1" || failure["message"] != "w@1/x@1: broken" || failure["code"] != "error" {
		t.Errorf("the handler got %v", failure)
	}
}

func TestE33_failure_inside_that_nobody_handles_ends_the_run(t *testing.T) {
	l := newLab()
	l.inner["w"], l.inner["v"] = "START -> v", "START -> x"
	l.does("x", fails("broken"))
	got := runNested(t, l, "START -> w -> end", workflow.RunRequest{})
	var failed *workflow.RunError
	if !errors.As(got.err, &failed) || failed.Path != "w@1" || failed.Error() != "w@1/v@1/x@1: broken" {
		t.Errorf("the run ended with %v", got.err)
	}
}

func TestE34_a_retry_runs_the_whole_inner_graph_again(t *testing.T) {
	l := newLab()
	l.inner["w"] = "START -> x -> y"
	l.does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if ctx.Path() == "w@1/y@1" {
			return workflow.Result{}, errors.New("broken")
		}
		return workflow.Result{Output: ctx.Path()}, nil
	})
	l.config["w"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
	got := runNested(t, l, "START -> w", workflow.RunRequest{})
	if diff := cmp.Diff([]string{"w@1/x@1", "w@1/y@1", "w@1~2/x@1", "w@1~2/y@1"}, l.paths()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.output != "w@1~2/y@1" {
		t.Errorf("output %v, %v", got.output, got.err)
	}
}

func TestE34_the_timeout_bounds_all_of_the_inner_graph(t *testing.T) {
	l := newLab()
	l.inner["w"] = "START -> x -> y -> z"
	l.delay = func(string) time.Duration { return 2 * time.Second }
	l.config["w"] = workflow.NodeConfig{Timeout: 3 * time.Second}
	got := runNested(t, l, "START -> w -[ERROR]-> fix", workflow.RunRequest{Store: memory.New()})
	failure, _ := l.input("fix@1").(map[string]any)
	if got.err != nil || failure["code"] != "timeout" {
		t.Errorf("the handler got %v, %v", failure, got.err)
	}
	if diff := cmp.Diff([]string{"w@1/x@1", "w@1/y@1", "fix@1"}, l.paths()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestE37_idempotency_keys_know_no_attempts(t *testing.T) {
	l := newLab()
	l.inner["w"] = "START -> x -> y"
	l.does("y", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if ctx.Path() == "w@1/y@1" {
			return workflow.Result{}, errors.New("broken")
		}
		return workflow.Result{}, nil
	})
	l.config["w"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
	runNested(t, l, "START -> w", workflow.RunRequest{})
	if len(l.calls) != 4 || l.calls[0].key != l.calls[2].key || l.calls[0].key == l.calls[1].key {
		t.Errorf("the calls had the keys %v", l.calls)
	}
}

// A dynamic node whose child is slow to obey is cancelled once, whatever around it ends meanwhile.
func TestE33_dynamic_node_below_two_graphs_that_end(t *testing.T) {
	l := newLab()
	l.inner["u"], l.inner["v"] = "START -> v; START -> b", "START -> d; START -> a"
	l.does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		return workflow.Result{}, errors.Join(sleep(ctx, time.Second), errors.New("broken"))
	})
	l.does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		<-ctx.Done()
		return workflow.Result{}, errors.New("canceled")
	})
	l.does("c", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		<-ctx.Done()
		time.Sleep(100 * time.Millisecond)
		return workflow.Result{}, ctx.Err()
	})
	l.schedules("d", func(run runChild) (any, error) { return run("c", nil) })
	for _, store := range []journal.Store{nil, memory.New()} {
		got := runNested(t, l, "START -> u", workflow.RunRequest{Store: store})
		if failed := (*workflow.RunError)(nil); !errors.As(got.err, &failed) || !strings.Contains(failed.Error(), "u@1/v@1/a@1: broken") {
			t.Errorf("the run ended with %v", got.err)
		}
	}
}
