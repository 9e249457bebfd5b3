package workflow

import (
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// pendingEvent is an event that is told once the record it is about is durable. Most events say that an attempt started or
// succeeded: those are made when they are told, of what the attempt knows.
type pendingEvent struct {
	whole *Event   // nil for those of an attempt
	ctx   *Context // the attempt
	// record is the place of the record in its entry, -1 for none.
	record    int
	took      time.Duration
	completed bool
}

// durable is what the pending events need to know of the entry that they were committed with.
type durable struct {
	seq     int64
	at      time.Time
	records []journal.Record
}

// announce adds an event about the record at that place.
func (r *run) announce(e Event, record int) {
	if record >= 0 {
		e.Record = r.records[record]
	}
	r.told = append(r.told, pendingEvent{whole: &e, record: record})
}

// announceStart adds the event that an attempt begins.
func (r *run) announceStart(ctx *Context, record int) {
	r.told = append(r.told, pendingEvent{ctx: ctx, record: record})
}

// announceEnd adds the event that an attempt has succeeded.
func (r *run) announceEnd(ctx *Context, res Result, took time.Duration, record int) {
	if ctx.more != nil {
		ctx.more.result = res
	} else {
		ctx.give(res, nil)
	}
	r.told = append(r.told, pendingEvent{ctx: ctx, record: record, took: took, completed: true})
}

// event makes an event that was committed.
func (r *run) event(t *pendingEvent) (e Event) {
	if t.whole != nil {
		e = *t.whole
	} else {
		e.Kind, e.Path, e.Node, e.Attempt = NodeStarted, t.ctx.act.path, t.ctx.act.def.name, t.ctx.attempt
		if t.completed {
			res, _ := t.ctx.gave()
			e.Kind, e.Output, e.Routes, e.Duration = NodeCompleted, res.Output, res.Routes, t.took
		}
		if t.record >= 0 {
			e.Record = r.durable.records[t.record]
		}
	}
	if e.Kind == RunWaiting { // what is open is known when everything is recorded
		e = r.waits(r.rec.fold.Run(r.id))
	}
	if t.record >= 0 && r.rec.writer != nil {
		e.Pos = journal.Pos{Seq: r.durable.seq, Index: t.record}
	}
	e.At = r.durable.at
	return e
}
