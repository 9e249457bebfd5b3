package workflow_test

import (
	"context"
	"iter"
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

// suspendAfter runs a workflow and suspends it.
func suspendAfter(w *workflow.Workflow, d time.Duration, req workflow.RunRequest) outcome {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	time.AfterFunc(d, func() { cancel(workflow.ErrSuspend) })
	return watch(w, ctx, req)
}

// Suspending keeps what returns in time, starts nothing, and the run goes on where it was.
func TestE53_suspend_and_resume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		build := func(slow time.Duration) (*lab, *workflow.Workflow) {
			l := newLab().does("keeps", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				<-ctx.Done()
				time.Sleep(100 * time.Millisecond)
				return workflow.Result{Output: "kept"}, nil
			})
			l.does("slow", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
				return workflow.Result{Output: "slow"}, sleep(ctx, slow)
			})
			return l, l.build(t, "START -> keeps -> next -> J; START -> slow -> J")
		}
		_, w := build(time.Hour)
		got := suspendAfter(w, time.Second, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		if got.err != nil || got.last().Kind != workflow.RunSuspended {
			t.Fatalf("ended with %s, %v", got.last().Kind, got.err)
		}
		l, w := build(0)
		got = resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Owner: "pod-b"})
		want := map[string]any{"next": "next@1", "slow": "slow"}
		if diff := cmp.Diff(any(want), got.output); diff != "" || got.err != nil {
			t.Errorf("%s%v", diff, got.err)
		}
		if diff := cmp.Diff([]string{"next@1", "slow@1"}, sorted(l.paths(), []string{"next@1", "slow@1"})); diff != "" {
			t.Error(diff)
		}
		all := strings.Join(written(t, store), " | ")
		if !strings.Contains(all, "end keeps@1 next [next@1] | stop drain | own pod-b 0") {
			t.Errorf("written: %s", all)
		}
	})
}

// die runs until the process dies while a@1 executes; resumed says that the run was begun before.
func die(t *testing.T, w *workflow.Workflow, store journal.Store, resumed bool) {
	t.Helper()
	var got outcome
	if resumed {
		got = resume(w, workflow.ResumeRequest{Store: storetest.NewFaulty(store, 2, storetest.Before), Session: "s", Run: "r"})
	} else {
		got = run(w, workflow.RunRequest{Store: storetest.NewFaulty(store, 3, storetest.Before), Session: "s", Run: "r"})
	}
	if codeOf(got.err) != workflow.CodeJournal {
		t.Fatalf("the process did not die: %v", got.err)
	}
}

func TestE52_T5_crash_loop(t *testing.T) {
	store := memory.New()
	l := newLab()
	w := l.build(t, "START -> a -> b; a -[ERROR]-> fix")
	die(t, w, store, false)
	for range 3 {
		die(t, w, store, true)
	}
	if len(l.calls) != 4 {
		t.Fatalf("executed %v", l.paths())
	}
	got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
	if diff := cmp.Diff([]string{"a@1", "a@1", "a@1", "a@1", "fix@1"}, l.paths()); diff != "" || got.output != "fix@1" {
		t.Errorf("output %v, %v\n%s", got.output, got.err, diff)
	}
	if in, _ := l.input("fix@1").(map[string]any); in["code"] != "crash-loop" {
		t.Errorf("fix got %v", in)
	}
}

// Being suspended isn't dying: it neither counts nor does it hide what was counted for others.
func TestE52_a_suspension_is_no_recovery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab()
		l.delay = func(string) time.Duration { return time.Minute }
		w := l.build(t, "START -> a")
		suspendAfter(w, time.Second, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		for range 6 {
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(time.Second, func() { cancel(workflow.ErrSuspend) })
			got := collect(w.Resume(ctx, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"}))
			if got.last().Kind != workflow.RunSuspended {
				t.Fatalf("ended with %s, %v", got.last().Kind, got.err)
			}
			cancel(nil)
		}
		die(t, newLab().build(t, "START -> a"), store, true)
		if got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"}); got.output != "a@1" {
			t.Errorf("output %v, %v", got.output, got.err)
		}
	})
}

// Nor is waiting for people: the body of a dynamic node that has survived its three crashes gets its answer.
func TestE52_an_answer_is_no_recovery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab().does("ask", asks(workflow.Question{}))
		l.schedules("d", func(run runChild) (any, error) { return run("ask", nil) })
		d, w := newDesk(t, l, "START -> d"), l.build(t, "START -> d")
		die(t, w, d.store, false)
		for range 2 {
			die(t, w, d.store, true)
		}
		d.wants(d.answer(nil), "d@1/ask@1")
		d.completed(d.answer(map[string]any{"d@1/ask@1": "yes"}), "yes")
	})
}

// A run goes on only with the configuration that it began with; else it is suspended and says why, once.
func TestSuspended_runs(t *testing.T) {
	config := []byte("the configuration")
	digest := journal.Digest(config)
	for _, tc := range []suspendedCase{
		{"another configuration", true, "sha256:other", "START -> a -> b", workflow.SuspendedConfigDiffers},
		{"no configuration", true, "", "START -> a -> b", workflow.SuspendedConfigDiffers},
		{"its configuration is gone", false, digest, "START -> a -> b", workflow.SuspendedConfigMissing},
		{"another graph", true, digest, "START -> x -> b", workflow.SuspendedGraphDiffers},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { tc.check(t, config) })
		})
	}
}

// suspendedCase is an attempt to go on with a run in other circumstances.
type suspendedCase struct {
	name   string
	stored bool // whether the store has the configuration
	config string
	graph  string
	want   string
}

func (tc suspendedCase) check(t *testing.T, config []byte) {
	store := memory.New()
	if tc.stored {
		if _, err := store.PutConfig(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
	l := newLab()
	l.delay = func(string) time.Duration { return time.Minute }
	digest := journal.Digest(config)
	suspendAfter(l.build(t, "START -> a -> b"), time.Second,
		workflow.RunRequest{Store: store, Session: "s", Run: "r", Config: digest})
	began := len(written(t, store))
	other := newLab()
	took := workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Config: tc.config}
	for range 3 {
		got := resume(other.build(t, tc.graph), took)
		if stop, ok := got.last().Record.(journal.Stop); !ok || stop.Why != tc.want || got.err != nil {
			t.Fatalf("ended with %v, %v", got.last(), got.err)
		}
	}
	if added := len(written(t, store)) - began; added != 1 || len(other.calls) > 0 {
		t.Errorf("%d entries were added, calls %v", added, other.paths())
	}
	if !tc.stored {
		return
	}
	took.Config = digest
	if got := resume(l.build(t, "START -> a -> b"), took); got.output != "b@1" {
		t.Errorf("with its own configuration: output %v, %v", got.output, got.err)
	}
}

// Resuming a run that is over tells its end again, and does nothing.
func TestResume_of_a_run_that_is_over(t *testing.T) {
	store := memory.New()
	l := newLab()
	w := l.build(t, "START -> a -> b -[x]-> c")
	first := run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
	again := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
	if diff := cmp.Diff(first.last().Warnings, again.last().Warnings); diff != "" || again.last().Kind != workflow.RunCompleted {
		t.Errorf("ended with %s, %v\n%s", again.last().Kind, again.err, diff)
	}
	if len(l.calls) != 2 || len(again.events) != 1 {
		t.Errorf("calls %v, %d events", l.paths(), len(again.events))
	}
	failing := newLab().does("a", fails("x")).build(t, "START -> a")
	first = run(failing, workflow.RunRequest{Store: store, Session: "s", Run: "r2"})
	again = resume(failing, workflow.ResumeRequest{Store: store, Session: "s", Run: "r2"})
	if first.err == nil || again.err == nil || first.err.Error() != again.err.Error() || codeOf(again.err) != workflow.CodeError {
		t.Errorf("failed with %v, and again with %v", first.err, again.err)
	}
}

// damaged is a store one of whose entries can't be read.
type damaged struct {
	journal.Store
	seq int64
}

func (d damaged) Read(ctx context.Context, session string, from int64) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		for e, err := range d.Store.Read(ctx, session, from) {
			if e != nil && e.Seq == d.seq {
				e, err = nil, &journal.DamagedError{Session: session, Seq: d.seq}
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// A run that a damaged entry may concern is suspended, never guessed.
func TestSuspended_damaged(t *testing.T) {
	store := memory.New()
	l := newLab()
	w := l.build(t, "START -> a -> b -> c")
	die(t, w, store, false)
	resume(w, workflow.ResumeRequest{Store: storetest.NewFaulty(store, 3, storetest.Before), Session: "s", Run: "r"})
	calls := len(l.calls)
	got := resume(w, workflow.ResumeRequest{Store: damaged{store, 3}, Session: "s", Run: "r"})
	if stop, ok := got.last().Record.(journal.Stop); !ok || stop.Why != journal.Damaged || len(l.calls) != calls {
		t.Errorf("ended with %v, %v", got.last(), got.err)
	}
}

// A store that can't be read says so.
func TestResume_of_an_unreadable_store(t *testing.T) {
	store := memory.New()
	w := newLab().build(t, "START -> a")
	got := resume(w, workflow.ResumeRequest{Store: unreadable{store}, Session: "s", Run: "r"})
	again := run(w, workflow.RunRequest{Store: unreadable{store}, Session: "s"})
	if codeOf(got.err) != workflow.CodeJournal || codeOf(again.err) != workflow.CodeJournal {
		t.Errorf("%v, %v", got.err, again.err)
	}
}

type unreadable struct{ journal.Store }

func (unreadable) Read(context.Context, string, int64) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) { yield(nil, storetest.ErrInjected) }
}

// The time of earlier processes counts, the time in which nobody executed the run doesn't.
func TestE13_max_duration_across_a_restart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab()
		l.delay = func(string) time.Duration { return time.Minute }
		w := l.build(t, "START -> a -> b -> c")
		env := workflow.Env{Limits: workflow.Limits{MaxDuration: 150 * time.Second}}
		suspendAfter(w, 90*time.Second, workflow.RunRequest{Store: store, Session: "s", Run: "r", Env: env})
		took := workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Env: env}
		time.Sleep(time.Hour)
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		time.AfterFunc(40*time.Second, func() { cancel(workflow.ErrSuspend) })
		collect(w.Resume(ctx, took))
		time.Sleep(time.Hour)
		began := time.Now()
		got := resume(w, took)
		if took := time.Since(began); codeOf(got.err) != workflow.CodeLimit || took != 20*time.Second {
			t.Errorf("ended after %v with %v", took, got.err)
		}
	})
}

// Steps are counted over the whole run.
func TestE13_max_steps_across_a_restart(t *testing.T) {
	store := memory.New()
	env := workflow.Env{Limits: workflow.Limits{MaxSteps: 2}}
	w := newLab().build(t, "START -> a -> b -> c")
	run(w, workflow.RunRequest{Store: storetest.NewFaulty(store, 3, storetest.After), Session: "s", Run: "r", Env: env})
	got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r", Env: env})
	if codeOf(got.err) != workflow.CodeLimit || !strings.Contains(got.err.Error(), "c@1") {
		t.Errorf("ended with %v", got.err)
	}
}

// A run that was suspended before anything began begins when it is resumed.
func TestE53_suspended_at_once(t *testing.T) {
	for _, graph := range []string{"START -> a", "START -> J -> a; START -> b -> J"} {
		store := memory.New()
		w := newLab().build(t, graph)
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(workflow.ErrSuspend)
		watch(w, ctx, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "in"})
		if got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"}); got.output != "a@1" {
			t.Errorf("%s: output %v, %v", graph, got.output, got.err)
		}
	}
}

// A join that became complete while the run was suspended fires at once when it goes on.
func TestE53_a_join_that_was_complete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab().routes("c", "again")
		l.does("b", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
			<-ctx.Done()
			time.Sleep(100 * time.Millisecond)
			return workflow.Result{}, nil
		})
		l.delay = func(path string) time.Duration {
			return map[string]time.Duration{"c2@1": time.Minute}[path]
		}
		w := l.build(t, "START -> b -> J -> end; START -> c -> J; c -[again]-> c2 -> c")
		suspendAfter(w, time.Second, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		completed := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"}).of(workflow.NodeCompleted)
		if len(completed) == 0 || completed[0] != "completed J@1" {
			t.Errorf("completed %v", completed)
		}
	})
}

// What goes on after a restart holds its concurrency slot.
func TestE12_the_cap_after_a_restart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l := newLab()
		l.delay = func(string) time.Duration { return time.Minute }
		w := l.build(t, "START -> a; START -> b; START -> c", workflow.WithMaxConcurrency(1))
		suspendAfter(w, time.Second, workflow.RunRequest{Store: store, Session: "s", Run: "r"})
		resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
		if diff := cmp.Diff([]string{"a@1", "a@1", "b@1", "c@1"}, l.paths()); diff != "" || l.peak != 1 {
			t.Errorf("%d at once\n%s", l.peak, diff)
		}
	})
}
