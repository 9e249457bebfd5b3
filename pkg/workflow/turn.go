package workflow

import (
	"slices"

	"github.com/plait-dev/plait/pkg/journal"
)

// commitTurn records a turn of an agent, and with it what the attempt wrote to the state.
func (r *run) commitTurn(ctx *Context, records []journal.Record) error {
	switch {
	case r.rec == nil && onlyIntents(records):
		return nil // nobody can take the run up again and find them
	case r.rec == nil:
		return Errorf(CodeJournal, "%s: a run without a store keeps the turns of agent nodes only", ctx.Path())
	}
	last := -1
	for i, rec := range records {
		switch rec.(type) {
		case journal.Msg:
			last = i
		case journal.Call, journal.Sum, journal.Note:
		default:
			return Errorf(CodeJournal, "%s: a body commits messages, calls, checkpoints and notes, not %s",
				ctx.Path(), rec.Kind())
		}
	}
	if err := ctx.checkTurn(records); err != nil {
		return err
	}
	parent := r.tip()
	for i, rec := range records {
		switch rec := rec.(type) {
		case journal.Msg:
			parent = r.addMessage(ctx, rec, parent, i == last)
		case journal.Sum:
			rec.ID, rec.Within = orElse(rec.ID, r.messageID), ctx.act.within()
			rec.Parent = orElse(rec.Parent, func() string { return parent })
			parent = rec.ID
			r.record(rec)
		case journal.Call:
			rec.Path = ctx.Path()
			r.announce(r.about(ctx, CallIntended), r.record(rec))
		case journal.Note:
			rec.Path = ctx.Path()
			r.note(rec)
		}
	}
	return nil
}

func onlyIntents(records []journal.Record) bool {
	return !slices.ContainsFunc(records, func(rec journal.Record) bool { return rec.Kind() != journal.KindCall })
}

func (r *run) messageID() string { return "m_" + r.env.IDs() }

// addMessage records a message and returns its id. The last one of a turn carries the state that the turn wrote.
func (r *run) addMessage(ctx *Context, m journal.Msg, parent string, last bool) string {
	m.Path, m.Branch, m.Within = ctx.Path(), ctx.Branch(), ctx.act.within()
	m.ID = orElse(m.ID, r.messageID)
	m.Parent = orElse(m.Parent, func() string { return parent })
	d := joinDelta(m.Set, m.Delete)
	if last {
		d = ctx.state.takeWith(d)
	}
	conflicts, set, del := r.settleState(ctx.act, d)
	m.Set, m.Delete = set, del
	r.announce(r.about(ctx, MessageAdded), r.record(m))
	for _, c := range conflicts {
		r.noteConflict(c)
	}
	return m.ID
}

// about is an event of an activation.
func (r *run) about(ctx *Context, kind EventKind) Event {
	return Event{Kind: kind, Path: ctx.act.path, Node: ctx.act.def.name, Attempt: ctx.attempt}
}
