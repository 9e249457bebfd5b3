package workflow

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// recorder writes the entries of a run and keeps the fold of its session. A run without a store that needs its
// transcript has a recorder without a writer.
type recorder struct {
	ctx    context.Context // outlives the cancellation of the run
	writer *journal.Writer
	now    func() time.Time
	run    string

	mu   sync.RWMutex // bodies read the fold while the loop advances it
	fold *journal.SessionState
}

// commit writes records as one entry, and returns it once it is durable. An entry that contradicts the log is an error and
// isn't written: it would be the end of the session, and not of this run alone.
func (rec *recorder) commit(records []journal.Record) (*journal.Entry, error) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.writer != nil {
		return rec.writer.CommitChecked(rec.ctx, rec.fold.Apply, records...)
	}
	e := &journal.Entry{Seq: rec.fold.Seq + 1, At: rec.now(), Run: rec.run, Records: records}
	return e, rec.fold.Apply(e)
}

// tip returns the newest message.
func (rec *recorder) tip() string {
	rec.mu.RLock()
	defer rec.mu.RUnlock()
	return rec.fold.Tip
}

// transcript returns what an activation sees of the session's messages.
func (r *run) transcript(a *activation) Transcript {
	if r.rec == nil {
		return Transcript{}
	}
	rec := r.rec
	rec.mu.RLock()
	defer rec.mu.RUnlock()
	t := Transcript{Tip: rec.fold.Tip, Thread: rec.fold.Thread(rec.fold.Tip, r.view(a))}
	if i := a.isolated(); i != nil {
		t.Request = journal.Some(i.input)
	}
	for _, n := range t.Thread {
		if m, ok := n.Record.(journal.Msg); ok && r.includes(n.Run) && m.Path == a.path {
			t.Own = append(t.Own, m)
		}
	}
	for _, c := range rec.fold.Run(r.id).Calls {
		if c.Call.Path == a.path {
			t.Calls = append(t.Calls, c)
		}
	}
	return t
}

// before returns what an activation saw of the session's messages when its attempt began.
func (r *run) before(a *activation) []*journal.Node {
	if r.rec == nil {
		return nil
	}
	rec := r.rec
	rec.mu.RLock()
	defer rec.mu.RUnlock()
	began := rec.fold.Run(r.id).Activation(a.path).Started
	return slices.DeleteFunc(rec.fold.Thread(rec.fold.Tip, r.view(a)), func(n *journal.Node) bool { return n.Pos.Compare(began) > 0 })
}

// firstMessage finds the message that began a run.
func firstMessage(fold *journal.SessionState, run string) *journal.Msg {
	if id := fold.Run(run).Run.Message; id != "" {
		return messageOf(fold, id)
	}
	var first *journal.Msg
	for n := fold.Node(fold.Tip); n != nil; n = fold.Node(n.Parent) {
		if m, ok := n.Record.(journal.Msg); ok && n.Run == run && m.Role == journal.RoleUser && m.Path == "" {
			first = &m
		}
	}
	return first
}

func messageOf(fold *journal.SessionState, id string) *journal.Msg {
	n := fold.Node(id)
	if n == nil {
		return nil
	}
	m, ok := n.Record.(journal.Msg)
	if !ok {
		return nil
	}
	return &m
}
