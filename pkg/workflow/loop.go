package workflow

import (
	"context"
	"slices"

	"github.com/plait-dev/plait/pkg/journal"
)

// record adds a record to the transition that is under way and returns its place, -1 when nothing is recorded.
func (r *run) record(rec journal.Record) int {
	if r.rec == nil {
		return -1
	}
	r.records = append(r.records, rec)
	return len(r.records) - 1
}

// note warns of something.
func (r *run) note(n journal.Note) {
	r.warnings = append(r.warnings, n)
	e := Event{Kind: NoteTaken, Path: n.Path, Record: n}
	if n.Path != "" {
		e.Node = journal.NodeOf(n.Path)
	}
	r.announce(e, r.record(n))
}

// commit makes durable what has happened since the last time.
func (r *run) commit() error {
	r.durable = durable{at: r.watch.time(r.now)}
	if n := len(r.records); n > 0 {
		e, err := r.rec.commit(r.records)
		if err != nil {
			return err
		}
		r.durable = durable{seq: e.Seq, at: e.At, records: e.Records}
		r.records = make([]journal.Record, 0, n) // those that were committed belong to the entry
	}
	for _, d := range r.writes {
		if err := r.shared.save(r.rec.ctx, d); err != nil {
			return err
		}
	}
	r.writes = nil
	return nil
}

// tell shows the caller what was committed, and lets those go on who waited for that. A caller who doesn't want to see
// more suspends the run.
func (r *run) tell() {
	for i := range r.told {
		t := &r.told[i]
		if r.watched && !r.yield(r.event(t), nil) {
			r.watched = false
		}
		*t = pendingEvent{}
	}
	r.told = r.told[:0]
	r.reply(nil)
	r.giveAnswers(nil)
	if !r.watched && r.ending == nil && !r.over {
		r.end(&ending{status: journal.Suspended, why: SuspendedCaller, cause: ErrSuspend})
	}
}

func (r *run) reply(err error) {
	for _, reply := range r.replies {
		reply <- err
	}
	r.replies = r.replies[:0]
}

// begin hands the activations whose start is durable to the crew.
func (r *run) begin() {
	if len(r.launch) == 0 {
		return
	}
	began := r.watch.reads() // whoever was told of it may have taken a while
	for _, a := range r.launch {
		a.began = began
		r.beginOne(a)
	}
	r.crew.take(r.launch)
	r.begun = true
	clear(r.launch)
	r.launch = r.launch[:0]
}

func (r *run) beginOne(a *activation) {
	a.executes = true
	a.ctx.startTimeout()
	if a.def.kind == kindDynamic {
		r.openChildren(a)
	}
	for in := a.in; in != nil; in = in.outer {
		in.executing++
	}
}

// openChildren makes the inside of a dynamic node whose body is about to execute.
func (r *run) openChildren(a *activation) {
	in := newInner(a)
	in.children = newChildren(in)
	in.children.view = a.ctx.state.shared
	if a.replay != nil {
		in.children.take(a.replay)
		a.replay = nil
	}
	r.parents = append(r.parents, a)
}

func (r *run) handle(l letter) {
	if l.other == nil {
		r.handled++
		if c := l.returned; c.executes() {
			r.released(c.act)
			res, err := c.gave()
			r.bodyReturned(c, res, err)
		}
		return
	}
	r.handleMessage(l.other)
}

func (r *run) handleMessage(m *message) {
	executes := m.current()
	if m.kind == dozed {
		r.dozed(m)
		return
	}
	r.handled++
	switch m.kind {
	case committed, emitted:
		r.serve(m, executes)
	case exhausted:
		r.exhaust(m, executes)
	case spawned:
		if executes && m.ctx.act.stopping() == nil {
			r.spawn(m.ctx, m.child)
		} else {
			m.child.result <- childResult{err: errRunOver}
		}
	case lapsed:
		if a := m.ctx.act; a.ctx == m.ctx && a.status == waiting && a.stopping() == nil {
			r.lapse(a)
		}
	case answering:
		r.take(m)
	case unclaimed:
		if executes {
			m.ctx.act.inner.children.replay.giveUp(m.child)
		}
	case due:
		if a := m.ctx.act; a.ctx == m.ctx && a.status == backoff && a.stopping() == nil {
			r.ready.add(a)
		}
	case timedOut:
		if a := m.ctx.act; executes {
			m.ctx.expectReturn()
		} else if a.ctx == m.ctx && a.inner != nil && a.def.composite() && m.ctx.expire() {
			r.endInner(a.inner, &ending{status: journal.Failed, cause: context.DeadlineExceeded})
		}
	case overdue:
		r.abandon(m, executes)
	case returned, stopped, expired, dozed, eased: // seen by checkContext, and above
	}
}

// serve does what a body asks for. The reply is given when it is durable and told.
func (r *run) serve(m *message, executes bool) {
	err := error(nil)
	switch {
	case !executes:
		err = errRunOver
	case m.kind == emitted:
		a := m.ctx.act
		r.announce(Event{Kind: Progressed, Path: a.path, Node: a.def.name, Attempt: a.attempt, Progress: &m.progress}, -1)
	default:
		err = r.commitTurn(m.ctx, m.records)
	}
	if err != nil {
		m.reply <- err
		return
	}
	r.replies = append(r.replies, m.reply)
}

// take takes answers that were given while the run executes. The reply is given when they are durable.
func (r *run) take(m *message) {
	answers, err := checkAnswers(r.rec.fold.Run(r.id).Interrupts, m.answers, r.env.Clock.Now())
	if err == nil && r.ending != nil {
		err = errRunOver
	}
	if err == nil {
		err = r.checkEdits(answers)
	}
	if err != nil {
		m.reply <- err
		return
	}
	r.applyAnswers(answers)
	r.replies = append(r.replies, m.reply)
}

// released notes that the body of an activation doesn't execute any more.
func (r *run) released(a *activation) {
	a.executes = false
	if a.def.kind == kindDynamic {
		r.parents = without(r.parents, a)
	}
	for in := a.in; in != nil; in = in.outer {
		if in.executing--; in.executing == 0 && in.ending != nil {
			r.unsettle(in)
		}
	}
	a.in.leave(a)
}

// abandon goes on without bodies that don't return: one that has ignored its timeout, or all that have ignored the end of
// an instance.
func (r *run) abandon(m *message, executes bool) {
	if m.in == nil {
		if executes {
			r.abandonOne(m.ctx)
		}
		return
	}
	for _, a := range slices.Collect(m.in.started()) {
		if a.executes {
			r.abandonOne(a.ctx)
		}
	}
}

func (r *run) abandonOne(ctx *Context) {
	r.released(ctx.act)
	r.note(journal.Note{Path: ctx.act.path, Code: NoteAbandoned,
		Text: "the body did not return when its context was done; what it still gives is discarded"})
	r.bodyReturned(ctx, Result{}, context.Cause(ctx.Context))
}

// close ends everything that the run has begun.
func (r *run) close() {
	r.cancel(context.Canceled)
	r.mail.close()
	refuseAll(r.inbox.all())
	for _, stop := range r.timers {
		stop()
	}
	r.crew.close()
}
