package workflow

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// maxRecoveries is how often a run may be recovered from a dead process while one activation runs. After that it is the
// activation that is to blame.
const maxRecoveries = 3

// Resume takes up a run that isn't over and yields its events from there on, as [Workflow.Run] does. What had ended
// is not executed again; what was executing is, in the same attempt. Resuming a run that is over tells its end again.
// A run that can't go on with this workflow becomes suspended.
func (w *Workflow) Resume(ctx context.Context, req ResumeRequest) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := newRun(ctx, w, req.Env, yield)
		past, refusal := r.reopen(req)
		switch {
		case refusal != nil:
			r.cancel(refusal)
			r.refuse(refusal)
			return
		case past.Done != nil && len(req.Answers) > 0:
			refusal := &RunError{Code: CodeAnswer, Message: "the run " + req.Run + " is over, it asks nothing any more"}
			r.cancel(refusal)
			r.refuse(refusal)
			return
		case past.Done != nil:
			r.cancel(ErrSuspend)
			r.retell(past.Done)
			return
		}
		why := r.obstacle(req, past)
		answers, err := checkAnswers(past.Interrupts, req.Answers, r.env.Clock.Now())
		switch {
		case err != nil:
			r.refuseAnswers(err)
			return
		case why != "":
			r.stayStopped(past, why)
		case r.sleepsOn(req, past):
			r.cancel(errDormant)
			e := r.waits(past)
			e.At = past.Updated
			r.yield(e, nil)
			return
		default:
			err = r.takeUp(req, past).proceed(answers)
		}
		if err != nil {
			r.close()
			r.refuseAnswers(err)
			return
		}
		r.drive()
	}
}

// refuseAnswers tells that answers aren't taken, and that nothing has changed.
func (r *run) refuseAnswers(err error) {
	r.cancel(err)
	r.refuse(&RunError{Code: CodeAnswer, Message: err.Error(), Err: err})
}

// reopen folds the session's log and finds the run in it.
func (r *run) reopen(req ResumeRequest) (*journal.RunState, *RunError) {
	if req.Store == nil {
		return nil, badRequest("a run is resumed from a store")
	}
	r.id = req.Run
	ctx := context.WithoutCancel(r.parent)
	measured := &stopwatch{run: req.Run}
	fold, err := journal.Fold(req.Session, measured.watch(req.Store.Read(ctx, req.Session, 1)))
	var unknown *journal.UnknownSessionError
	switch {
	case errors.As(err, &unknown):
		return nil, badRequest("there is no session %s", req.Session)
	case err != nil:
		return nil, journalFailure(err)
	}
	past := fold.Run(req.Run)
	if past == nil {
		return nil, badRequest("the session %s has no run %s", req.Session, req.Run)
	}
	r.reread = func() iter.Seq2[*journal.Entry, error] { return req.Store.Read(ctx, req.Session, 1) }
	r.executed, r.started, r.input = measured.executed, past.Started, past.Run.Input
	r.lineage = fold.Lineage(req.Run)
	r.use.total = past.Usage
	r.message = firstMessage(fold, req.Run)
	r.warnings = append(r.warnings, past.Notes...)
	return past, r.attach(ctx, req.Store, fold, req.Epoch, past.Temp)
}

// stopwatch sums up how long the processes that owned a run before have executed it: from where they took it up to the
// last entry that they wrote.
type stopwatch struct {
	run      string
	last     time.Time
	executed time.Duration
}

func (s *stopwatch) watch(entries iter.Seq2[*journal.Entry, error]) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		for e, err := range entries {
			if e != nil && e.Run == s.run && !e.IsRequest() {
				s.see(e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (s *stopwatch) see(e *journal.Entry) {
	if _, takenOver := e.Records[0].(journal.Own); !takenOver && !s.last.IsZero() {
		s.executed += e.At.Sub(s.last)
	}
	s.last = e.At
}

// retell yields the end of a run that is over.
func (r *run) retell(done *journal.Done) {
	e := Event{Output: done.Output.Value(), Warnings: r.warnings, Record: *done}
	var err *RunError
	switch done.Status {
	case journal.Completed:
		e.Kind = RunCompleted
	case journal.Canceled:
		e.Kind, err = RunCanceled, &RunError{Code: CodeCanceled, Message: "canceled"}
	default:
		e.Kind, err = RunFailed, &RunError{Code: CodeError}
	}
	if done.Err != nil {
		err.Code, err.Message, err.Field = Code(done.Err.Code), done.Err.Message, done.Err.Field
	}
	if r.yield(e, nil) && err != nil {
		r.yield(Event{}, err)
	}
}

// obstacle says why this workflow can't go on with a run, or returns "".
func (r *run) obstacle(req ResumeRequest, past *journal.RunState) string {
	config := past.Run.Config
	switch {
	case past.Reason() == journal.Damaged:
		return journal.Damaged
	case config != req.Config:
		return SuspendedConfigDiffers
	case config == "":
		return ""
	}
	var missing *journal.NotFoundError
	if _, err := req.Store.GetConfig(r.rec.ctx, config); errors.As(err, &missing) {
		return SuspendedConfigMissing
	}
	return ""
}

// stayStopped suspends a run that can't go on; one that was suspended for the same reason is left as it is.
func (r *run) stayStopped(past *journal.RunState, why string) {
	r.end(&ending{status: journal.Suspended, why: why, cause: ErrSuspend})
	if past.Reason() == why {
		r.over = true
		r.announce(Event{Kind: RunSuspended, Record: journal.Stop{Why: why}}, -1)
	}
}

// takeUp makes this process the owner of the run and restores what it was doing. It returns nil when nothing is to go on.
func (r *run) takeUp(req ResumeRequest, past *journal.RunState) *restoring {
	own := journal.Own{Owner: req.Owner, Epoch: req.Epoch}
	for _, a := range past.Activations {
		if a.State == journal.ActivationRunning {
			own.Recoveries = max(own.Recoveries, recoveries(past, a))
		}
	}
	r.announce(Event{Kind: RunResumed, Record: own}, r.record(own))
	r.republish()
	restored, err := r.restore(past)
	if err != nil {
		r.records, r.told = nil, nil
		r.stayStopped(past, SuspendedGraphDiffers)
		return nil
	}
	if e := r.endedBefore(past); e != nil {
		r.end(e)
		return nil
	}
	return restored
}

// proceed lets a run go on that was restored, with answers. The error says that one of them isn't taken.
func (s *restoring) proceed(answers []journal.Answer) error {
	if s == nil {
		return nil
	}
	r := s.run
	if err := r.checkEdits(answers); err != nil {
		return err
	}
	r.recordAnswers(answers) // before anything else ends what asked
	s.rerun()
	r.goOnWith(answers)
	r.lapseAll()
	r.root.fireComplete()
	r.unsettle(r.root)
	return nil
}

// sleepsOn says that a run waits, and that nobody has answered.
func (r *run) sleepsOn(req ResumeRequest, past *journal.RunState) bool {
	wake := past.Wake()
	return past.Status() == journal.Waiting && len(req.Answers) == 0 && r.ctx.Err() == nil && (wake.IsZero() || wake.After(r.env.Clock.Now()))
}

// rerun carries out what was executing, but for what is to blame that its process died again and again.
func (s *restoring) rerun() {
	for _, a := range s.executing {
		if !s.deadly[a.path] && a.stopping() == nil {
			s.run.rerun(a)
		}
	}
	for _, a := range s.executing {
		if s.deadly[a.path] && a.stopping() == nil {
			s.run.fail(a.ctx, Terminal(Errorf(CodeCrashLoop, "the process died more than %d times while it ran",
				maxRecoveries)))
		}
	}
	for _, a := range s.answered {
		if a.stopping() == nil {
			s.run.takeAnswer(a, a.pause.answer)
		}
	}
}

// deadly lists the activations during which a run was recovered too often.
func deadly(past *journal.RunState) map[string]bool {
	list := map[string]bool{}
	for _, a := range past.Activations {
		if a.State == journal.ActivationRunning && recoveries(past, a) > maxRecoveries {
			list[a.Path] = true
		}
	}
	return list
}

// recoveries counts how often the run was recovered while an activation ran, this time included. A run that was
// suspended isn't recovered, nor is one that waits, in which the body of a dynamic node counts as running.
func recoveries(past *journal.RunState, a *journal.Activation) int {
	if past.Stop != nil || past.Status() == journal.Waiting {
		return 0
	}
	return min(a.Recoveries, past.Recoveries) + 1
}

// rerun carries out an activation that was executing when its process died. Its start is in the journal already.
func (r *run) rerun(a *activation) {
	if a.def.kind == kindDynamic {
		r.launch = append(r.launch, a)
		return
	}
	if a.leaf() {
		for in := a.in; in != nil; in = in.outer {
			in.leaves++
		}
		r.launch = append(r.launch, a)
		return
	}
	r.pure.push(a)
}

// endedBefore returns the ending that the run had begun when its process died.
func (r *run) endedBefore(past *journal.RunState) *ending {
	var first *journal.Activation
	for _, a := range past.Activations {
		final := a.State == journal.ActivationFailed && !a.Handled() && journal.InstanceOf(a.Path) == ""
		if final && (first == nil || a.Committed.Compare(first.Committed) < 0) {
			first = a
		}
	}
	switch {
	case first != nil:
		e := restoredError(first)
		return &ending{status: journal.Failed, cause: errSiblingFailed,
			err: &RunError{Code: e.Code, Path: e.Path, Field: e.Field, Message: e.Error(), Err: e}}
	case past.CancelRequest != nil:
		return canceledEnding(errors.New(orElse(past.CancelRequest.Reason, func() string { return "on request" })))
	default:
		return nil
	}
}

// restoredError is the failure of an activation as the journal knows it.
func restoredError(a *journal.Activation) *NodeError {
	return &NodeError{Code: Code(a.Err.Code), Type: a.Err.Type, Message: a.Err.Message, Node: journal.NodeOf(a.Path),
		Path: a.Path, Field: a.Err.Field, Attempts: a.Attempt, Input: a.Input}
}

// republish writes the shared state of the last entry, which the process may not have got to. The run sees it at once.
func (r *run) republish() {
	fold := r.rec.fold
	d := delta{}
	for key, w := range fold.Written {
		if w.Run == r.id && w.Pos.Seq == fold.Seq {
			d[key] = fold.State[key]
		}
	}
	d = d.sharedOnly()
	r.writes = append(r.writes, d)
	r.shared.late = d
	r.state.change(d)
}
