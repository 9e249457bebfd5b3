package run_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// A process that drains gives runs time, suspends those that need more, and the next one goes on with them.
func TestDrain_and_adopt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		first := l.supervisor(t)
		short, long := begin(t, first, run.Message{Text: obstinate}), begin(t, first, run.Message{Text: waits})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		began := time.Now()
		first.Drain(ctx)
		if took := time.Since(began); took < 10*time.Second || took > 12*time.Second {
			t.Errorf("draining took %v, want the time it was given", took)
		}
		if got := l.recorded(t, short.Session, short.Run); got != journal.Completed {
			t.Errorf("the short run is %s", got)
		}
		if got := l.recorded(t, long.Session, long.Run); got != journal.Suspended {
			t.Errorf("the long run is %s", got)
		}

		second := l.supervisor(t)
		w := second.Watch(long.Run)
		defer w.Close()
		second.Adopt()
		var kinds []workflow.EventKind
		for e, err := range w.Events(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if kinds = append(kinds, e.Kind); e.Kind == workflow.RunCompleted {
				break
			}
		}
		want := []workflow.EventKind{workflow.RunResumed, workflow.NodeCompleted, workflow.MessageAdded, workflow.RunCompleted}
		if diff := cmp.Diff(want, kinds); diff != "" {
			t.Error(diff)
		}
		if n := l.executions(obstinate); n != 1 {
			t.Errorf("the run that was over was executed %d times", n)
		}
	})
}

func TestDrain_refuses_and_ends_watching(t *testing.T) {
	s := newLab().supervisor(t)
	b := begin(t, s, run.Message{Text: waits})
	s.Refuse()
	if _, err := s.Begin(t.Context(), run.Message{Text: "late", Principal: "ann"}); !errors.Is(err, run.ErrDraining) {
		t.Errorf("begin: %v", err)
	}
	drainNow(s)
	var final error
	for _, err := range b.Watcher.Events(t.Context()) {
		final = err
	}
	if !errors.Is(final, run.ErrDraining) {
		t.Errorf("watching ends with %v", final)
	}
	late := s.Watch(b.Run)
	defer late.Close()
	for _, err := range late.Events(t.Context()) {
		if !errors.Is(err, run.ErrDraining) {
			t.Errorf("watching later ends with %v", err)
		}
	}
}

// A process that is killed writes nothing; the next one finds its runs.
func TestAdopt_after_a_crash(t *testing.T) {
	l := newLab()
	l.supervisor(t) // puts the config
	faulty := storetest.NewFaulty(l.store, 3, storetest.Before)
	for range l.service(faulty).Start(t.Context(), run.Message{Session: "s", Run: "r", Text: "hello", Principal: "ann"}) {
		continue // until the store fails
	}
	if got := l.recorded(t, "s", "r"); got != journal.Running {
		t.Fatalf("the run is %s", got)
	}
	s := l.supervisor(t)
	w := s.Watch("r")
	defer w.Close()
	s.Adopt()
	if e := last(t, &run.Begun{Run: "r", Watcher: w}); e.Output != "done: hello" {
		t.Errorf("the run gives %v", e.Output)
	}
}

// More runs may be left than may execute. They take turns.
func TestAdopt_within_the_limit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		first := l.supervisor(t)
		var runs []*run.Begun
		for range 5 {
			runs = append(runs, begin(t, first, run.Message{Text: slow}))
		}
		drainNow(first)
		second := l.supervisor(t, func(c *run.SupervisorConfig) { c.MaxRuns = 1 })
		began := time.Now()
		second.Adopt()
		for _, b := range runs {
			w := second.Watch(b.Run)
			defer w.Close()
			if status(t, second, b.Run) != journal.Completed {
				last(t, &run.Begun{Run: b.Run, Watcher: w})
			}
		}
		if took := time.Since(began); took < 5*time.Second {
			t.Errorf("five runs of a second took %v one after the other", took)
		}
	})
}

// A run that waits for its turn when the process ends is left as it is.
func TestDrain_while_runs_wait_for_their_turn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		first := l.supervisor(t)
		left := begin(t, first, run.Message{Text: waits})
		drainNow(first)
		second := l.supervisor(t, func(c *run.SupervisorConfig) { c.MaxRuns = 1 })
		begin(t, second, run.Message{Text: slow})
		second.Adopt()
		drainNow(second)
		fold, err := journal.Load(t.Context(), l.store, left.Session)
		if err != nil {
			t.Fatal(err)
		}
		if r := fold.Run(left.Run); r.Status() != journal.Suspended || r.Owner != "" {
			t.Errorf("the run is %s, taken over by %q", r.Status(), r.Owner)
		}
	})
}

func TestAdopt_runs_of_another_config(t *testing.T) {
	l := newLab()
	first := l.supervisor(t)
	b := begin(t, first, run.Message{Text: waits})
	drainNow(first)
	pinned := l.service(l.store)
	before := l.digest
	var asked []string

	l.digest = "sha256:later"
	later := run.SupervisorConfig{
		Current: l.service(l.store),
		Pinned: func(_ context.Context, digest string) (*run.Service, error) {
			asked = append(asked, digest)
			return pinned, nil
		},
	}
	second, err := run.NewSupervisor(t.Context(), later)
	if err != nil {
		t.Fatal(err)
	}
	defer drainNow(second)
	w := second.Watch(b.Run)
	defer w.Close()
	second.Adopt()
	if e := last(t, &run.Begun{Run: b.Run, Watcher: w}); e.Kind != workflow.RunCompleted {
		t.Errorf("the run ends with %s", e.Kind)
	}
	if diff := cmp.Diff([]string{before}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestAdopt_runs_whose_config_can_not_be_used(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		first := l.supervisor(t)
		b := begin(t, first, run.Message{Text: waits})
		drainNow(first)
		l.digest = "sha256:later"
		later := run.SupervisorConfig{
			Current: l.service(l.store),
			Pinned:  func(context.Context, string) (*run.Service, error) { return nil, errors.New("a function is missing") },
		}
		second, err := run.NewSupervisor(t.Context(), later)
		if err != nil {
			t.Fatal(err)
		}
		defer drainNow(second)
		second.Adopt()
		synctest.Wait()
		if got := status(t, second, b.Run); got != journal.Suspended {
			t.Errorf("the run is %s", got)
		}
		info, _ := second.Run("ann", b.Run)
		var over *run.OverError
		if err := second.Cancel(t.Context(), info, "test"); !errors.As(err, &over) || over.Status != journal.Suspended {
			t.Errorf("cancel: %v", err)
		}
	})
}

func TestCancel(t *testing.T) {
	for _, tc := range []struct {
		name string
		// begin brings a run about, in the supervisor that is to cancel it
		begin func(t *testing.T, l *lab) (*run.Supervisor, *run.Begun)
	}{
		{"while it executes", func(t *testing.T, l *lab) (*run.Supervisor, *run.Begun) {
			s := l.supervisor(t)
			return s, begin(t, s, run.Message{Text: waits})
		}},
		{"while it is suspended", func(t *testing.T, l *lab) (*run.Supervisor, *run.Begun) {
			first := l.supervisor(t)
			b := begin(t, first, run.Message{Text: waits})
			drainNow(first)
			return l.supervisor(t), b
		}},
		{"while it waits for its turn", func(t *testing.T, l *lab) (*run.Supervisor, *run.Begun) {
			first := l.supervisor(t)
			b := begin(t, first, run.Message{Text: waits})
			drainNow(first)
			s := l.supervisor(t, func(c *run.SupervisorConfig) { c.MaxRuns = 1 })
			begin(t, s, run.Message{Text: obstinate})
			s.Adopt()
			return s, b
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab()
				s, b := tc.begin(t, l)
				info, err := s.Run("ann", b.Run)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if err := s.Cancel(t.Context(), info, "enough"); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took > time.Second {
					t.Errorf("it took %v", took)
				}
				if got := l.recorded(t, b.Session, b.Run); got != journal.Canceled || status(t, s, b.Run) != got {
					t.Errorf("the run is %s", got)
				}
				var over *run.OverError
				info, _ = s.Run("ann", b.Run)
				if err := s.Cancel(t.Context(), info, "again"); !errors.As(err, &over) || over.Status != journal.Canceled {
					t.Errorf("cancelling again: %v", err)
				}
			})
		})
	}
}

// flaky fails for a while.
type flaky struct {
	journal.Store
	until time.Time
	after int // so many appends are good before that

	appends int
}

func (f *flaky) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	f.appends++
	if f.appends > f.after && time.Now().Before(f.until) {
		return errors.New("the disk is full")
	}
	return f.Store.Append(ctx, session, seq, e)
}

// A run that can't be recorded pauses, its watchers hear of it, and it goes on when the store does.
func TestRun_pauses_while_the_store_fails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		store := &flaky{Store: l.store, after: 2, until: time.Now().Add(5 * time.Second)}
		s := l.supervisor(t, func(c *run.SupervisorConfig) { c.Current = l.service(store) })
		b := begin(t, s, run.Message{Text: obstinate})
		pauses := 0
		for e, err := range b.Watcher.Events(t.Context()) {
			var pause *run.InterruptedError
			if errors.As(err, &pause) && pause.Run == b.Run {
				pauses++
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == workflow.RunCompleted {
				break
			}
		}
		if pauses != 3 {
			t.Errorf("it paused %d times, want 3: after 1, 2 and 6 seconds", pauses)
		}
		if got := l.recorded(t, b.Session, b.Run); got != journal.Completed {
			t.Errorf("the run is %s", got)
		}
	})
}

func TestFailures_are_told(t *testing.T) {
	s := newLab().supervisor(t)
	b := begin(t, s, run.Message{Text: fails})
	if e := last(t, b); e.Kind != workflow.RunFailed {
		t.Errorf("the run ends with %s", e.Kind)
	}
	if got := status(t, s, b.Run); got != journal.Failed {
		t.Errorf("the run is %s", got)
	}
}
