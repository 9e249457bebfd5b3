package workflow

import (
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// recordedUse is what earlier processes recorded of a part: the usage of the messages of its activations and of those below
// them, and the time that these executed. They are the activations that the author wrote messages in, and those of the node
// with a definition.
func (r *run) recordedUse(p Part, definition string) *partUse {
	use := &partUse{Part: p}
	if r.rec == nil {
		return use
	}
	own := r.activationsOf(p)
	belongs := func(path string) bool {
		for ; path != ""; path = journal.ParentOf(path) {
			if own[path] || DefinitionOf(path) == definition {
				return true
			}
		}
		return false
	}
	r.rec.mu.RLock()
	for m := range r.rec.fold.Messages(r.id) {
		if m.Usage != nil && belongs(m.Path) {
			use.used = use.used.Add(*m.Usage)
		}
	}
	r.rec.mu.RUnlock()
	if p.Limits.MaxDuration > 0 && r.reread != nil {
		use.executed = r.recordedTime(belongs)
	}
	return use
}

// activationsOf are those that the author of a part has written messages in.
func (r *run) activationsOf(p Part) map[string]bool {
	r.rec.mu.RLock()
	defer r.rec.mu.RUnlock()
	own := map[string]bool{}
	for m := range r.rec.fold.Messages(r.id) {
		path := m.Path
		if p.Leads {
			path = journal.ParentOf(path)
		}
		if m.Author == p.Author && (p.Node == "" || DefinitionOf(path) == p.Node) {
			own[path] = true
		}
	}
	return own
}

// recordedTime sums up how long earlier processes executed some activation of a kind: from its start to its end, or to the
// last entry of the process that executed it. A log that can't be read any more counts as far as it can.
func (r *run) recordedTime(of func(path string) bool) time.Duration {
	var executed time.Duration
	var last time.Time
	open := map[string]bool{}
	for e, err := range r.reread() {
		if err != nil {
			break
		}
		if e.Run != r.id || e.IsRequest() {
			continue
		}
		if _, takenOver := e.Records[0].(journal.Own); takenOver {
			clear(open)
		}
		if len(open) > 0 {
			executed += e.At.Sub(last)
		}
		last = e.At
		for _, rec := range e.Records {
			note(open, rec, of)
		}
	}
	return executed
}

// note keeps the activations of a kind that execute.
func note(open map[string]bool, rec journal.Record, of func(path string) bool) {
	switch rec := rec.(type) {
	case journal.Start:
		if of(rec.Path) {
			open[rec.Path] = true
		}
	case journal.End:
		delete(open, rec.Path)
	case journal.Fail:
		delete(open, rec.Path)
	case journal.Wait:
		delete(open, rec.Path)
	}
}
