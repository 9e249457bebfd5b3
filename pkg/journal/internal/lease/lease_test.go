package lease_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/internal/lease"
)

// table returns a table and the clock that moves it.
func table() (*lease.Table, *time.Time) {
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	return lease.NewTable(func() time.Time { return now }), &now
}

func entry(epoch int64, records ...journal.Record) *journal.Entry {
	return &journal.Entry{Run: "r", Epoch: epoch, Records: records}
}

func TestWithoutLeasesEpochsMayOnlyGrow(t *testing.T) {
	leases, _ := table()
	for _, c := range []struct {
		epoch  int64
		admits bool
	}{{0, true}, {3, true}, {2, false}, {0, false}, {3, true}, {5, true}, {4, false}} {
		e := entry(c.epoch, journal.Stop{})
		err := lease.Admit(leases, "s", e)
		if (err == nil) != c.admits {
			t.Errorf("epoch %d: %v", c.epoch, err)
		}
		if err == nil {
			lease.Learn(leases, "s", e)
		}
	}
	if err := lease.Admit(leases, "other", entry(1, journal.Stop{})); err != nil {
		t.Errorf("another session's run of that name: %v", err)
	}
	session := &journal.Entry{Records: []journal.Record{journal.Tip{ID: "m"}}}
	if err := lease.Admit(leases, "s", session); err != nil {
		t.Errorf("an entry of the session: %v", err)
	}
}

// A process that serves for long sees many runs that nobody leases.
func TestRunsWithoutLeasesLeaveNothingBehind(t *testing.T) {
	leases, _ := table()
	e := entry(0, journal.Stop{})
	if err := lease.Admit(leases, "s", e); err != nil {
		t.Fatal(err)
	}
	if lease.Learn(leases, "s", e); leases.Len() != 0 {
		t.Errorf("the table knows %d runs", leases.Len())
	}
}

func TestAnEpochFromTheLogFencesALeaseThatMissedIt(t *testing.T) {
	leases, _ := table()
	mine, err := leases.AcquireLease(t.Context(), "s", "r", "a", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	lease.Learn(leases, "s", entry(mine.Epoch+4, journal.Own{})) // another process wrote under its own lease
	stale, ok := errors.AsType[*journal.StaleLeaseError](lease.Admit(leases, "s", entry(mine.Epoch, journal.Stop{})))
	if !ok || stale.Current != mine.Epoch+4 {
		t.Errorf("got %v, want a stale lease", stale)
	}
	if _, err := leases.RenewLease(t.Context(), mine, time.Hour); err == nil {
		t.Error("the lease was renewed")
	}
}

func TestOneOwnerAtATime(t *testing.T) {
	leases, _ := table()
	const owners = 8
	won := make([]bool, owners)
	var all sync.WaitGroup
	for i := range owners {
		all.Go(func() {
			_, err := leases.AcquireLease(t.Context(), "s", "r", fmt.Sprint(i), time.Hour)
			won[i] = err == nil
		})
	}
	all.Wait()
	winners := 0
	for _, w := range won {
		if w {
			winners++
		}
	}
	if winners != 1 {
		t.Errorf("%d owners hold the lease", winners)
	}
}

// model knows which lease is good, by its own means.
type model struct {
	leases *lease.Table
	now    *time.Time
	given  []journal.Lease
	// held says that the newest lease wasn't given back.
	held bool
}

// good reports whether the i-th lease that was given is the one that counts.
func (m *model) good(i int) bool { return m.held && i == len(m.given)-1 }

// free reports whether an owner can have the lease.
func (m *model) free(owner string) bool {
	if !m.held {
		return true
	}
	newest := m.given[len(m.given)-1]
	return newest.Owner == owner || !m.now.Before(newest.Until)
}

// draw picks one of the leases that were given.
func (m *model) draw(t *rapid.T) int {
	if len(m.given) == 0 {
		t.Skip("none was given")
	}
	return rapid.IntRange(0, len(m.given)-1).Draw(t, "lease")
}

func (m *model) pass(t *rapid.T) {
	*m.now = m.now.Add(time.Duration(rapid.IntRange(1, 30).Draw(t, "seconds")) * time.Second)
}

func (m *model) acquire(t *rapid.T) {
	owner := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "owner")
	l, err := m.leases.AcquireLease(context.Background(), "s", "r", owner, 15*time.Second)
	switch {
	case m.free(owner) != (err == nil):
		t.Fatalf("%s acquires: %v", owner, err)
	case err != nil:
		return
	case len(m.given) > 0 && l.Epoch <= m.given[len(m.given)-1].Epoch:
		t.Fatalf("epoch %d after %d", l.Epoch, m.given[len(m.given)-1].Epoch)
	}
	m.given, m.held = append(m.given, l), true
}

func (m *model) renew(t *rapid.T) {
	i := m.draw(t)
	l, err := m.leases.RenewLease(context.Background(), m.given[i], 15*time.Second)
	if m.good(i) != (err == nil) {
		t.Fatalf("renewing lease %d of %d: %v", i+1, len(m.given), err)
	}
	if err == nil {
		m.given[i] = l
	}
}

func (m *model) release(t *rapid.T) {
	i := m.draw(t)
	if err := m.leases.ReleaseLease(context.Background(), m.given[i]); err != nil {
		t.Fatal(err)
	}
	m.held = m.held && !m.good(i)
}

func (m *model) check(t *rapid.T) {
	for i, l := range m.given {
		if err := lease.Admit(m.leases, "s", entry(l.Epoch, journal.Stop{})); m.good(i) != (err == nil) {
			t.Fatalf("an entry under lease %d of %d: %v", i+1, len(m.given), err)
		}
	}
}

// Whatever owners do and however time passes: an epoch is given once and grows, and only the newest lease writes.
func TestOnlyTheNewestLeaseWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leases, now := table()
		m := &model{leases: leases, now: now}
		t.Repeat(map[string]func(*rapid.T){
			"pass": m.pass, "acquire": m.acquire, "renew": m.renew, "release": m.release, "": m.check,
		})
	})
}
