package workflow

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// RetryRequest goes on from a run that is over.
type RetryRequest struct {
	Store journal.Store

	// Session and Run are the run that is over.
	Session, Run string

	// As is the id of the run that begins; empty: a random one.
	As string

	// Revision and Config (a digest) are what the new run is pinned to, and Task and Trace the ids that others know it
	// by. The configuration needn't be that of the first run: a document may have been mended meanwhile. Nodes that the
	// first run has executed have to be there under the same ids.
	Revision, Config, Task, Trace string

	// Epoch is that of the lease under which the run is written; 0 without leases.
	Epoch int64

	Env
}

// Retry begins a run that goes on where another run of its session failed or was canceled, and yields its events as
// [Workflow.Run] does. What the first run finished is kept: those activations aren't executed again, and their edges
// aren't decided again. What failed or was canceled begins anew, in the order in which it was triggered and with all
// its attempts; a composite goes on with what is unfinished inside of it. Agents go on after the last turn that they
// finished. Idempotency keys are those of the first run, as this is another attempt at the same effects.
//
// The body of a dynamic node runs from the top and gets the results of the children that are done. As a child that failed
// may succeed now, it may ask for others than before; only a child that it names itself must get the same input.
//
// The first run stays as it is. Its state is the session's: what its activations wrote, and what the session wrote since.
func (w *Workflow) Retry(ctx context.Context, req RetryRequest) iter.Seq2[Event, error] {
	return beginAgain(ctx, w, req.Env, func(r *run) *RunError { return r.retry(req) })
}

// beginAgain yields the events of a run that goes on from another one.
func beginAgain(ctx context.Context, w *Workflow, env Env, begin func(*run) *RunError) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := newRun(ctx, w, env, yield)
		if err := begin(r); err != nil {
			r.close()
			r.refuse(err)
			return
		}
		r.drive()
	}
}

func (r *run) retry(req RetryRequest) *RunError {
	ctx := context.WithoutCancel(r.parent)
	fold, past, err := formerRun(ctx, req)
	if err != nil {
		return err
	}
	switch {
	case past.Done == nil:
		return badRequest("the run %s isn't over, it is %s: resume or cancel it", req.Run, past.Status())
	case past.Done.Status == journal.Completed:
		return badRequest("the run %s completed, there is nothing to retry: fork it to go on from one of its activations", req.Run)
	}
	r.id = orElse(req.As, func() string { return "r_" + r.env.IDs() })
	if err := mayBegin(fold, r.id); err != nil {
		return err
	}
	t := newRetrace(past, r.env.IDs)
	log := &formerLog{run: req.Run}
	if err := log.read(req.Store.Read(ctx, req.Session, 1)); err != nil {
		return err
	}
	t.read(log.records)
	r.lineage = append([]string{r.id}, fold.Lineage(req.Run)...)
	r.message = firstMessage(fold, req.Run)
	if err := r.attach(ctx, req.Store, fold, req.Epoch, t.temp); err != nil {
		return err
	}
	r.reread = func() iter.Seq2[*journal.Entry, error] { return req.Store.Read(ctx, req.Session, 1) }
	return r.goOnFrom(req, journal.Run{Of: req.Run}, nothingBefore(), t)
}

// formerRun folds a session and finds the run that another one is to go on from.
func formerRun(ctx context.Context, req RetryRequest) (*journal.SessionState, *journal.RunState, *RunError) {
	if req.Store == nil {
		return nil, nil, badRequest("a run goes on from one in a store")
	}
	fold, err := journal.Load(ctx, req.Store, req.Session)
	var unknown *journal.UnknownSessionError
	switch {
	case errors.As(err, &unknown):
		return nil, nil, badRequest("there is no session %s", req.Session)
	case err != nil:
		return nil, nil, journalFailure(err)
	}
	past := fold.Run(req.Run)
	switch {
	case past == nil:
		return nil, nil, badRequest("the session %s has no run %s", req.Session, req.Run)
	case past.Reason() == journal.Damaged:
		return nil, nil, badRequest("the run %s is damaged: what it did isn't known", req.Run)
	}
	return fold, past, nil
}

// formerLog is what the log of a session says that a run goes on from.
type formerLog struct {
	run     string
	records []journal.Record // of the run
}

func (l *formerLog) read(entries iter.Seq2[*journal.Entry, error]) *RunError {
	for e, err := range entries {
		switch {
		case err != nil && !errors.As(err, new(*journal.DamagedError)):
			return journalFailure(err)
		case err == nil && e.Run == l.run:
			l.records = append(l.records, e.Records...)
		}
	}
	return nil
}

// goOnFrom begins the run with what another one had done. Messages among that follow those that it is told behind.
func (r *run) goOnFrom(req RetryRequest, begin journal.Run, behind sessionBegin, t *retrace) *RunError {
	begin.ID, begin.Revision, begin.Config, begin.Task, begin.Trace = r.id, req.Revision, req.Config, req.Task, req.Trace
	begin.Root, begin.Input, begin.Temp = r.wf.name, t.past.Run.Input, t.temp
	if r.message != nil {
		begin.Message = r.message.ID
	}
	r.input = begin.Input
	r.started = r.env.Clock.Now().UTC().Truncate(time.Millisecond)
	past, err := refold(behind, begin, t.records)
	if err != nil {
		return journalFailure(err)
	}
	r.announce(Event{Kind: RunStarted, Record: begin}, r.record(begin))
	r.records = append(r.records, t.records...)
	restored, err := r.restore(past)
	if err != nil {
		return badRequest("the run %s can't go on with this workflow: %w", req.Run, err)
	}
	restored.proceedFrom(t.unfired)
	return nil
}

// refold folds the records of a run as if its session's log had nothing but what they are told behind.
func refold(behind sessionBegin, begin journal.Run, records []journal.Record) (*journal.RunState, error) {
	begin.Of = ""
	state, err := journal.Fold(behind.session, behind.read())
	if err != nil {
		return nil, err
	}
	err = state.Apply(&journal.Entry{Seq: state.Seq + 1, Run: begin.ID, Records: slices.Concat([]journal.Record{begin}, records)})
	return state.Run(begin.ID), err
}

// proceedFrom lets a run go on that was made of another one's records. The edges of what had returned while that run came
// to its end fire now.
func (s *restoring) proceedFrom(unfired map[string]journal.End) {
	var returned []*activation
	s.executing = slices.DeleteFunc(s.executing, func(a *activation) bool {
		_, done := unfired[a.path]
		if done {
			returned = append(returned, a)
		}
		return done
	})
	_ = s.proceed(nil) // without answers there is nothing to refuse
	for _, a := range returned {
		end := unfired[a.path]
		s.run.complete(a.ctx, Result{Output: end.Output.Value(), Routes: end.Routes, Escalate: end.Escalate})
	}
}
