package workflow

import (
	"errors"
	"slices"

	"github.com/plait-dev/plait/pkg/journal"
)

// interrupted lets an activation wait for a person.
func (r *run) interrupted(ctx *Context, q *interrupt) {
	a := ctx.act
	ctx.state.take()
	asks, err := r.askAll(q.requests)
	if err != nil {
		r.fail(ctx, Terminal(err))
		return
	}
	a.become(waiting)
	a.pause = &pause{open: asks}
	rec := journal.Wait{Path: a.path, Asks: slices.Clone(asks)}
	r.announce(Event{Kind: NodeWaiting, Path: a.path, Node: a.def.name, Attempt: a.attempt}, r.record(rec))
	r.expect(a)
}

// expect sees to it that a question answers itself when its time is over.
func (r *run) expect(a *activation) {
	if deadline := a.pause.deadline(); !deadline.IsZero() {
		r.after(deadline.Sub(r.env.Clock.Now()), message{kind: lapsed, ctx: a.ctx})
	}
}

// lapseAll ends the waits whose time was over when the run was taken up.
func (r *run) lapseAll() {
	now := r.env.Clock.Now()
	for _, a := range slices.Collect(r.root.started()) {
		if a.status != waiting || a.pause == nil {
			continue
		}
		if deadline := a.pause.deadline(); !deadline.IsZero() && !deadline.After(now) {
			r.lapse(a)
		}
	}
}

// lapse ends the wait of an activation when nobody answered one of its questions in time; the others lapse with it.
func (r *run) lapse(a *activation) {
	deadline := a.pause.deadline()
	for _, ask := range a.pause.open {
		r.record(journal.Answer{ID: ask.ID, Path: a.path, Via: journal.ViaDeadline})
	}
	a.pause = nil
	a.become(running)
	a.began = r.now
	if a.def.cfg.OnDeadline == nil {
		r.fail(a.ctx, Terminal(lateError(deadline)))
		return
	}
	res, err := a.ctx.onDeadline()
	r.finish(a.ctx, res, err)
}

func (c *Context) onDeadline() (res Result, err error) {
	defer contain(&err)
	if res, err = c.act.def.cfg.OnDeadline(c); err != nil {
		return Result{}, err
	}
	if err := res.settle(c.act.def); err != nil {
		return res, err
	}
	return res, c.checkState(res.State)
}

// applyAnswers applies answers that were checked: all are recorded before any has consequences.
func (r *run) applyAnswers(answers []journal.Answer) {
	r.recordAnswers(answers)
	r.goOnWith(answers)
}

func (r *run) recordAnswers(answers []journal.Answer) {
	for _, a := range answers {
		r.record(a)
	}
}

// goOnWith lets those go on that asked, as far as they are still there.
func (r *run) goOnWith(answers []journal.Answer) {
	for _, given := range answers {
		if a := r.waitingAt(given.Path); a != nil {
			r.answered(a, given)
		}
	}
}

// waitingAt finds the activation of a path that waits.
func (r *run) waitingAt(path string) *activation {
	for a := range r.root.started() {
		if a.path == path && a.status == waiting {
			return a
		}
	}
	return nil
}

// answered lets an activation go on with what it asked for, when that was the last answer it waits for.
func (r *run) answered(a *activation, given journal.Answer) {
	if a.pause.close(given.ID) {
		return
	}
	if given.Decision != "" || a.def.cfg.RerunOnResume {
		a.pause.answer = given.Value
		r.ready.add(a)
		return
	}
	a.pause = nil
	r.takeAnswer(a, given.Value)
}

// takeAnswer makes the answer the output of what asked.
func (r *run) takeAnswer(a *activation, value journal.Optional) {
	a.become(running)
	a.began = r.now
	res := Result{Output: value.Value()}
	err := res.settle(a.def)
	r.finish(a.ctx, res, err)
}

// reenter runs the body of an activation that waited again, in the same attempt.
func (r *run) reenter(a *activation) {
	if !a.in.admit(a) {
		return
	}
	a.become(running)
	a.begin(a.attempt)
	at := r.record(journal.Start{Path: a.path, From: a.from, Attempt: a.attempt, Branch: a.branch})
	r.announce(Event{Kind: NodeStarted, Path: a.path, Node: a.def.name, Attempt: a.attempt}, at)
	if a.def.pure() {
		r.pure.push(a)
	} else {
		r.launch = append(r.launch, a)
	}
}

// dormant says that nothing goes on any more before somebody answers. Bodies of dynamic nodes that wait for such children
// are no reason to stay: they run again when the run is taken up.
func (r *run) dormant() bool {
	return r.ending == nil && r.waiting > 0 && r.backoffs == 0 && !r.restless() && r.root.executing == r.waitingBodies() &&
		!r.mail.pending() && r.inbox.len() == 0 && !r.parked()
}

// parked says that a child of a dynamic node waits for what its siblings are.
func (r *run) parked() bool {
	for _, a := range r.parents {
		if a.inner != nil && a.inner.children.replay != nil && len(a.inner.children.replay.parked) > 0 {
			return true
		}
	}
	return false
}

// errDormant is the cause of the cancellation of bodies that only wait for children which wait for people.
var errDormant = errors.New("the run waits for a person")

// doze ends the execution of a run that waits. Nothing is recorded of it. Bodies of dynamic nodes get a while to ask for
// more than what waits: they may have other goroutines.
func (r *run) doze() {
	switch {
	case r.root.executing == 0:
		r.rest()
	case r.dozing != r.handled:
		r.dozing = r.handled
		r.after(r.env.Grace, message{kind: dozed, handled: r.handled})
	}
}

// dozed puts the run to rest when nothing has happened since it began to doze. If it can't rest just now it dozes again.
func (r *run) dozed(m *message) {
	switch {
	case m.handled != r.handled:
	case r.dormant():
		r.rest()
	default:
		r.dozing = -1
	}
}

func (r *run) rest() { r.end(&ending{status: journal.Waiting, cause: errDormant}) }

// waits tells that the run waits, and for what.
func (r *run) waits(past *journal.RunState) Event {
	return Event{Kind: RunWaiting, Interrupts: slices.Clone(past.Interrupts), Wake: past.Wake(), Warnings: r.warnings}
}
