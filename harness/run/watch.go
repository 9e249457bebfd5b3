package run

import (
	"context"
	"iter"
	"slices"
	"sync"

	"github.com/plait-dev/plait/pkg/workflow"
)

// maxWaiting is how many events may wait for a watcher before it is told that it lags.
const maxWaiting = 1024

// Watcher sees the events of one run from when it was made on, whether the run executes then or later. Its owner closes
// it.
type Watcher struct {
	run  string
	from *broker

	mu      sync.Mutex
	waiting []signal
	closed  bool
	wake    chan struct{} // has room for one: something is waiting
}

// signal is what a watcher is told: an event or an error.
type signal struct {
	event workflow.Event
	err   error
}

// Events yields what happens, as long as ctx lasts. An error may come at any place:
//   - [ErrLagged] stands for events that were missed, because the watcher takes them too slowly;
//   - an [*InterruptedError] says that the run pauses;
//   - [ErrDraining] and the cause of ctx are the last element.
//
// The texts of a node that wait for the watcher are handed over as one.
func (w *Watcher) Events(ctx context.Context) iter.Seq2[workflow.Event, error] {
	return func(yield func(workflow.Event, error) bool) {
		for {
			signals, closed := w.take()
			for _, s := range signals {
				if !yield(s.event, s.err) {
					return
				}
			}
			if closed {
				yield(workflow.Event{}, ErrDraining)
				return
			}
			select {
			case <-w.wake:
			case <-ctx.Done():
				yield(workflow.Event{}, context.Cause(ctx))
				return
			}
		}
	}
}

// Close ends the watching.
func (w *Watcher) Close() { w.from.remove(w) }

func (w *Watcher) take() (signals []signal, closed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	signals, w.waiting = w.waiting, nil
	return signals, w.closed
}

// tell never waits: who executes a run doesn't know who watches it.
func (w *Watcher) tell(s signal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.merge(s):
	case len(w.waiting) >= maxWaiting:
		w.waiting = []signal{{err: ErrLagged}, s}
	default:
		w.waiting = append(w.waiting, s)
	}
	w.rouse()
}

// merge adds a piece of text to the piece before it, when that still waits.
func (w *Watcher) merge(s signal) bool {
	if len(w.waiting) == 0 || !isText(s) {
		return false
	}
	last := &w.waiting[len(w.waiting)-1]
	if !isText(*last) || last.event.Path != s.event.Path || last.event.Attempt != s.event.Attempt {
		return false
	}
	last.event.Progress = &workflow.Progress{Text: last.event.Progress.Text + s.event.Progress.Text}
	return true
}

func isText(s signal) bool {
	p := s.event.Progress
	return s.event.Kind == workflow.Progressed && p != nil && p.Data == nil
}

func (w *Watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.rouse()
}

func (w *Watcher) rouse() {
	select {
	case w.wake <- struct{}{}:
	default: // it is awake already
	}
}

// broker brings the events of runs to their watchers. The zero value is ready for use.
type broker struct {
	mu     sync.RWMutex
	by     map[string][]*Watcher
	closed bool
}

func (b *broker) add(run string) *Watcher {
	w := &Watcher{run: run, from: b, wake: make(chan struct{}, 1)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		w.close()
		return w
	}
	if b.by == nil {
		b.by = map[string][]*Watcher{}
	}
	b.by[run] = append(b.by[run], w)
	return w
}

func (b *broker) remove(w *Watcher) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(b.by[w.run]), func(other *Watcher) bool { return other == w })
	if len(rest) == 0 {
		delete(b.by, w.run)
		return
	}
	b.by[w.run] = rest
}

func (b *broker) tell(run string, s signal) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, w := range b.by[run] {
		w.tell(s)
	}
}

// close ends all watching, present and future.
func (b *broker) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, watchers := range b.by {
		for _, w := range watchers {
			w.close()
		}
	}
}
