package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// schedules makes a body that runs the children that fn asks for.
func (l *lab) schedules(name string, fn func(run runChild) (any, error)) {
	l.dynamic[name] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		out, err := fn(func(child string, input any, opts ...workflow.RunOption) (any, error) {
			return workflow.RunNode(ctx, l.node(child), input, opts...)
		})
		return workflow.Result{Output: out}, err
	}
}

type runChild = func(child string, input any, opts ...workflow.RunOption) (any, error)

func dynamicScenarios() []scenario {
	echo := func(_ *workflow.Context, input any) (workflow.Result, error) {
		return workflow.Result{Output: input}, nil
	}
	return []scenario{
		{name: "dynamic, one child after the other", graph: "START -> d -> end", setup: func(l *lab) {
			l.does("x", echo)
			l.schedules("d", func(run runChild) (any, error) {
				var all []any
				for i := range 4 {
					out, err := run("x", int64(i%2))
					if err != nil {
						return nil, err
					}
					all = append(all, out)
				}
				last, err := run("y", all)
				return append(all, last), err
			})
		}},
		{name: "T3: children from two goroutines", graph: "START -> a -> d -> end", setup: func(l *lab) {
			l.does("x", echo)
			l.schedules("d", func(run runChild) (any, error) {
				results := make([]any, 2)
				errs := make([]error, 2)
				var both sync.WaitGroup
				for i := range 2 {
					both.Go(func() { results[i], errs[i] = run("x", []any{"x", "y"}[i]) })
				}
				both.Wait()
				return results, errors.Join(errs...)
			})
		}},
		{name: "dynamic with a graph and a list inside", graph: "START -> d -> end", setup: func(l *lab) {
			l.inner["w"] = "START -> s -> J; START -> t -> J; START -> J; J -> u"
			l.items["each"] = worker{body: "x", max: 1}
			l.does("x", echo)
			l.schedules("d", func(run runChild) (any, error) {
				first, err := run("w", "in")
				second, err2 := run("each", []any{first, "b", "c"})
				third, err3 := run("w", second, workflow.WithRunID("again"))
				return []any{first, second, third}, errors.Join(err, err2, err3)
			})
		}},
		{name: "dynamic within dynamic", graph: "START -> d -> end", setup: func(l *lab) {
			l.does("x", echo)
			l.schedules("e", func(run runChild) (any, error) {
				a, err := run("x", "1")
				b, err2 := run("x", "2")
				return []any{a, b}, errors.Join(err, err2)
			})
			l.schedules("d", func(run runChild) (any, error) {
				a, err := run("e", nil)
				b, err2 := run("e", nil)
				return []any{a, b}, errors.Join(err, err2)
			})
		}},
		{name: "a child that fails, and another in its place", graph: "START -> d -> end", setup: func(l *lab) {
			l.does("x", fails("broken")).does("y", echo)
			l.schedules("d", func(run runChild) (any, error) {
				_, err := run("x", nil)
				var failed *workflow.NodeError
				if !errors.As(err, &failed) || failed.Path != "d@1/x@1" {
					return nil, fmt.Errorf("x gave %w", err)
				}
				return run("y", failed.Message)
			})
		}},
		{name: "state in children", graph: "START -> a -> d -> end", setup: func(l *lab) {
			l.does("a", writes("k")).does("x", writes("k")).does("y", writes("l"))
			l.dynamic["d"] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				before, _ := ctx.State().Get("k")
				if _, err := workflow.RunNode(ctx, l.node("x"), nil); err != nil {
					return workflow.Result{}, err
				}
				between, _ := ctx.State().Get("k")
				if _, err := workflow.RunNode(ctx, l.node("y"), nil); err != nil {
					return workflow.Result{}, err
				}
				after := ctx.State().All()
				return workflow.Result{Output: []any{before, between, after["k"], after["l"]}, State: map[string]any{"k": "own"}}, nil
			}
		}},
		{name: "dynamic, the routes of children say who comes next", graph: "START -> d -> end", setup: func(l *lab) {
			l.routes("x", "y", "y", "").routes("y", "x", "x")
			l.dynamic["d"] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				for next := "x"; ; {
					res, err := workflow.RunNodeResult(ctx, l.node(next), nil)
					if err != nil || len(res.Routes) == 0 {
						return res, err
					}
					next = res.Routes[0]
				}
			}
		}},
		{name: "dynamic as output", graph: "START -> d -> end", setup: func(l *lab) {
			l.does("x", echo).does("end", echo)
			l.schedules("d", func(run runChild) (any, error) {
				_, err := run("x", "delegated", workflow.UseAsOutput())
				return "own", err
			})
		}},
	}
}

func TestE44_children_are_counted_by_name(t *testing.T) {
	l := newLab()
	l.schedules("d", func(run runChild) (any, error) {
		for _, child := range []string{"x", "y", "x"} {
			if _, err := run(child, nil); err != nil {
				return nil, err
			}
		}
		return run("x", nil, workflow.WithRunID("final"))
	})
	got := runNested(t, l, "START -> d", workflow.RunRequest{})
	if diff := cmp.Diff([]string{"d@1/x@1", "d@1/y@1", "d@1/x@2", "d@1/x@final"}, l.paths()); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
}

func TestE45_other_inputs_than_recorded_are_a_mismatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		var process string
		l := newLab()
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"d@1/x@1": time.Minute}[path] }
		l.schedules("d", func(run runChild) (any, error) {
			out, _ := run("x", process) // a body that goes on after the error doesn't get away with it
			return out, nil
		})
		ctx, cancel := context.WithCancelCause(context.Background())
		process = "first"
		time.AfterFunc(time.Second, func() { cancel(workflow.ErrSuspend) })
		w := l.build(t, "START -> d -[ERROR]-> fix")
		watch(w, ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		process = "second"
		got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		failure, _ := l.input("fix@1").(map[string]any)
		message, _ := failure["message"].(string)
		if got.err != nil || failure["code"] != "replay-mismatch" || strings.Count(message, "sha256:") != 2 {
			t.Errorf("%v: the handler got %v", got.err, failure)
		}
	})
}

func TestE45_recorded_children_that_nobody_wants_again_are_warned_of(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		again := false
		l := newLab()
		l.schedules("d", func(run runChild) (any, error) {
			if again {
				return nil, nil
			}
			return run("x", nil)
		})
		w := l.build(t, "START -> d")
		run(w, workflow.RunRequest{Store: storetest.NewFaulty(store, 4, storetest.Before), Session: "s", Run: "r"})
		again = true
		got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if diff := cmp.Diff([]string{"unclaimed-child d@1/x@1"}, got.notes()); diff != "" || got.err != nil {
			t.Errorf("%v (-want +got):\n%s", got.err, diff)
		}
	})
}

func TestE46_the_bound_of_children(t *testing.T) {
	l := newLab()
	l.schedules("d", func(run runChild) (any, error) {
		for {
			if _, err := run("x", nil); err != nil {
				return nil, err
			}
		}
	})
	got := runNested(t, l, "START -> d", workflow.RunRequest{})
	if len(l.paths()) != 10 || !strings.Contains(fmt.Sprint(got.err), "d@1 may have 10 children, and x would be one more") {
		t.Errorf("%d children, %v", len(l.paths()), got.err)
	}
}

func TestE12_T4_a_cap_of_one_through_list_graph_and_dynamic_node(t *testing.T) {
	l := newLab()
	l.items["each"] = worker{body: "x"}
	l.inner["w"] = "START -> each"
	l.delay = func(string) time.Duration { return time.Second }
	l.schedules("d", func(run runChild) (any, error) { return run("w", []any{"1", "2", "3"}) })
	got := runNested(t, l, "START -> d", workflow.RunRequest{}, workflow.WithMaxConcurrency(1))
	if got.err != nil || l.peak != 1 || len(l.paths()) != 3 {
		t.Errorf("%v; peak %d, %v", got.err, l.peak, l.paths())
	}
}

func TestE33_children_that_a_body_leaves_behind_are_cancelled(t *testing.T) {
	l := newLab()
	l.delay = func(path string) time.Duration { return map[string]time.Duration{"d@1/x@1": time.Hour}[path] }
	l.dynamic["d"] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		go func() { _, _ = workflow.RunNode(ctx, l.node("x"), nil) }()
		_, err := workflow.RunNode(ctx, l.node("y"), nil)
		synctestWait(ctx)
		return workflow.Result{Output: "done"}, err
	}
	got := runNested(t, l, "START -> d", workflow.RunRequest{Store: memory.New()})
	if diff := cmp.Diff([]string{"canceled d@1/x@1"}, got.of(workflow.NodeCanceled)); diff != "" || got.output != "done" || got.err != nil {
		t.Errorf("%v, %v (-want +got):\n%s", got.output, got.err, diff)
	}
}

// synctestWait gives the goroutines of a bubble the time to go on.
func synctestWait(ctx context.Context) { _ = sleep(ctx, time.Millisecond) }

func TestE45_a_retry_begins_without_children(t *testing.T) {
	l := newLab()
	attempts := 0
	l.schedules("d", func(run runChild) (any, error) {
		if attempts++; attempts == 1 {
			_, err := run("x", nil)
			return nil, errors.Join(err, errors.New("not yet"))
		}
		return run("x", nil)
	})
	l.config["d"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
	got := runNested(t, l, "START -> d", workflow.RunRequest{})
	if diff := cmp.Diff([]string{"d@1/x@1", "d@1~2/x@1"}, l.paths()); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
}

func TestRunNodeRefusesWhatCanNotBeAChild(t *testing.T) {
	for name, try := range map[string]func(ctx *workflow.Context) error{
		"a join": func(ctx *workflow.Context) error {
			_, err := workflow.RunNode(ctx, workflow.NewJoinNode("J"), nil)
			return err
		},
		"nil": func(ctx *workflow.Context) error { _, err := workflow.RunNode(ctx, nil, nil); return err },
		"an id with a slash": func(ctx *workflow.Context) error {
			_, err := workflow.RunNode(ctx, newLab().node("x"), nil, workflow.WithRunID("a/b"))
			return err
		},
		"an id twice": func(ctx *workflow.Context) error {
			child := newLab().node("x")
			if _, err := workflow.RunNode(ctx, child, nil, workflow.WithRunID("a")); err != nil {
				t.Error(err)
			}
			_, err := workflow.RunNode(ctx, child, nil, workflow.WithRunID("a"))
			return err
		},
		"an input without a JSON form": func(ctx *workflow.Context) error {
			_, err := workflow.RunNode(ctx, newLab().node("x"), func() {})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab()
			var refused error
			l.dynamic["d"] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				refused = try(ctx)
				return workflow.Result{}, nil
			}
			if got := runNested(t, l, "START -> d", workflow.RunRequest{}); got.err != nil || refused == nil {
				t.Errorf("%v, refused with %v", got.err, refused)
			}
		})
	}
}
