package workflow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// ForkRequest goes another way from the middle of a run.
type ForkRequest struct {
	// RetryRequest names the run, which may be over or not, and what the new one is.
	RetryRequest

	// From is the activation that begins again, by its path.
	From string

	// Into is the id of the session that begins with the fork; empty: a random one.
	Into string

	// Input is what the activation gets in the place of its input; absent: what it got.
	Input journal.Optional

	// Set and Delete edit the state as it was when the activation began. Shared keys (app:, user:) aren't the fork's to
	// edit.
	Set    map[string]any
	Delete []string
}

// Fork begins a run in a session of its own, which goes on from the moment when an activation of another run began, and
// yields its events as [Workflow.Run] does. State and transcript are as they were then, with the edits; what was finished
// then is kept, and what was executing beside the activation is executed again. The other session stays as it is.
//
// A run that is a fork or a retry itself has the beginning of the run that it goes on from. A fork from an activation that was
// done there is one of that run, which the session's [journal.Parent] names then.
//
// The new run makes effects of its own: its idempotency keys are others. What was waiting for a person is asked anew. The
// body of a dynamic node around the activation sees the state as it was at the fork, not as it was when the body began.
func (w *Workflow) Fork(ctx context.Context, req ForkRequest) iter.Seq2[Event, error] {
	return beginAgain(ctx, w, req.Env, func(r *run) *RunError { return r.fork(req) })
}

func (r *run) fork(req ForkRequest) *RunError {
	ctx := context.WithoutCancel(r.parent)
	former, refusal := begunIn(ctx, &req)
	if refusal != nil {
		return refusal
	}
	cut := &cut{run: req.Run, from: req.From, fold: journal.NewSessionState(req.Session)}
	if err := cut.read(req.Store.Read(ctx, req.Session, 1)); err != nil {
		return journalFailure(err)
	}
	if !cut.found {
		return badRequest("the run %s has no activation %s that started; it has %s", req.Run, req.From, startedOf(former))
	}
	t := newRetrace(cut.fold.Run(req.Run), r.env.IDs)
	t.read(cut.records)
	if err := cut.edit(t, req); err != nil {
		return err
	}
	r.id = orElse(req.As, func() string { return "r_" + r.env.IDs() })
	r.message = firstMessage(cut.fold, req.Run)
	begin := cut.entries(orElse(req.Into, func() string { return "s_" + r.env.IDs() }))
	fold, err := journal.Fold(begin.session, begin.read())
	if err != nil {
		return journalFailure(err)
	}
	if refusal := r.attach(ctx, req.Store, fold, req.Epoch, t.temp); refusal != nil {
		return refusal
	}
	r.reread = begin.read // it isn't in the store yet
	t.records = append(t.records, cut.underWay(fold.Tip)...)
	if refusal := r.goOnFrom(req.RetryRequest, journal.Run{}, begin, t); refusal != nil {
		return refusal
	}
	return r.openFork(ctx, req, begin)
}

// startedOf lists the activations of a run that may be forked from.
func startedOf(run *journal.RunState) string {
	var paths []string
	for _, a := range run.Activations {
		if a.Attempt > 0 {
			paths = append(paths, a.Path)
		}
	}
	return someOf(paths)
}

// someOf names some of many things.
func someOf(names []string) string {
	const shown = 20
	if more := len(names) - shown; more > 0 {
		names = append(names[:shown:shown], fmt.Sprintf("%d more", more))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// sessionBegin are the first entries of the session of a fork.
type sessionBegin struct {
	session string
	entries [][]journal.Record
}

// nothingBefore is a session in which nothing has happened.
func nothingBefore() sessionBegin {
	return sessionBegin{entries: [][]journal.Record{{journal.Session{}}}}
}

// entries makes the session of the fork: its record, and the transcript.
func (c *cut) entries(id string) sessionBegin {
	session := c.fold.Session
	session.ID, session.State = id, c.state
	session.Parent = &journal.Parent{Session: c.fold.Session.ID, Run: c.run, Path: c.from}
	b := sessionBegin{session: id, entries: [][]journal.Record{{session}}}
	if messages := c.transcript(); len(messages) > 0 {
		b.entries = append(b.entries, messages)
	}
	return b
}

func (b sessionBegin) read() iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		for i, records := range b.entries {
			if !yield(&journal.Entry{Seq: int64(i) + 1, Records: records}, nil) {
				return
			}
		}
	}
}

// openFork writes the beginning of the session, when it is sure that the run can go on.
func (r *run) openFork(ctx context.Context, req ForkRequest, begin sessionBegin) *RunError {
	if _, err := journal.Load(ctx, req.Store, begin.session); !errors.As(err, new(*journal.UnknownSessionError)) {
		if err != nil {
			return journalFailure(err)
		}
		return badRequest("there is a session %s already; a fork begins one of its own", begin.session)
	}
	appender := journal.NewAppender(req.Store, begin.session, 0, r.env.Clock.Now)
	for _, records := range begin.entries {
		if _, err := appender.Append(ctx, "", 0, records...); err != nil {
			return journalFailure(err)
		}
	}
	return nil
}
