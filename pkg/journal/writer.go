package journal

import "context"

// Writer writes the records of one run. It belongs to the goroutine that advances the run.
type Writer struct {
	appender *Appender
	run      string
	epoch    int64
	err      error
}

// Commit writes records as one entry. When it returns, the entry is durable, and subscribers may see it. With nothing to
// write it returns nil and no error. A slice of records that is handed over becomes the entry's.
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
	if len(records) == 0 {
		return nil, nil
	}
	e, err := w.appender.append(ctx, w.run, w.epoch, check, records)
	if err != nil {
		w.err = err
		return nil, err
	}
	return e, nil
}
