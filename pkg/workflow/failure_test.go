package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

var errBroken = errors.New("broken")

// An unhandled failure cancels what executes; what succeeds all the same is kept, without consequences, and nothing new
// starts.
func TestE33_unhandled_failure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("bad", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			return workflow.Result{}, errors.Join(sleep(ctx, time.Second), errBroken)
		})
		l.does("obeys", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			<-ctx.Done()
			return workflow.Result{}, ctx.Err()
		})
		l.does("finishes", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			<-ctx.Done()
			return workflow.Result{Output: "done", State: map[string]any{"k": "kept"}}, nil
		})
		store := memory.New()
		w := l.build(t, "START -> bad; START -> obeys -> next; START -> finishes -> next2; START -> queued",
			workflow.WithMaxConcurrency(3))
		got := run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		var failed *workflow.NodeError
		if !errors.As(got.err, &failed) || failed.Path != "bad@1" || !errors.Is(got.err, errBroken) ||
			!strings.HasPrefix(got.err.Error(), "bad@1: ") {
			t.Errorf("ended with %v", got.err)
		}
		want := []string{"failed bad@1", "canceled obeys@1", "completed finishes@1", "run-failed bad@1"}
		if diff := cmp.Diff(want, sorted(got.of(workflow.NodeFailed, workflow.NodeCanceled, workflow.NodeCompleted,
			workflow.RunFailed), want)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"bad@1", "finishes@1", "obeys@1"}, sorted(l.paths(), []string{"bad@1", "finishes@1", "obeys@1"})); diff != "" {
			t.Error(diff)
		}
		fold, err := journal.Load(context.Background(), store, "s")
		if err != nil || fold.State["k"] != "kept" || fold.Run("r").Done.Status != journal.Failed {
			t.Errorf("state %v, done %v, %v", fold.State, fold.Run("r").Done, err)
		}
	})
}

// sorted brings a list into the order of another one, so that what is unordered can be compared.
func sorted(list, like []string) []string {
	var out, rest []string
	have := map[string]int{}
	for _, s := range list {
		have[s]++
	}
	for _, s := range like {
		if have[s] > 0 {
			have[s]--
			out = append(out, s)
		}
	}
	for _, s := range list {
		if have[s] > 0 {
			have[s]--
			rest = append(rest, s)
		}
	}
	return append(out, rest...)
}

// Only an activation that the engine cancelled counts as cancelled: an error that looks so is a failure (D7).
func TestE33_D7_a_node_error_that_wraps_Canceled_is_a_failure(t *testing.T) {
	l := newLab().does("a", func(*workflow.Context, any) (workflow.Result, error) {
		return workflow.Result{}, fmt.Errorf("upstream: %w", context.Canceled)
	})
	got := run(l.build(t, "START -> a"), workflow.RunRequest{})
	if got.last().Kind != workflow.RunFailed || codeOf(got.err) != workflow.CodeError {
		t.Errorf("ended with %s, %v", got.last().Kind, got.err)
	}
}

// Failures of siblings while the run ends are neither retried nor reported (D9).
func TestE33_D9_no_retries_while_the_run_ends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("a", fails("first")).does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			<-ctx.Done()
			return workflow.Result{}, errors.New("second")
		})
		l.config["b"] = retrying()
		got := run(l.build(t, "START -> b; START -> a"), workflow.RunRequest{})
		if len(l.calls) != 2 || !strings.Contains(got.err.Error(), "first") {
			t.Errorf("%d calls, %v", len(l.calls), got.err)
		}
	})
}

// The process dies between the failure and the end of the run: the next one ends it.
func TestE33_failure_is_finished_after_a_restart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		build := func() *workflow.Workflow {
			l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				return workflow.Result{}, errors.Join(sleep(ctx, time.Second), errBroken)
			})
			l.does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				return workflow.Result{}, sleep(ctx, time.Minute)
			})
			return l.build(t, "START -> a; START -> b -> c")
		}
		faulty := storetest.NewFaulty(store, 3, storetest.After) // session, start, failure of a
		run(build(), workflow.RunRequest{Store: faulty, Session: "s", Run: "r"})
		got := resume(build(), workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if got.last().Kind != workflow.RunFailed || codeOf(got.err) != workflow.CodeError ||
			!strings.HasPrefix(got.err.Error(), "a@1: ") {
			t.Errorf("ended with %s, %v", got.last().Kind, got.err)
		}
	})
}

func TestE38_what_is_never_routable(t *testing.T) {
	const graph = "START -> a -[ERROR]-> b; a -> c"
	t.Run("journal failure", func(t *testing.T) {
		l := newLab()
		got := run(l.build(t, graph), workflow.RunRequest{Store: storetest.NewFaulty(memory.New(), 3, storetest.Before)})
		if codeOf(got.err) != workflow.CodeJournal || len(l.calls) != 1 {
			t.Errorf("ended with %v after %v", got.err, l.paths())
		}
	})
	t.Run("cancellation", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			cancel()
			<-ctx.Done()
			return workflow.Result{}, ctx.Err()
		})
		got := watch(l.build(t, graph), ctx, workflow.RunRequest{})
		if codeOf(got.err) != workflow.CodeCanceled || len(l.calls) != 1 {
			t.Errorf("ended with %v after %v", got.err, l.paths())
		}
	})
}

// A store that dies while bodies work: the run ends within the grace time, and those that ask for a commit are told.
func TestE38_journal_failure_while_bodies_work(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var committed error
		l := newLab().does("a", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			return workflow.Result{}, sleep(ctx, time.Second)
		})
		l.does("ignores", func(*workflow.Context, any) (workflow.Result, error) {
			time.Sleep(time.Minute)
			return workflow.Result{}, nil
		})
		l.does("asks", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			<-ctx.Done()
			committed = ctx.Commit(journal.Msg{Role: journal.RoleModel})
			return workflow.Result{}, nil
		})
		began := time.Now()
		got := run(l.build(t, "START -> a; START -> ignores; START -> asks"),
			workflow.RunRequest{Store: storetest.NewFaulty(memory.New(), 3, storetest.Before)})
		if took := time.Since(began); took != 2*time.Second || codeOf(got.err) != workflow.CodeJournal {
			t.Errorf("ended after %v with %v", took, got.err)
		}
		if codeOf(committed) != workflow.CodeJournal {
			t.Errorf("the commit ended with %v", committed)
		}
		time.Sleep(time.Hour)
	})
}

// What was to begin with the transition that ends the run doesn't begin.
func TestE33_a_start_in_the_transition_that_fails(t *testing.T) {
	store := memory.New()
	l := newLab()
	l.config["b"] = workflow.NodeConfig{Input: func(*workflow.Context) (any, error) { return nil, errBroken }}
	got := run(l.build(t, "START -> a; START -> b; START -> c"), workflow.RunRequest{Store: store, Session: "s"})
	if len(l.calls) > 0 || !errors.Is(got.err, errBroken) {
		t.Errorf("executed %v, ended with %v", l.paths(), got.err)
	}
	want := []string{"session", "run | start a@1 from [START] | start b@1 from [START] | fail b@1 error next [] retry false | " +
		"fail a@1 canceled next [] retry false | done failed"}
	if diff := cmp.Diff(want, written(t, store)); diff != "" {
		t.Error(diff)
	}
}

// A body that ends its goroutine, as t.FailNow does, fails its attempt; the run doesn't wait for ever.
func TestE14_a_body_that_ends_its_goroutine(t *testing.T) {
	l := newLab().does("a", func(*workflow.Context, any) (workflow.Result, error) {
		runtime.Goexit()
		return workflow.Result{}, nil
	})
	got := run(l.build(t, "START -> a -[ERROR]-> b; a -> c"), workflow.RunRequest{})
	if got.output != "b@1" {
		t.Errorf("output %v, %v", got.output, got.err)
	}
}
