package run_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Texts that wait are handed over as one; that they are the same together is what counts.
func TestWatcher_merges_texts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLab().supervisor(t)
		b := begin(t, s, run.Message{Text: speaks})
		synctest.Wait() // everything waits by now
		var texts []string
		for e, err := range b.Watcher.Events(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == workflow.Progressed {
				texts = append(texts, e.Progress.Text)
			}
			if e.Kind == workflow.RunCompleted {
				break
			}
		}
		if diff := cmp.Diff([]string{"one two three"}, texts); diff != "" {
			t.Error(diff)
		}
	})
}

// A watcher that doesn't look loses events, is told so, and still sees the end.
func TestWatcher_lags(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		s := l.supervisor(t)
		first := begin(t, s, run.Message{Text: "0"})
		last(t, first)
		slow := s.Watch(first.Run)
		defer slow.Close()
		for range 1100 {
			run.Tell(s, first.Run, workflow.Event{Kind: workflow.NodeStarted})
		}
		run.Tell(s, first.Run, workflow.Event{Kind: workflow.RunCompleted})
		lagged, seen := 0, 0
		for e, err := range slow.Events(t.Context()) {
			if errors.Is(err, run.ErrLagged) {
				lagged++
				continue
			}
			seen++
			if e.Kind == workflow.RunCompleted {
				break
			}
		}
		if lagged != 1 || seen > 100 {
			t.Errorf("it was told %d times that it lags, and saw %d events", lagged, seen)
		}
	})
}

func TestWatcher_closed_hears_nothing(t *testing.T) {
	s := newLab().supervisor(t)
	closed, open := s.Watch("r"), s.Watch("r")
	defer open.Close()
	closed.Close()
	closed.Close()
	run.Tell(s, "r", workflow.Event{Kind: workflow.RunStarted})
	for e := range open.Events(t.Context()) {
		if e.Kind != workflow.RunStarted {
			t.Errorf("got %s", e.Kind)
		}
		break
	}
	if n := run.Waiting(closed); n != 0 {
		t.Errorf("%d events wait for a watcher that was closed", n)
	}
}
