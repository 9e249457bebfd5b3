package journal

import (
	"context"
	"time"
)

// MaxHold is how long records that need no durability of their own may be held back while their run goes on. A run
// that goes idle commits at once.
const MaxHold = 50 * time.Millisecond

// Writer writes the records of one run. It holds back the records of transitions that need no durability of their own,
// see [NeedsSync], and writes them with the next one that does. It belongs to the goroutine that advances the run.
type Writer struct {
	appender *Appender
	run      string
	epoch    int64

	held  []Record
	since time.Time
	err   error
}

// Add holds records back until the next [Writer.Commit].
func (w *Writer) Add(records ...Record) {
	if len(records) == 0 {
		return
	}
	if len(w.held) == 0 {
		w.since = w.appender.now()
	}
	w.held = append(w.held, records...)
}

// Commit writes everything that is held back, and the given records after it, as one entry. When it returns, the entry
// is durable, and subscribers may see it. With nothing to write it returns nil and no error. A slice of records that is
// handed over becomes the entry's.
//
// An error may leave open whether the entry was written, so the writer is of no further use: every later Commit returns
// the same error. Whoever goes on with the run folds the log first. That holds for a context that is done, too: give
// one that outlives the run's cancellation, whose records are still to be written.
func (w *Writer) Commit(ctx context.Context, records ...Record) (*Entry, error) {
	return w.CommitChecked(ctx, nil, records...)
}

// CommitChecked is [Writer.Commit] of an entry that check sees before it is written, and keeps from being written by an
// error. A fold's Apply is such a check.
func (w *Writer) CommitChecked(ctx context.Context, check func(*Entry) error, records ...Record) (*Entry, error) {
	if w.err != nil {
		return nil, w.err
	}
	if len(w.held) > 0 {
		records = append(w.held, records...)
	}
	if len(records) == 0 {
		return nil, nil
	}
	e, err := w.appender.append(ctx, w.run, w.epoch, check, records)
	if err != nil {
		w.err = err
		return nil, err
	}
	w.held = nil
	return e, nil
}

// Held returns how many records are held back.
func (w *Writer) Held() int { return len(w.held) }

// Overdue reports whether records have been held back for [MaxHold] or longer, so that a run that goes on should
// commit them.
func (w *Writer) Overdue() bool {
	return len(w.held) > 0 && w.appender.now().Sub(w.since) >= MaxHold
}
