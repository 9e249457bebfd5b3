package workflow_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// folded checks that the journal of a run can be read.
func folded(t *testing.T, store journal.Store) *journal.SessionState {
	t.Helper()
	fold, err := journal.Load(context.Background(), store, "s")
	if err != nil {
		t.Fatal(err)
	}
	return fold
}

// The time of a composite is that of its attempt: it passes while a child waits for a person, as long as anything else of
// the run executes, and closes the question.
func TestE36_timeout_of_a_graph_that_waits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", asks(workflow.Question{}))
		l.inner["w"] = "START -> ask"
		l.config["w"] = workflow.NodeConfig{Timeout: time.Minute}
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"slow@1": time.Hour}[path] }
		d := newDesk(t, l, "START -> w -[ERROR]-> fix; START -> slow")
		got := d.begin(nil)
		kinds := []workflow.EventKind{workflow.NodeWaiting, workflow.NodeCanceled, workflow.NodeFailed, workflow.NodeCompleted, workflow.RunCompleted}
		want := []string{"waiting w@1/ask@1", "canceled w@1/ask@1", "failed w@1", "completed fix@1", "completed slow@1", "run-completed"}
		if diff := cmp.Diff(want, got.of(kinds...)); diff != "" || got.err != nil {
			t.Errorf("%v (-want +got):\n%s", got.err, diff)
		}
		if open := folded(t, d.store).Run("r").Interrupts; len(open) > 0 {
			t.Errorf("open are %v", open)
		}
	})
}

// A body that asks for children when its attempt is over gets an error, and disturbs nobody.
func TestE45_children_after_the_end(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		late := make(chan error, 1)
		l.dynamic["d"] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			go func() {
				time.Sleep(time.Second)
				_, err := workflow.RunNode(ctx, l.node("x"), nil)
				late <- err
			}()
			return workflow.Result{Output: "gone"}, nil
		}
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"slow@1": time.Minute}[path] }
		got := run(l.build(t, "START -> d; START -> slow"), workflow.RunRequest{Store: memory.New(), Session: "s"})
		if err := <-late; err == nil || got.err != nil {
			t.Errorf("%v; the late child gave %v", got.err, err)
		}
		if diff := cmp.Diff([]string{"slow@1"}, l.paths()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// An item that ignores that it was given up is abandoned after the grace time of the run.
func TestE48_items_that_ignore_their_context(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.items["w"] = worker{body: "item"}
		l.does("item", func(_ *workflow.Context, input any) (workflow.Result, error) {
			if input == "bad" {
				time.Sleep(time.Second)
				return workflow.Result{}, errors.New("broken")
			}
			time.Sleep(time.Hour)
			return workflow.Result{}, nil
		})
		l.config["w"] = workflow.NodeConfig{Timeout: 10 * time.Second}
		begun := time.Now()
		got := run(l.build(t, "START -> w"), workflow.RunRequest{Store: memory.New(), Session: "s", Input: []any{"bad", "deaf"}})
		if took := time.Since(begun); got.err == nil || took > time.Minute {
			t.Errorf("%v after %v", got.err, took)
		}
		time.Sleep(2 * time.Hour) // the deaf one ends
	})
}

// A panic anywhere is the failure of its node.
func TestE14_panics_of_callbacks(t *testing.T) {
	for name, config := range map[string]workflow.NodeConfig{
		"input":       {Input: func(*workflow.Context) (any, error) { panic("oh") }},
		"retry.when":  {Retry: &workflow.RetryConfig{When: func(*workflow.Context, *workflow.NodeError) (bool, error) { panic("oh") }}},
		"on deadline": {OnDeadline: func(*workflow.Context) (workflow.Result, error) { panic("oh") }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
					if name == "retry.when" {
						return workflow.Result{}, errors.New("broken")
					}
					return asks(workflow.Question{Deadline: time.Second})(ctx, nil)
				})
				l.config["a"] = config
				l.inner["w"] = "START -> a"
				l.delay = func(path string) time.Duration { return map[string]time.Duration{"slow@1": time.Minute}[path] }
				store := memory.New()
				got := run(l.build(t, "START -> w -[ERROR]-> fix; START -> slow"), workflow.RunRequest{Store: store, Session: "s"})
				if _, handled := l.input("fix@1").(map[string]any); got.err != nil || !handled {
					t.Errorf("%v; the handler got %v", got.err, l.input("fix@1"))
				}
				folded(t, store)
			})
		})
	}
}

// Suspending a run in which everything is going on at once, again and again, leads to the same end.
func TestCrash_suspended_in_the_middle_of_everything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("item", echoes).does("x", echoes)
		l.items["w"] = worker{body: "v", max: 2}
		l.inner["v"] = "START -> s -> J; START -> d -> J; J -> e"
		l.schedules("d", func(run runChild) (any, error) {
			a, err := run("x", "1")
			b, err2 := run("x", "2")
			return []any{a, b}, errors.Join(err, err2)
		})
		l.delay = func(path string) time.Duration { return time.Duration(len(path)%7+1) * time.Second }
		input := []any{"a", "b", "c"}
		w := l.build(t, "START -> w -> end")
		want := run(w, workflow.RunRequest{Store: memory.New(), Session: "s", Run: "r", Input: input})
		store := memory.New()
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(1500*time.Millisecond, func() { cancel(workflow.ErrSuspend) })
		got := watch(w, ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: input})
		for lap := 0; got.last().Kind == workflow.RunSuspended && lap < 60; lap++ {
			folded(t, store)
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(time.Duration(3000+250*lap)*time.Millisecond, func() { cancel(workflow.ErrSuspend) })
			got = collect(w.Resume(ctx, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"}))
		}
		if diff := cmp.Diff(want.output, got.output); diff != "" || got.err != nil || got.last().Kind != workflow.RunCompleted {
			t.Errorf("ended with %s, %v (-want +got):\n%s", got.last().Kind, got.err, diff)
		}
	})
}

// One question is answered, the deadline of the other passes while what was answered executes.
func TestE51_a_deadline_beside_an_answer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", asks(workflow.Question{Deadline: time.Second})).does("b", asks(workflow.Question{Deadline: 10 * time.Second}))
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"work@1": time.Minute}[path] }
		d := newDesk(t, l, "START -> a -[ERROR]-> late; START -> b -> work")
		d.wants(d.begin(nil), "a@1", "b@1")
		d.completed(d.answer(map[string]any{"b@1": "yes"}), map[string]any{"late": "late@1", "work": "work@1"})
		folded(t, d.store)
	})
}

// An item whose next attempt waits for a slot is given up like one whose pause isn't over.
func TestE48_an_item_that_waits_for_a_slot_is_given_up(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.items["w"] = worker{body: "item"}
		l.does("item", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			time.Sleep(time.Duration(ctx.Attempt()) * 300 * time.Millisecond)
			return workflow.Result{}, errors.New("broken")
		})
		l.config["w"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{MaxAttempts: 2, Jitter: zero()}}
		store := memory.New()
		got := run(l.build(t, "START -> w -[ERROR]-> fix", workflow.WithMaxConcurrency(1)),
			workflow.RunRequest{Store: store, Session: "s", Input: []any{"a", "b"}})
		if got.output != "fix@1" || got.err != nil {
			t.Errorf("%v, %v", got.output, got.err)
		}
		folded(t, store)
	})
}

// What pauses in a graph that fails doesn't keep the run from waiting for a person.
func TestE50_a_pause_in_a_graph_that_failed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("x", fails("broken")).does("y", fails("flaky")).does("ask", asks(workflow.Question{}))
		l.inner["w"] = "START -> x; START -> y"
		l.config["y"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: 10 * time.Second}}
		l.delay = func(path string) time.Duration {
			return map[string]time.Duration{"w@1/x@1": 2 * time.Second, "w@1/y@1": time.Second}[path]
		}
		d := newDesk(t, l, "START -> w -[ERROR]-> ask")
		d.wants(d.begin(nil), "ask@1")
		d.completed(d.answer(map[string]any{"ask@1": "yes"}), "yes")
	})
}

// A body that swallows the error by which it hears of a suspension doesn't end with what it made of that.
func TestE57_a_suspension_is_no_failure_of_a_child(t *testing.T) {
	for range 100 { // who sees the end of the context first is a matter of chance
		synctest.Test(t, func(t *testing.T) {
			l := newLab()
			l.delay = func(path string) time.Duration { return map[string]time.Duration{"d@1/c@1": time.Minute}[path] }
			l.schedules("d", func(run runChild) (any, error) {
				out, err := run("c", nil)
				if err != nil {
					return "fallback", nil //nolint:nilerr // that is what the test is about
				}
				return out, nil
			})
			w, store := l.build(t, "START -> d"), memory.New()
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(time.Second, func() { cancel(workflow.ErrSuspend) })
			watch(w, ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
			if got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"}); got.output != "d@1/c@1" || got.err != nil {
				t.Fatalf("%v, %v", got.output, got.err)
			}
		})
	}
}

// A body that asks from one goroutine and works from another isn't put to rest before both are under way.
func TestE50_a_body_with_two_goroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", asks(workflow.Question{}))
		l.dynamic["d"] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			ends := make(chan any, 2)
			for _, child := range []string{"ask", "x"} {
				go func() {
					out, err := workflow.RunNode(ctx, l.node(child), nil)
					if err != nil {
						out = err
					}
					ends <- out
				}()
			}
			return workflow.Result{Output: <-ends}, nil
		}
		got := run(l.build(t, "START -> d"), workflow.RunRequest{Store: memory.New(), Session: "s"})
		if got.output != "d@1/x@1" || got.err != nil {
			t.Errorf("%s: %v, %v", got.last().Kind, got.output, got.err)
		}
	})
}

// A failure that calls itself canceled isn't a cancellation by the engine, which would end the activation in the journal.
func TestE30_a_failure_with_the_code_of_a_cancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			if ctx.Attempt() == 1 {
				return workflow.Result{}, workflow.Errorf(workflow.CodeCanceled, "so it says")
			}
			return workflow.Result{Output: "again"}, nil
		})
		l.config["a"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{}}
		store := memory.New()
		if got := run(l.build(t, "START -> a"), workflow.RunRequest{Store: store, Session: "s"}); got.output != "again" || got.err != nil {
			t.Errorf("%v, %v", got.output, got.err)
		}
		folded(t, store)
	})
}

// A node that was about to take a slot when its graph failed lets the next one have it.
func TestE12_slots_of_a_graph_that_failed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("x", fails("broken"))
		l.inner["w"] = "START -> x; START -> y; START -> z"
		l.config["p"], l.config["fix"] = pure(), pure()
		l.delay = func(path string) time.Duration { return map[string]time.Duration{"w@1/x@1": time.Second}[path] }
		got := run(l.build(t, "START -> w -[ERROR]-> fix; START -> p -> c", workflow.WithMaxConcurrency(1)), workflow.RunRequest{})
		if got.err != nil || got.last().Kind != workflow.RunCompleted {
			t.Errorf("ended with %s, %v", got.last().Kind, got.err)
		}
	})
}

// What a body does beside waiting for a child that waits for a person isn't cut off.
func TestAbuse_work_beside_a_child_that_waits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", asks(workflow.Question{}))
		var worked []error
		l.dynamic["d"] = func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			work := make(chan error, 1)
			release := ctx.Hold()
			go func() {
				defer release()
				work <- sleep(ctx, time.Minute)
			}()
			answer, err := workflow.RunNode(ctx, l.node("ask"), nil)
			worked = append(worked, <-work)
			return workflow.Result{Output: answer}, err
		}
		d := newDesk(t, l, "START -> d")
		began := time.Now()
		d.wants(d.begin(nil), "d@1/ask@1")
		if len(worked) != 1 || worked[0] != nil || time.Since(began) < time.Minute {
			t.Errorf("after %v the work beside had ended with %v", time.Since(began), worked)
		}
		d.completed(d.answer(map[string]any{"d@1/ask@1": "yes"}), "yes")
	})
}
