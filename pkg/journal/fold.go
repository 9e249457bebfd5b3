package journal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
)

// Load folds a session's log.
func Load(ctx context.Context, log Log, session string) (*SessionState, error) {
	return Fold(session, log.Read(ctx, session, 1))
}

// Fold returns what a session's entries say. Entries that are damaged suspend the runs that they may concern, see
// [SessionState.Skip]; any other error of the sequence is returned, and so is a *[FoldError] when the entries
// contradict each other.
func Fold(session string, entries iter.Seq2[*Entry, error]) (*SessionState, error) {
	s := NewSessionState(session)
	for e, err := range entries {
		var damage *DamagedError
		switch {
		case err == nil:
			err = s.Apply(e)
		case errors.As(err, &damage):
			err = s.Skip(damage)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// NewSessionState is the fold of no entries.
func NewSessionState(session string) *SessionState {
	return &SessionState{
		Session: Session{ID: session},
		State:   map[string]any{},
		Written: map[string]Write{},
		nodes:   map[string]*Node{},
		runs:    map[string]*RunState{},
	}
}

// Apply adds the next entry. A *[FoldError] says that the entry can't follow those before it; the state is of no use
// then, and every further Apply returns that error.
func (s *SessionState) Apply(e *Entry) error {
	if s.err != nil {
		return s.err
	}
	f := &folder{SessionState: s, entry: e, pos: Pos{Seq: e.Seq}}
	if e.Seq != s.Seq+1 {
		f.contradictf("", "entry %d comes next", s.Seq+1)
	}
	for i, r := range e.Records {
		f.pos.Index = i
		f.apply(r)
		if s.err != nil {
			return s.err
		}
	}
	s.Seq = e.Seq
	return nil
}

// Skip passes over an entry that can't be read. Every run that isn't over becomes suspended as [Damaged], because the
// entry may have concerned it, and so does a run whose begin isn't found from here on. What their later entries wrote
// to the state and the transcript counts; what they say of activations doesn't, as it can't be told what it rests on.
func (s *SessionState) Skip(d *DamagedError) error {
	switch {
	case s.err != nil:
		return s.err
	case d.Seq != s.Seq+1:
		s.err = &FoldError{Session: s.Session.ID, Pos: Pos{Seq: d.Seq}, Problem: fmt.Sprintf("entry %d comes next", s.Seq+1)}
		return s.err
	}
	s.Seq, s.damaged = d.Seq, true
	for _, r := range s.Runs {
		r.damaged = true
	}
	return nil
}

// folder applies the records of one entry.
type folder struct {
	*SessionState
	entry *Entry
	pos   Pos
}

// contradictf notes the first contradiction.
func (f *folder) contradictf(path, format string, args ...any) {
	if f.err == nil {
		f.err = &FoldError{Session: f.Session.ID, Pos: f.pos, Run: f.entry.Run, Path: path,
			Problem: fmt.Sprintf(format, args...)}
	}
}

func (f *folder) apply(r Record) {
	if _, begins := r.(Session); begins != (f.pos == Pos{Seq: 1}) {
		f.contradictf("", "a log begins with its session record and has no other")
		return
	}
	switch r := r.(type) {
	case Session:
		f.session(r)
	case Queue:
		f.queued(r)
	case Run:
		f.begin(r)
	case Msg:
		f.message(r)
	case Sum:
		f.checkpoint(r)
	case Tip:
		f.moveTip(r)
	case Note:
		if f.entry.Run != "" {
			f.applyRun(r)
		}
	default:
		f.applyRun(r)
	}
}

// applyRun applies a record of a run.
func (f *folder) applyRun(r Record) {
	run := f.run()
	if run == nil {
		return
	}
	switch r := r.(type) {
	case Note:
		run.Notes = append(run.Notes, r)
	case Own:
		run.own(r)
	case Cancel:
		run.CancelRequest = &r
	case Stop:
		run.Stop = &r
	case Done:
		f.done(run, r)
	case Answer:
		f.answer(run, r)
	default:
		run.Stop = nil
		f.applyActivation(run, r)
	}
}

// applyActivation applies a record of an activation.
func (f *folder) applyActivation(run *RunState, r Record) {
	if end, ok := r.(End); ok {
		f.commit(run, end.Path, end.Within, end.Set, end.Delete)
	}
	switch {
	case run.damaged:
		return
	case !run.begun:
		f.contradictf("", "%s before the run's record", r.Kind())
		return
	}
	switch r := r.(type) {
	case Start:
		f.start(run, r)
	case End:
		f.end(run, r)
	case Fail:
		f.fail(run, r)
	case Wait:
		f.wait(run, r)
	case Call:
		f.call(run, r)
	}
}

// run returns the run that the entry belongs to, which isn't over.
func (f *folder) run() *RunState {
	run := f.runs[f.entry.Run]
	switch {
	case run == nil && f.damaged && f.entry.Run != "":
		run = f.addRun(f.entry.Run)
		run.damaged = true
	case run == nil:
		f.contradictf("", "the record belongs to no run that was recorded")
		return nil
	case run.Done != nil:
		f.contradictf("", "the run is over")
		return nil
	}
	run.Updated, run.Epoch = f.entry.At, max(run.Epoch, f.entry.Epoch)
	return run
}

func (f *folder) addRun(id string) *RunState {
	run := &RunState{ID: id, Started: f.entry.At, Updated: f.entry.At, Epoch: f.entry.Epoch,
		Temp: map[string]any{}, byPath: map[string]*Activation{}}
	f.Runs = append(f.Runs, run)
	f.runs[id] = run
	return run
}

func (f *folder) session(r Session) {
	if r.ID != f.Session.ID {
		f.contradictf("", "the log is that of session %s", r.ID)
		return
	}
	f.Session = r
	maps.Copy(f.State, r.State)
}

func (f *folder) queued(r Queue) {
	if f.runs[r.Run] != nil {
		f.contradictf("", "run %s is queued, but it was recorded before", r.Run)
		return
	}
	f.addRun(r.Run).Message = r.Message
}

func (f *folder) begin(r Run) {
	run := f.runs[r.ID]
	switch {
	case r.ID != f.entry.Run:
		f.contradictf("", "the record begins run %s", r.ID)
		return
	case run != nil && (run.begun || run.Done != nil):
		f.contradictf("", "the run begins twice")
		return
	case run == nil:
		run = f.addRun(r.ID)
	}
	if r.Of != "" && f.runs[r.Of] == nil && !f.damaged {
		f.contradictf("", "it goes on from the run %s, which was never recorded", r.Of)
	}
	run.Run, run.begun, run.Updated = r, true, f.entry.At
	maps.Copy(run.Temp, r.Temp)
}

func (f *folder) done(run *RunState, r Done) {
	if !r.Status.Final() {
		f.contradictf("", "a run can't end as %q", r.Status)
		return
	}
	run.Done = &r
	run.Temp, run.Interrupts, run.Calls, run.Arrivals = nil, nil, nil, nil
	for _, a := range run.Activations {
		if a.State.Live() {
			a.State = ActivationCanceled
		}
	}
}
