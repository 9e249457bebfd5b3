package workflow

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// run is one execution of a workflow. All but the mailbox, the committed state and the fold of the session belong to
// the goroutine that ranges over its events.
type run struct {
	wf      *Workflow
	env     Env
	id      string
	lineage []string // the run, the one that it retries, and so on; nil when it retries none
	session journal.Session
	input   any
	message *journal.Msg
	started time.Time

	parent context.Context // the caller's
	ctx    context.Context // of all bodies
	cancel context.CancelCauseFunc

	mail   *mailbox
	inbox  inbox
	crew   *crew
	begun  bool // bodies were handed to the crew since the run looked for letters
	timers []func() bool

	use consumption

	rec    *recorder // nil when nobody could read what it records
	shared *sharedState
	state  *values
	root   *instance
	// parents are the dynamic nodes whose bodies execute, and reread the log of the session, from which they are taken up.
	parents []*activation
	// handled counts the messages, and dozing is how many there were when the run began to doze.
	handled, dozing int
	// waiting and backoffs count the activations that wait for a person, and for their next attempt.
	waiting, backoffs int
	reread            func() iter.Seq2[*journal.Entry, error]

	// What activations are made of.
	paths       paths
	activations slab[activation]
	instances   slab[instance]
	scopes      slab[scope]

	watch    watch
	now      time.Duration // on the watch, when the run got to know of what it is dealing with
	triggers int
	steps    int
	executed time.Duration // before this process took the run up

	// What belongs to the transition that is under way: what started and isn't carried out yet, and what is to be
	// written and told.
	ready readyQueue
	pure  fifo[*activation]
	// unsettled are the instances that [run.settle] has to look at.
	unsettled []*instance
	launch    []*activation
	records   []journal.Record
	told      []pendingEvent
	durable   durable // what is to be told
	writes    []delta // to the shared state
	replies   []chan error
	answers   []answer     // to bodies that wait for children
	fired     []*graph.Out // scratch, as is
	taken     []arrival

	ending   *ending
	over     bool
	warnings []journal.Note
	yield    func(Event, error) bool
	watched  bool // the caller still ranges over the events
}

// A loop of pure nodes is written in pieces of about so many records. What isn't written is told in pieces of about so many
// events.
const (
	maxHeld = 512
	maxTold = 30 // which leaves room for what belongs to the last one: 32 is a size that slices grow to
)

// usuallyTold is for how many events of a transition there is room at first.
const usuallyTold = 8

func newRun(ctx context.Context, w *Workflow, env Env, yield func(Event, error) bool) *run {
	r := &run{wf: w, env: env.withDefaults(), parent: ctx, yield: yield, watched: true, dozing: -1,
		crew: newCrew(), told: make([]pendingEvent, 0, usuallyTold)}
	r.watch = newWatch(r.env.Clock)
	r.mail = newMailbox(r.env.handOver)
	r.env.Handle.attach(r.mail)
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.root = newInstance(r, w)
	return r
}

// first is the run that this one retries, after however many retries, or the run itself.
func (r *run) first() string {
	if n := len(r.lineage); n > 0 {
		return r.lineage[n-1]
	}
	return r.id
}

// includes says that what a run recorded in the transcript is this run's.
func (r *run) includes(id string) bool { return id == r.id || slices.Contains(r.lineage, id) }

func (r *run) nextTrigger() int {
	r.triggers++
	return r.triggers
}

// drive advances the run until it is over or suspended: it carries out what can be done at once, writes that down,
// tells of it, begins the effects, and waits for what happens next.
func (r *run) drive() {
	defer r.close()
	stop := context.AfterFunc(r.parent, func() { r.mail.put(message{kind: stopped}) })
	defer stop()
	r.limitDuration()
	for {
		r.advance()
		r.concludeIfDone()
		if r.holdsBack() {
			r.handle(r.nextLetter())
			continue
		}
		if err := r.commit(); err != nil {
			r.breakDown(err)
			return
		}
		r.tell()
		if r.over {
			r.last()
			return
		}
		r.begin()
		if r.dormant() {
			r.doze()
		}
		if r.restless() {
			r.now = r.watch.reads()
			continue
		}
		r.handle(r.nextLetter())
	}
}

// holdsBack says that what has happened may be written together with what has come meanwhile (R3): nothing follows from it
// that must find it durable, and nobody waits for it. So those that end at the same time share an entry.
func (r *run) holdsBack() bool {
	if r.rec == nil || r.env.Deterministic || len(r.records) == 0 || r.full() || r.over || r.ending != nil || r.restless() ||
		len(r.launch) > 0 || len(r.replies) > 0 || len(r.answers) > 0 || r.inbox.len() == 0 && !r.mail.pending() {
		return false
	}
	return !slices.ContainsFunc(r.records, func(rec journal.Record) bool {
		return journal.NeedsSync(rec, false) // starts of what has effects are in launch
	})
}

// advance starts what is ready, carries out pure activations, and fires joins, until nothing more happens by itself.
func (r *run) advance() {
	for !r.full() {
		r.checkContext()
		if r.ending != nil {
			return
		}
		for r.ready.len() > 0 && r.ending == nil && (r.rec != nil || !r.full()) { // what is written together starts together
			r.start(r.ready.pop())
		}
		if r.ending != nil {
			return
		}
		if r.settle() {
			continue
		}
		if r.pure.len() == 0 {
			return
		}
		a := r.pure.pop()
		a.began = r.now
		a.ctx.startTimeout()
		res, err := a.ctx.call()
		r.now = r.watch.reads()
		r.finish(a.ctx, res, err)
	}
}

// noteStatus counts the activations in the states that decide whether the run has anything to do.
func (r *run) noteStatus(s status, change int) {
	switch s {
	case waiting:
		r.waiting += change
	case backoff:
		r.backoffs += change
	default:
	}
}

// full says that it is time to write and tell what has happened.
func (r *run) full() bool {
	if r.rec == nil {
		return len(r.told) >= maxTold
	}
	return len(r.records) >= maxHeld
}

// restless says that the run goes on without a message.
func (r *run) restless() bool {
	if r.ending != nil {
		return r.root.executing == 0
	}
	return r.ready.len() > 0 || r.pure.len() > 0 || len(r.unsettled) > 0
}

// last yields why the run didn't complete.
func (r *run) last() {
	if r.ending != nil && r.ending.err != nil {
		r.refuse(r.ending.err)
	}
}

// breakDown ends a run that can't be recorded any more. What its bodies still give is lost; the run goes on from its
// last entry when it is resumed.
func (r *run) breakDown(err error) {
	failure := &RunError{Code: CodeJournal, Message: "journal: " + err.Error(), Err: err}
	r.reply(failure)
	r.giveAnswers(failure)
	r.end(&ending{status: journal.Suspended, cause: failure})
	for r.root.executing > 0 {
		switch m := r.nextLetter().open(); {
		case m.kind == returned && m.current():
			r.released(m.ctx.act)
		case m.reply != nil:
			m.reply <- failure
		case m.kind == overdue && m.in == r.root:
			r.root.executing = 0
		}
	}
	r.refuse(failure)
}

// refuse yields the error that ends the events.
func (r *run) refuse(err *RunError) {
	if r.watched {
		r.watched = false
		r.yield(Event{}, err)
	}
}
