package workflow

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"
	"maps"
	randv2 "math/rand/v2"
	"slices"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// Run begins a run and yields its events as they become durable. The run advances while the caller ranges over them, on
// the caller's goroutine; a caller that stops ranging suspends it. If the run doesn't complete, the last element is a
// *[RunError], but for a suspension, which is an event. The sequence can be ranged over once.
func (w *Workflow) Run(ctx context.Context, req RunRequest) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := newRun(ctx, w, req.Env, yield)
		if err := r.prepare(req); err != nil {
			r.cancel(err)
			r.refuse(err)
			return
		}
		r.drive()
	}
}

func (e Env) withDefaults() Env {
	if e.Clock == nil {
		e.Clock = systemClock{}
	}
	if e.IDs == nil {
		e.IDs = rand.Text
	}
	if e.Rand == nil {
		e.Rand = randv2.Float64
	}
	if e.handOver == nil {
		e.handOver = func() {}
	}
	e.Grace = orDefault(e.Grace, defaultGrace)
	e.Limits.MaxSteps = orDefault(e.Limits.MaxSteps, defaultMaxSteps)
	e.Limits.MaxVisits = orDefault(e.Limits.MaxVisits, defaultMaxVisits)
	return e
}

// prepare opens the session and puts the run's first records and events together.
func (r *run) prepare(req RunRequest) *RunError {
	r.id = orElse(req.Run, func() string { return "r_" + r.env.IDs() })
	input, err := journal.Normalize(req.Input)
	if err != nil {
		return badRequest("input: %w", err)
	}
	r.input = input
	r.started = r.env.Clock.Now().UTC().Truncate(time.Millisecond)
	if refusal := r.open(req); refusal != nil {
		return refusal
	}
	begin := journal.Run{ID: r.id, Revision: req.Revision, Config: req.Config, Root: r.wf.name, Task: req.Task,
		Input: input, Trace: req.Trace}
	r.announce(Event{Kind: RunStarted, Record: begin}, r.record(begin))
	if req.Message != nil {
		m := *req.Message
		m.ID = orElse(m.ID, func() string { return "m_" + r.env.IDs() })
		if r.rec != nil {
			m.Parent = orElse(m.Parent, r.rec.tip)
		}
		r.message = &m
		r.record(m)
	}
	r.seed(r.root)
	return nil
}

// open loads the session, or begins it.
func (r *run) open(req RunRequest) *RunError {
	r.session = journal.Session{ID: orElse(req.Session, func() string { return "s_" + r.env.IDs() }), App: req.App,
		Principal: req.Principal, User: req.User, State: map[string]any{}}
	state, err := journal.Normalize(req.State)
	if err != nil {
		return badRequest("state: %w", err)
	}
	if given, ok := state.(map[string]any); ok {
		r.session.State = given
	}
	for key := range r.session.State {
		if !journal.IsPlain(key) {
			return badRequest("state %q: a session begins with keys of its own, not with shared or temporary ones", key)
		}
	}
	switch {
	case req.Store != nil:
		return r.openStore(req)
	case r.wf.hasAgents():
		fold := journal.NewSessionState(r.session.ID)
		r.rec = &recorder{ctx: context.WithoutCancel(r.parent), now: r.env.Clock.Now, run: r.id, fold: fold}
		if err := fold.Apply(&journal.Entry{Seq: 1, Records: []journal.Record{r.session}}); err != nil {
			return journalFailure(err)
		}
	}
	r.state = newValues(r.session.State)
	return nil
}

// hasAgents says that a transcript is needed even when nothing is stored.
func (w *Workflow) hasAgents() bool {
	return slices.ContainsFunc(w.nodes, (*node).hasAgents)
}

func (n *node) hasAgents() bool {
	switch n.kind {
	case kindWorkflow:
		return n.inner.hasAgents()
	case kindWorker:
		return n.item.hasAgents()
	case kindTeam:
		return slices.ContainsFunc(n.team.members, (*node).hasAgents)
	default:
		return n.speaks || n.kind == kindDynamic // whose children may be agents
	}
}

// openStore folds the session's log and makes the writer of the run.
func (r *run) openStore(req RunRequest) *RunError {
	ctx := context.WithoutCancel(r.parent)
	fold, err := journal.Load(ctx, req.Store, r.session.ID)
	var unknown *journal.UnknownSessionError
	switch {
	case errors.As(err, &unknown):
		fold = journal.NewSessionState(r.session.ID)
		first := journal.NewAppender(req.Store, r.session.ID, 0, r.env.Clock.Now)
		e, err := first.Append(ctx, "", 0, r.session)
		if err == nil {
			err = fold.Apply(e)
		}
		if err != nil {
			return journalFailure(err)
		}
	case err != nil:
		return journalFailure(err)
	}
	if err := mayBegin(fold, r.id); err != nil {
		return err
	}
	return r.attach(ctx, req.Store, fold, req.Epoch, nil)
}

// mayBegin says why no run of that id may begin in a session now: one run of it executes at a time.
func mayBegin(fold *journal.SessionState, id string) *RunError {
	if fold.Run(id) != nil {
		return badRequest("the session %s already has a run %s", fold.Session.ID, id)
	}
	for _, other := range fold.Runs {
		if other.Done == nil && other.Status() != journal.Waiting {
			return badRequest("the session %s has a run that isn't over, %s (%s): resume or cancel it first",
				fold.Session.ID, other.ID, other.Status())
		}
	}
	return nil
}

// attach connects the run to its log and its state, of which temp is the part that ends with the run.
func (r *run) attach(
	ctx context.Context, store journal.Store, fold *journal.SessionState, epoch int64, temp map[string]any,
) *RunError {
	r.session = fold.Session
	appender := journal.NewAppender(store, fold.Session.ID, fold.Seq, r.env.Clock.Now)
	r.rec = &recorder{ctx: ctx, writer: appender.Writer(r.id, epoch), now: r.env.Clock.Now, run: r.id, fold: fold}
	state := maps.Clone(fold.State)
	maps.Copy(state, temp)
	r.shared = newSharedState(store, fold.Session)
	if err := r.shared.load(ctx, state); err != nil {
		return journalFailure(err)
	}
	r.state = newValues(state)
	return nil
}

func badRequest(format string, args ...any) *RunError {
	err := Errorf(CodeRequest, format, args...)
	return &RunError{Code: CodeRequest, Message: err.Error(), Err: err}
}

func journalFailure(err error) *RunError {
	return &RunError{Code: CodeJournal, Message: "journal: " + err.Error(), Err: err}
}

// orElse returns v, or what other gives when v is empty.
func orElse(v string, other func() string) string {
	if v == "" {
		return other()
	}
	return v
}

// usage is what the run has consumed so far, nil for nothing.
func (r *run) usage() *journal.Usage {
	if r.rec == nil {
		return nil
	}
	r.rec.mu.RLock()
	defer r.rec.mu.RUnlock()
	if run := r.rec.fold.Run(r.id); run != nil && run.Usage != (journal.Usage{}) {
		u := run.Usage
		return &u
	}
	return nil
}
