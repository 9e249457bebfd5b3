package agentkit

import (
	"context"

	"github.com/plait-dev/plait/pkg/journal"
)

// Log makes the turns of an agent durable. A run calls it from one goroutine at a time.
type Log interface {
	// Commit stores the records in one atomic step and returns when they are durable: then, and not before, what depends
	// on them begins. The records are [journal.Msg], [journal.Call] and [journal.Note] values. Messages come without ID
	// and Parent, which the log gives them: it alone knows the tip of the session when several agents write to it. An
	// error ends the run with that error; the records may have been stored all the same.
	//
	// Results of tools are committed even when ctx was cancelled while the tools ran, because what is known of an effect
	// is worth keeping: the context is then not cancelled, and a log that must not write any more returns an error.
	Commit(ctx context.Context, recs ...journal.Record) error
}

// discard is the log of runs that aren't kept.
type discard struct{}

// Commit forgets the records.
func (discard) Commit(context.Context, ...journal.Record) error { return nil }
