// Package lease keeps the leases of a store that one process has to itself: they tell the runs' owners within the
// process apart, and fence those that were replaced.
package lease

import (
	"context"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// Table holds the leases of a process. It is safe for concurrent use.
type Table struct {
	now func() time.Time

	mu   sync.Mutex
	runs map[key]*state
}

type key struct{ session, run string }

// state is a run's newest lease. Without one, only the epoch of the run's newest entry is known.
type state struct {
	lease  journal.Lease
	leased bool
	held   bool
}

// NewTable returns an empty table on that clock.
func NewTable(now func() time.Time) *Table { return &Table{now: now, runs: map[key]*state{}} }

// AcquireLease implements [journal.Leases].
func (t *Table) AcquireLease(
	ctx context.Context, session, run, owner string, ttl time.Duration,
) (journal.Lease, error) {
	if err := ctx.Err(); err != nil {
		return journal.Lease{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s, now := t.state(session, run), t.now()
	if s.held && s.lease.Owner != owner && now.Before(s.lease.Until) {
		return journal.Lease{}, &journal.LeaseHeldError{Lease: s.lease}
	}
	s.leased, s.held = true, true
	s.lease.Owner, s.lease.Until = owner, now.Add(ttl)
	s.lease.Epoch++
	return s.lease, nil
}

// RenewLease implements [journal.Leases].
func (t *Table) RenewLease(ctx context.Context, l journal.Lease, ttl time.Duration) (journal.Lease, error) {
	if err := ctx.Err(); err != nil {
		return journal.Lease{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.state(l.Session, l.Run)
	if !s.held || s.lease.Epoch != l.Epoch {
		return journal.Lease{}, s.stale(l.Epoch)
	}
	s.lease.Until = t.now().Add(ttl)
	return s.lease, nil
}

// ReleaseLease implements [journal.Leases].
func (t *Table) ReleaseLease(ctx context.Context, l journal.Lease) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.state(l.Session, l.Run); s.lease.Epoch == l.Epoch {
		s.held = false
	}
	return nil
}

// Admit checks the epoch of an entry that is to be appended. Like [Learn] it is no method, so that a store that embeds
// the table doesn't offer it.
func Admit(t *Table, session string, e *journal.Entry) error {
	if e.Run == "" || e.Epoch == 0 && e.IsRequest() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.runs[key{session, e.Run}]
	if s == nil { // never leased, and no epoch was seen
		return nil
	}
	if s.leased && (!s.held || e.Epoch != s.lease.Epoch) || e.Epoch < s.lease.Epoch {
		return s.stale(e.Epoch)
	}
	return nil
}

// Learn takes note of the epoch of an entry that is in the log.
func Learn(t *Table, session string, e *journal.Entry) {
	if e.Run == "" || e.Epoch == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.state(session, e.Run)
	s.lease.Epoch = max(s.lease.Epoch, e.Epoch)
}

func (t *Table) state(session, run string) *state {
	k := key{session, run}
	s := t.runs[k]
	if s == nil {
		s = &state{lease: journal.Lease{Session: session, Run: run}}
		t.runs[k] = s
	}
	return s
}

func (s *state) stale(epoch int64) error {
	return &journal.StaleLeaseError{Session: s.lease.Session, Run: s.lease.Run, Epoch: epoch, Current: s.lease.Epoch}
}
