package workflow_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// A caller that stops listening suspends its run.
func TestE57_breaking_out_suspends(t *testing.T) {
	store := memory.New()
	l := newLab()
	w := l.build(t, "START -> a -> b")
	for e := range w.Run(context.Background(), workflow.RunRequest{Store: store, Session: "s", Run: "r"}) {
		if e.Kind == workflow.NodeCompleted {
			break
		}
	}
	if diff := cmp.Diff([]string{"a@1"}, l.paths()); diff != "" {
		t.Error(diff)
	}
	if got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"}); got.output != "b@1" {
		t.Errorf("output %v, %v", got.output, got.err)
	}
	if diff := cmp.Diff([]string{"a@1", "b@1"}, l.paths()); diff != "" {
		t.Error(diff)
	}
}

func TestE57_cancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab().does("ignores", func(*workflow.Context, any) (workflow.Result, error) {
			time.Sleep(time.Minute)
			return workflow.Result{State: map[string]any{"late": true}}, nil
		})
		l.does("obeys", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			<-ctx.Done()
			return workflow.Result{}, ctx.Err()
		})
		l.does("pauses", fails("x"))
		l.config["pauses"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: time.Hour, MaxDelay: time.Hour, Jitter: zero()}}
		w := l.build(t, "START -> ignores -> a; START -> obeys -> b; START -> pauses -> c")
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		began := time.Now()
		got := watch(w, ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		if took := time.Since(began); took != 6*time.Second {
			t.Errorf("ended after %v, want 5 s and the grace time", took)
		}
		if codeOf(got.err) != workflow.CodeCanceled || got.last().Kind != workflow.RunCanceled {
			t.Errorf("ended with %s, %v", got.last().Kind, got.err)
		}
		if diff := cmp.Diff([]string{"canceled pauses@1", "canceled obeys@1", "canceled ignores@1"}, got.of(workflow.NodeCanceled)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"abandoned ignores@1"}, got.notes()); diff != "" {
			t.Error(diff)
		}
		time.Sleep(time.Hour) // the body that ignored the end has returned by now
		if len(l.calls) != 3 {
			t.Errorf("calls %v", l.paths())
		}
		fold, err := journal.Load(context.Background(), store, "s")
		if err != nil || fold.State["late"] != nil || fold.Run("r").Status() != journal.Canceled ||
			fold.Run("r").CancelRequest == nil {
			t.Errorf("state %v, status %s, request %v, %v", fold.State, fold.Run("r").Status(), fold.Run("r").CancelRequest, err)
		}
		again := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if codeOf(again.err) != workflow.CodeCanceled || len(l.calls) != 3 {
			t.Errorf("resuming a canceled run: %v", again.err)
		}
	})
}

// A cancellation that another process has asked for is carried out by the next owner.
func TestE57_cancel_request_in_the_journal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab()
		l.delay = func(string) time.Duration { return time.Minute }
		w := l.build(t, "START -> a -> b")
		suspendAfter(w, time.Second, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		fold, err := journal.Load(t.Context(), store, "s")
		if err != nil {
			t.Fatal(err)
		}
		request := &journal.Entry{At: time.Now(), Run: "r", Records: []journal.Record{journal.Cancel{By: "ann", Reason: "enough"}}}
		if err := store.Append(t.Context(), "s", fold.Seq+1, request); err != nil {
			t.Fatal(err)
		}
		got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if codeOf(got.err) != workflow.CodeCanceled || !strings.Contains(got.err.Error(), "enough") || len(l.calls) != 1 {
			t.Errorf("%v after %v", got.err, l.paths())
		}
	})
}

// A deterministic run that is cancelled doesn't wait for the others before it ends.
func TestE57_cancel_of_a_deterministic_run(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.delay = func(string) time.Duration { return time.Hour }
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		got := watch(l.build(t, "START -> a; START -> b"), ctx, workflow.RunRequest{Env: workflow.Env{Deterministic: true}})
		if took := time.Since(began); took != time.Second || codeOf(got.err) != workflow.CodeCanceled {
			t.Errorf("ended after %v with %v", took, got.err)
		}
	})
}

// A loop of pure nodes can be cancelled, too.
func TestE57_cancel_of_a_pure_loop(t *testing.T) {
	l := newLab()
	l.config["p"], l.config["q"] = pure(), pure()
	ctx, cancel := context.WithCancel(context.Background())
	l.does("q", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if visit(ctx) == 100 {
			cancel()
		}
		return workflow.Result{Routes: []string{"again"}}, nil
	})
	got := watch(l.build(t, "START -> p -> q -[again]-> p; q -[done]-> end"), ctx, workflow.RunRequest{})
	if codeOf(got.err) != workflow.CodeCanceled || len(l.calls) != 200 {
		t.Errorf("ended after %d calls with %v", len(l.calls), got.err)
	}
}
