package run

import "github.com/plait-dev/plait/pkg/workflow"

// Tell tells the watchers of a run of an event that didn't happen.
func Tell(s *Supervisor, run string, e workflow.Event) { s.watchers.tell(run, signal{event: e}) }

// Waiting is how many events wait for a watcher.
func Waiting(w *Watcher) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.waiting)
}
