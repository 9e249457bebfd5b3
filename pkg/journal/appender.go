package journal

import (
	"context"
	"sync"
	"time"
)

// Appender is the writing end of one session's log in a process. All that the process writes to the session goes
// through one appender, which numbers the entries; the runs of the session write through a [Writer] each. An appender
// is safe for concurrent use.
type Appender struct {
	log     Log
	session string
	now     func() time.Time

	mu  sync.Mutex
	tip int64
}

// NewAppender returns the writing end of a log whose last entry has the number tip, which [SessionState.Seq] knows; 0
// is a session that isn't there yet. Now is the clock of the entries; nil means time.Now.
func NewAppender(log Log, session string, tip int64, now func() time.Time) *Appender {
	if now == nil {
		now = time.Now
	}
	return &Appender{log: log, session: session, now: now, tip: tip}
}

// Tip returns the number of the last entry.
func (a *Appender) Tip() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tip
}

// Append writes one entry: of a run, or of the session itself when run is empty. The error is that of [Log.Append].
// After an error that leaves open whether the entry was written, the next append says so by a *[ConflictError]: then
// the log has to be folded again, and a new appender made.
func (a *Appender) Append(ctx context.Context, run string, epoch int64, records ...Record) (*Entry, error) {
	return a.append(ctx, run, epoch, nil, records)
}

// append is Append for entries that check agrees to; nil agrees to all.
func (a *Appender) append(
	ctx context.Context, run string, epoch int64, check func(*Entry) error, records []Record,
) (*Entry, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := &Entry{
		Format:  FormatVersion,
		At:      a.now().UTC().Truncate(time.Millisecond),
		Run:     run,
		Epoch:   epoch,
		Records: records,
	}
	if check != nil {
		e.Seq = a.tip + 1
		if err := check(e); err != nil {
			return nil, err
		}
	}
	if err := a.log.Append(ctx, a.session, a.tip+1, e); err != nil {
		return nil, err
	}
	a.tip++
	return e, nil
}

// Writer returns a writer for one run under the lease of that epoch.
func (a *Appender) Writer(run string, epoch int64) *Writer {
	return &Writer{appender: a, run: run, epoch: epoch}
}
