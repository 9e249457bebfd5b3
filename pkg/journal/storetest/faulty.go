package storetest

import (
	"context"
	"errors"
	"sync"

	"github.com/plait-dev/plait/pkg/journal"
)

// ErrInjected is the error of a [Faulty] store.
var ErrInjected = errors.New("injected failure")

// Moment says when an append fails.
type Moment int

// An append can fail before it took effect, or after: then the entry is in the log, and the writer doesn't know.
const (
	Before Moment = iota
	After
)

// String returns "before" or "after".
func (m Moment) String() string {
	if m == After {
		return "after"
	}
	return "before"
}

// Faulty is a store whose n-th append fails with [ErrInjected], and every append after it: to the one that writes, the
// store died. To go on, take the store inside. It is safe for concurrent use.
//
// A crash test runs once for each n, until a run gets through with [Faulty.Tripped] false.
type Faulty struct {
	journal.Store

	n      int
	moment Moment

	mu      sync.Mutex
	appends int
}

// NewFaulty returns a store whose n-th append, counted from 1, fails at that moment.
func NewFaulty(store journal.Store, n int, moment Moment) *Faulty {
	return &Faulty{Store: store, n: n, moment: moment}
}

// Append passes on the first n-1 appends, and the n-th if that is to fail after it took effect.
func (f *Faulty) Append(ctx context.Context, session string, seq int64, e *journal.Entry) error {
	f.mu.Lock()
	f.appends++
	n := f.appends
	f.mu.Unlock()
	switch {
	case n < f.n:
		return f.Store.Append(ctx, session, seq, e)
	case n == f.n && f.moment == After:
		return errors.Join(ErrInjected, f.Store.Append(ctx, session, seq, e))
	default:
		return ErrInjected
	}
}

// Tripped reports whether the store has failed.
func (f *Faulty) Tripped() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.appends >= f.n
}

// Appends returns how many appends were tried.
func (f *Faulty) Appends() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.appends
}
