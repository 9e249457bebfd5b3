package memory_test

import (
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) journal.Store { return memory.New() })
}

func TestLeasesEndByTheClock(t *testing.T) {
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	store := memory.New(memory.WithClock(func() time.Time { return now }))
	lease, err := store.AcquireLease(t.Context(), "s", "r", "a", 15*time.Second)
	if err != nil || !lease.Until.Equal(now.Add(15*time.Second)) {
		t.Fatalf("%+v, %v", lease, err)
	}
	now = now.Add(15*time.Second - 1)
	if _, err := store.AcquireLease(t.Context(), "s", "r", "b", time.Second); err == nil {
		t.Error("b got the lease a moment too soon")
	}
	now = now.Add(1)
	if taken, err := store.AcquireLease(t.Context(), "s", "r", "b", time.Second); err != nil || taken.Epoch != 2 {
		t.Errorf("b didn't get the lease that is over: %+v, %v", taken, err)
	}
}

// A reader gets the very entry that was appended: nothing is encoded or copied.
func TestEntriesAreKeptAsTheyAre(t *testing.T) {
	store := memory.New()
	e := &journal.Entry{Records: []journal.Record{journal.Session{ID: "s"}}}
	if err := store.Append(t.Context(), "s", 1, e); err != nil {
		t.Fatal(err)
	}
	for got, err := range store.Read(t.Context(), "s", 1) {
		if got != e || err != nil {
			t.Errorf("read %p, %v; want %p", got, err, e)
		}
	}
}
