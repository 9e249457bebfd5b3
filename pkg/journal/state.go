package journal

import (
	"iter"
	"slices"
)

// SessionState is what the log of a session says up to an entry: the fold of the entries. It is made by [Fold] or
// [Load] and kept up to date by [SessionState.Apply]; everything it holds is for reading. It isn't safe for use while
// an entry is applied.
type SessionState struct {
	// Session is the session's record.
	Session Session

	// Seq is the number of the last entry that was applied.
	Seq int64

	// State is the session's state, with the keys as they were recorded, prefixes included. Keys with [TempPrefix] are
	// in the run instead.
	State map[string]any

	// Written says who wrote the present value of each key, or removed it, after the session began.
	Written map[string]Write

	// Tip is the newest message, or the one that a [Tip] record chose.
	Tip string

	// Runs are in the order in which they were first recorded.
	Runs []*RunState

	nodes   map[string]*Node
	runs    map[string]*RunState
	damaged bool
	err     error
}

// Write is the origin of a value of the state.
type Write struct {
	Run  string
	Path string
	Pos  Pos
}

// Run returns the run of that id, or nil.
func (s *SessionState) Run(id string) *RunState { return s.runs[id] }

// Lineage returns a run, the run that it goes on from, and so on.
func (s *SessionState) Lineage(id string) []string {
	lineage := []string{id}
	for r := s.runs[id]; r != nil && r.Run.Of != "" && !slices.Contains(lineage, r.Run.Of); r = s.runs[r.Run.Of] {
		lineage = append(lineage, r.Run.Of)
	}
	return lineage
}

// Messages yields the messages of a run, in no particular order.
func (s *SessionState) Messages(run string) iter.Seq[Msg] {
	return func(yield func(Msg) bool) {
		for _, n := range s.nodes {
			if m, ok := n.Record.(Msg); ok && n.Run == run && !yield(m) {
				return
			}
		}
	}
}

// Info returns what an index of runs knows of the run.
func (s *SessionState) Info(r *RunState) RunInfo {
	return RunInfo{
		Session:         s.Session.ID,
		App:             s.Session.App,
		Principal:       s.Session.Principal,
		User:            s.Session.User,
		Run:             r.ID,
		Status:          r.Status(),
		Reason:          r.Reason(),
		Config:          r.Run.Config,
		Format:          max(r.Run.Format, 1),
		Owner:           r.Owner,
		Epoch:           r.Epoch,
		Started:         r.Started,
		Updated:         r.Updated,
		Wake:            r.Wake(),
		CancelRequested: r.CancelRequest != nil,
	}
}
