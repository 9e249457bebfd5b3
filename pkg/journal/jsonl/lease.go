package jsonl

import (
	"context"
	"errors"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// AcquireLease implements [journal.Leases]. It locks the session's file, if there is one, so that no other process can
// advance the run: the error is a *[journal.LockedError] when another one does.
func (s *Store) AcquireLease(
	ctx context.Context, session, run, owner string, ttl time.Duration,
) (journal.Lease, error) {
	if err := journal.CheckSessionID(session); err != nil {
		return journal.Lease{}, err
	}
	f, err := s.acquire(ctx, session, false)
	var unknown *journal.UnknownSessionError
	switch {
	case err == nil:
		s.release(f)
	case !errors.As(err, &unknown):
		return journal.Lease{}, err
	}
	return s.leases.AcquireLease(ctx, session, run, owner, ttl)
}
