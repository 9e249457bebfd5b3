package run_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

func TestBegin_runs_apart_from_its_caller(t *testing.T) {
	l := newLab()
	s := l.supervisor(t)
	ctx, leave := context.WithCancel(t.Context())
	b, err := s.Begin(ctx, run.Message{Text: "hello", Principal: "ann", User: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Watcher.Close()
	leave()
	if e := last(t, b); e.Kind != workflow.RunCompleted || e.Output != "done: hello" {
		t.Errorf("the run ends with %s, %v", e.Kind, e.Output)
	}
	info, err := s.Run("ann", b.Run)
	if err != nil {
		t.Fatal(err)
	}
	if info.Status != journal.Completed || info.Session != b.Session || info.Started.IsZero() || info.Updated.Before(info.Started) {
		t.Errorf("the index says %+v", info)
	}
}

func TestBegin_continues_a_session(t *testing.T) {
	s := newLab().supervisor(t)
	first := begin(t, s, run.Message{Text: "one"})
	last(t, first)
	second := begin(t, s, run.Message{Text: "two", Session: first.Session})
	if e := last(t, second); e.Output != "done: two" || second.Session != first.Session || second.Run == first.Run {
		t.Errorf("the second run is %+v and gives %v", second, e.Output)
	}
	if n := len(s.Runs("ann")); n != 2 {
		t.Errorf("there are %d runs, want 2", n)
	}
}

// What isn't there and what is another's can't be told apart.
func TestBegin_in_the_session_of_another_principal(t *testing.T) {
	s := newLab().supervisor(t)
	b := begin(t, s, run.Message{Text: "mine"})
	last(t, b)
	for _, session := range []string{b.Session, "s_NOSUCH"} {
		_, err := s.Begin(t.Context(), run.Message{Text: "theirs", Session: session, Principal: "bob"})
		var missing *run.NotFoundError
		if !errors.As(err, &missing) || missing.Session != session {
			t.Errorf("session %s: %v", session, err)
		}
	}
	if _, err := s.Run("bob", b.Run); !errors.As(err, new(*run.NotFoundError)) {
		t.Errorf("the run of another: %v", err)
	}
	if s.Owns("bob", b.Session) || !s.Owns("ann", b.Session) || len(s.Runs("bob")) != 0 {
		t.Error("the session belongs to who didn't make it")
	}
}

func TestBegin_same_message_twice(t *testing.T) {
	l := newLab()
	s := l.supervisor(t)
	m := run.Message{ID: "m-1", Text: "hello"}
	first := begin(t, s, m)
	last(t, first)
	for name, s := range map[string]*run.Supervisor{"in the same process": s, "in the next": l.supervisor(t)} {
		again := begin(t, s, m)
		if again.Run != first.Run || again.Session != first.Session || !again.Repeated {
			t.Errorf("%s: %+v, want the run %s", name, again, first.Run)
		}
	}
	m.Session = first.Session
	if again := begin(t, s, m); again.Run != first.Run {
		t.Error("the message began another run when it named its session")
	}
	if n := l.executions("hello"); n != 1 {
		t.Errorf("the node was executed %d times", n)
	}
}

func TestBegin_ids_of_messages_belong_to_principals(t *testing.T) {
	s := newLab().supervisor(t)
	ann := begin(t, s, run.Message{ID: "m-1", Text: "hello"})
	bob := begin(t, s, run.Message{ID: "m-1", Text: "hello", Principal: "bob"})
	if ann.Session == bob.Session || bob.Repeated {
		t.Error("two principals share a session")
	}
}

func TestBegin_with_the_id_of_another_message(t *testing.T) {
	s := newLab().supervisor(t)
	last(t, begin(t, s, run.Message{ID: "m-1", Text: "hello"}))
	_, err := s.Begin(t.Context(), run.Message{ID: "m-1", Text: "goodbye", Principal: "ann"})
	var reused *run.ReusedError
	if !errors.As(err, &reused) || reused.Message != "m-1" {
		t.Errorf("got %v", err)
	}
}

// Of messages that arrive at once, one begins a run; those of the same id get it, too.
func TestBegin_at_once(t *testing.T) {
	l := newLab()
	s := l.supervisor(t)
	var mu sync.Mutex
	runs := map[string]int{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			b, err := s.Begin(t.Context(), run.Message{ID: "m-1", Text: "hello", Principal: "ann"})
			if err != nil {
				t.Error(err)
				return
			}
			defer b.Watcher.Close()
			mu.Lock()
			defer mu.Unlock()
			runs[b.Run]++
		})
	}
	all.Wait()
	if len(runs) != 1 {
		t.Errorf("the message began %d runs", len(runs))
	}
}

func TestBegin_in_a_busy_session(t *testing.T) {
	s := newLab().supervisor(t)
	first := begin(t, s, run.Message{Text: waits})
	_, err := s.Begin(t.Context(), run.Message{Text: "next", Session: first.Session, Principal: "ann"})
	var busy *run.BusyError
	if !errors.As(err, &busy) || busy.Run != first.Run || busy.Status != journal.Running {
		t.Errorf("got %v", err)
	}
}

func TestBegin_more_runs_than_may_execute(t *testing.T) {
	s := newLab().supervisor(t, func(c *run.SupervisorConfig) { c.MaxRuns = 2 })
	first := begin(t, s, run.Message{Text: waits})
	last(t, begin(t, s, run.Message{Text: "one"}))
	last(t, begin(t, s, run.Message{Text: "two"}))
	begin(t, s, run.Message{Text: obstinate})
	_, err := s.Begin(t.Context(), run.Message{Text: "three", Principal: "ann"})
	var full *run.FullError
	if !errors.As(err, &full) || full.Limit != 2 {
		t.Fatalf("got %v", err)
	}
	info, _ := s.Run("ann", first.Run)
	if err := s.Cancel(t.Context(), info, "test"); err != nil {
		t.Fatal(err)
	}
	last(t, begin(t, s, run.Message{Text: "three"}))
}

// A store that fails while a run begins leaves open whether it has. The message finds out when it is sent again.
func TestBegin_when_the_store_fails(t *testing.T) {
	for _, moment := range []storetest.Moment{storetest.Before, storetest.After} {
		for n := 1; n <= 2; n++ {
			synctest.Test(t, func(t *testing.T) {
				l := newLab()
				faulty := storetest.NewFaulty(l.store, n, moment)
				first := l.supervisor(t, func(c *run.SupervisorConfig) { c.Current = l.service(faulty) })
				m := run.Message{ID: "m-1", Text: "hello", Principal: "ann"}
				if _, err := first.Begin(t.Context(), m); !errors.Is(err, storetest.ErrInjected) {
					t.Fatalf("%s append %d: %v", moment, n, err)
				}
				second := l.supervisor(t)
				b := begin(t, second, m)
				if !b.Repeated {
					last(t, b)
				}
				synctest.Wait()
				if got := l.recorded(t, b.Session, b.Run); got != journal.Completed {
					t.Errorf("%s append %d: the run is %s", moment, n, got)
				}
			})
		}
	}
}

// A session is released before the next run begins in it, however long that takes.
func TestBegin_after_the_session_was_released(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		l := newLab()
		s := l.supervisor(t, func(c *run.SupervisorConfig) { c.Released = func(string) { <-release } })
		first := begin(t, s, run.Message{Text: "one"})
		last(t, first)
		var second atomic.Pointer[run.Begun]
		go func() { second.Store(begin(t, s, run.Message{Text: "two", Session: first.Session})) }()
		synctest.Wait()
		if second.Load() != nil || l.executions("two") != 0 {
			t.Error("a run began in a session that wasn't released")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Begin(ctx, run.Message{Text: "three", Session: first.Session, Principal: "ann"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a caller who can't wait gets %v", err)
		}
		close(release)
		synctest.Wait()
		if b := second.Load(); b == nil || l.executions("two") != 1 {
			t.Error("the run didn't begin after the session was released")
		}
	})
}
