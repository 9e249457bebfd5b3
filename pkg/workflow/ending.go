package workflow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// ending is why and how a run comes to its end before everything is done. No activation starts any more; those that
// execute are cancelled, and the run waits for them as long as its grace allows.
type ending struct {
	status journal.Status // Failed, Canceled, Suspended or Waiting
	err    *RunError      // of the run; nil for those that go on
	why    string         // of Suspended and Canceled
	cause  error          // of the cancellation of the bodies' context
	// failure is what a composite fails with whose inside ended.
	failure error
}

var (
	errSiblingFailed = errors.New("another activation failed")
	errDuration      = errors.New("the run has executed for longer than max_duration")
)

// goesOn says that the run will be taken up.
func (e *ending) goesOn() bool { return e.status == journal.Suspended || e.status == journal.Waiting }

// end begins the end of the run, unless it has begun.
func (r *run) end(e *ending) {
	if r.ending != nil {
		return
	}
	r.ending = e
	r.cancel(e.cause)
	r.halt(r.root)
	if r.root.executing > 0 {
		r.after(r.env.Grace, message{kind: overdue, in: r.root})
	}
}

// halt sees to it that nothing begins any more in an instance that comes to an end: neither what is ready, nor what has
// started in the transition that is under way, nor what waits for its next attempt.
func (r *run) halt(in *instance) {
	e := in.stopping()
	for _, a := range slices.Collect(in.started()) {
		if a.stopPause != nil {
			a.stopPause()
		}
		if (a.status == waiting || a.status == backoff) && !e.goesOn() {
			r.unqueue(a)
			r.canceled(a, e.cause)
		}
	}
	within := func(a *activation) bool { return a.in.within(in) }
	for _, a := range slices.Concat(r.launch, r.pure.all()) {
		if within(a) {
			a.in.leave(a)
			if !e.goesOn() {
				r.canceled(a, e.cause)
			}
		}
	}
	r.launch = slices.DeleteFunc(r.launch, within)
	r.pure.drop(within)
	for _, a := range slices.Clone(r.ready.all()) {
		if within(a) {
			r.unqueue(a)
		}
	}
}

// exceeded ends the run because of a limit, which the document sets, or could, in a field.
func (r *run) exceeded(path, field, text string) {
	err := &RunError{Code: CodeLimit, Path: path, Field: field, Message: "limit exceeded: " + text}
	r.end(&ending{status: journal.Failed, err: err, cause: err})
}

// checkContext ends the run when its context is done.
func (r *run) checkContext() {
	if r.ending != nil || r.ctx.Err() == nil {
		return
	}
	cause := context.Cause(r.ctx)
	switch {
	case errors.Is(cause, errDuration):
		r.exceeded("", "limits.max_duration", fmt.Sprintf("max_duration is %v, and the run has executed for longer", r.env.Limits.MaxDuration))
	case errors.Is(cause, ErrSuspend):
		r.end(&ending{status: journal.Suspended, why: SuspendedDrain, cause: cause})
	default:
		r.record(journal.Cancel{Reason: cause.Error()})
		r.end(canceledEnding(cause))
	}
}

func canceledEnding(cause error) *ending {
	return &ending{status: journal.Canceled, cause: cause,
		err: &RunError{Code: CodeCanceled, Message: "canceled: " + cause.Error(), Err: cause}}
}

// limitDuration ends the run when it has executed for too long.
func (r *run) limitDuration() {
	if limit := r.env.Limits.MaxDuration; limit > 0 {
		r.timers = append(r.timers, r.env.Clock.AfterFunc(limit-r.executed, func() {
			r.cancel(errDuration)
			r.mail.put(message{kind: expired})
		}))
	}
}

// after leaves a message later.
func (r *run) after(d time.Duration, m message) {
	r.timers = append(r.timers, r.env.Clock.AfterFunc(d, func() { r.mail.put(m) }))
}

// wrapUp ends an attempt that returned while the run ends. What was done is kept, without consequences; a suspended run
// knows those, too, but begins nothing. What failed is taken to have been cancelled.
func (r *run) wrapUp(ctx *Context, e *ending, res Result, err error) {
	a := ctx.act
	switch {
	case e.goesOn() && err == nil:
		r.complete(ctx, res)
	case e.goesOn(): // it is tried again when the run goes on
	case err == nil:
		_, set, del := r.settleState(a, ctx.state.takeWith(res.State))
		a.become(done)
		r.completed(a, res, set, del, a.in.unfired())
		r.leftOver(a)
	default:
		r.canceled(a, e.cause)
	}
}

// unfired is what the end of an activation leads to that has no consequences: nothing is said of edges, which a retry of
// the run may yet fire.
func (in *instance) unfired() []string {
	if in.wf != nil {
		return nil
	}
	return []string{}
}

// leftOver notes that nothing more comes of an activation whose end has no consequences.
func (r *run) leftOver(a *activation) {
	if f := a.in.flat(); f != nil {
		a.in.count(a.node, -1)
		f.over(a)
	}
}

// canceled records and tells that the engine canceled an activation that had started.
func (r *run) canceled(a *activation, cause error) {
	a.become(canceled)
	at := -1
	if r.rec != nil {
		at = r.record(journal.Fail{Path: a.path, Attempt: a.attempt,
			Err: journal.Failure{Code: journal.CodeCanceled, Message: cause.Error()}})
	}
	r.announce(Event{Kind: NodeCanceled, Path: a.path, Node: a.def.name, Attempt: a.attempt}, at)
	r.leftOver(a)
}

// concludeIfDone writes and tells the end of a run in which nothing happens any more.
func (r *run) concludeIfDone() {
	if r.over || r.root.executing > 0 {
		return
	}
	switch {
	case r.ending != nil:
		r.concludeEnding()
	case r.root.live == 0:
		r.concludeSuccess()
	}
}

func (r *run) concludeEnding() {
	r.over = true
	e := r.ending
	if e.status == journal.Waiting {
		r.announce(Event{Kind: RunWaiting}, -1)
		return
	}
	if e.status == journal.Suspended {
		stop := journal.Stop{Why: e.why}
		r.announce(Event{Kind: RunSuspended, Record: stop}, r.record(stop))
		return
	}
	r.cancelComposites(r.root, e.cause)
	d := journal.Done{Status: e.status, Usage: r.usage()}
	kind := RunCanceled
	if e.status == journal.Failed {
		kind = RunFailed
		d.Err = &journal.Failure{Code: string(e.err.Code), Message: e.err.Error(), Field: e.err.Field}
	}
	r.announce(Event{Kind: kind, Path: e.err.Path, Warnings: r.warnings, Record: d}, r.record(d))
}

func (r *run) concludeSuccess() {
	r.over = true
	out := r.root.output()
	if out == nil {
		r.warnNoOutput()
	}
	r.answer()
	d := journal.Done{Status: journal.Completed, Usage: r.usage()}
	if out != nil {
		d.Output = journal.Some(out)
	}
	r.announce(Event{Kind: RunCompleted, Output: out, Warnings: r.warnings, Record: d}, r.record(d))
}

// warnNoOutput names the branch that ended early, if one did: nobody else would say why there is no output.
func (r *run) warnNoOutput() {
	for _, n := range r.warnings {
		if n.Code == NoteUnmatchedRoute {
			r.note(journal.Note{Path: n.Path, Code: NoteNoOutput, Text: "the run has no output: " + n.Text})
			return
		}
	}
}

// output is that of the terminals: nil when none gave one, the value when one did, else a map by node id.
func (in *instance) output() any {
	var only any
	var several map[string]any
	for _, t := range in.wf.graph.Terminals() {
		gave := in.nodes[t].gave
		switch {
		case gave == nil:
		case only == nil:
			only = gave.output
		case several == nil:
			several = in.outputs()
		}
	}
	if several != nil {
		return several
	}
	return only
}

// outputs are those of the terminals that gave one, by node id.
func (in *instance) outputs() map[string]any {
	all := map[string]any{}
	for _, t := range in.wf.graph.Terminals() {
		if gave := in.nodes[t].gave; gave != nil {
			all[in.wf.graph.ID(t)] = gave.output
		}
	}
	return all
}
