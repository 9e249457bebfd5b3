package workflow

import (
	"context"
	"iter"
	"slices"

	"github.com/plait-dev/plait/pkg/journal"
)

// begunIn finds the run in which the activation of a fork began, and lets the request name it. A run that goes on from
// another one tells what that one did as its own beginning, but the state of each moment is known there alone.
func begunIn(ctx context.Context, req *ForkRequest) (*journal.RunState, *RunError) {
	seen := map[journal.Parent]bool{}
	for {
		fold, past, refusal := formerRun(ctx, req.RetryRequest)
		if refusal != nil && len(seen) > 0 {
			return nil, badRequest("%s began in another run, which isn't there any more: %s", req.From, refusal.Message)
		}
		if refusal != nil {
			return nil, refusal
		}
		before, err := predecessor(fold, past, req.From, req.Store.Read(ctx, req.Session, 1))
		if err != nil {
			return nil, journalFailure(err)
		}
		if before == nil || seen[*before] {
			return past, nil
		}
		seen[*before] = true
		req.Session, req.Run = before.Session, before.Run
	}
}

// predecessor returns the run that another one has an activation from, if that began there and not again.
func predecessor(
	fold *journal.SessionState, past *journal.RunState, from string, log iter.Seq2[*journal.Entry, error],
) (*journal.Parent, error) {
	if of := fold.Run(past.Run.Of); of != nil {
		if of.Activation(from) == nil || newRetrace(of, nil).anew[from] {
			return nil, nil
		}
		return &journal.Parent{Session: fold.Session.ID, Run: of.Run.ID}, nil
	}
	origin := fold.Session.Parent
	if origin == nil {
		return nil, nil
	}
	told, err := readBegin(past.Run.ID, *origin, log)
	if err != nil || told == nil || !told.has(from) {
		return nil, err
	}
	return &journal.Parent{Session: origin.Session, Run: origin.Run}, nil
}

// toldBegin is how a fork begins: what it tells of the run that it goes on from, and the activation that it was made for.
type toldBegin struct {
	run  *journal.RunState // when that one begins
	said map[string]bool   // the activations that had messages
}

// readBegin reads the first entry of a fork's run, and returns nil if it doesn't begin like one.
func readBegin(run string, origin journal.Parent, log iter.Seq2[*journal.Entry, error]) (*toldBegin, error) {
	for e, err := range log {
		if err != nil {
			return nil, err
		}
		if e.Run == run {
			return toldIn(e.Records, origin.Path)
		}
	}
	return nil, nil
}

func toldIn(records []journal.Record, from string) (*toldBegin, error) {
	begin, ok := records[0].(journal.Run)
	made := slices.IndexFunc(records, func(rec journal.Record) bool {
		start, ok := rec.(journal.Start)
		return ok && start.Path == from
	})
	if !ok || made < 0 {
		return nil, nil
	}
	past, err := refold(nothingBefore(), begin, records[1:made+1])
	if err != nil {
		return nil, err
	}
	told := &toldBegin{run: past, said: map[string]bool{}}
	for _, rec := range records[made:] {
		if m, ok := rec.(journal.Msg); ok {
			told.said[m.Path] = true
		}
	}
	return told, nil
}

// has says that an activation began before the fork did. What was executing then, and had left nothing, began again.
func (t *toldBegin) has(path string) bool {
	a := t.run.Activation(path)
	if a == nil || a.Attempt == 0 {
		return false
	}
	return a.State != journal.ActivationRunning || t.said[path] ||
		slices.ContainsFunc(t.run.Activations, func(b *journal.Activation) bool { return journal.ParentOf(b.Path) == path })
}
