package journal_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

// clockAt is a clock that tests set.
type clockAt struct{ now time.Time }

func (c *clockAt) Now() time.Time { return c.now }

func open(t *testing.T, store journal.Store, clock *clockAt) *journal.Appender {
	t.Helper()
	a := journal.NewAppender(store, "s", 0, clock.Now)
	if _, err := a.Append(t.Context(), "", 0, journal.Session{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	return a
}

func entries(t *testing.T, store journal.Store) []*journal.Entry {
	t.Helper()
	var all []*journal.Entry
	for e, err := range store.Read(t.Context(), "s", 1) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func TestAWriterWritesOneEntryEach(t *testing.T) {
	store, clock := memory.New(), &clockAt{at(0).Add(1_234_567)}
	w := open(t, store, clock).Writer("r", 3)
	first := journal.Run{ID: "r"}
	if _, err := w.Commit(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	clock.now = at(1)
	e, err := w.Commit(t.Context(), list(chain, start("b@1", "a@1"))...)
	if err != nil {
		t.Fatal(err)
	}
	want := []*journal.Entry{
		{Format: 1, Seq: 2, At: at(0).Add(time.Millisecond), Run: "r", Epoch: 3, Records: list(first)},
		{Format: 1, Seq: 3, At: at(1), Run: "r", Epoch: 3, Records: list(chain, start("b@1", "a@1"))},
	}
	if diff := cmp.Diff(want, entries(t, store)[1:]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[1], e); diff != "" {
		t.Errorf("the commit returned\n%s", diff)
	}
	if e, err := w.Commit(t.Context()); e != nil || err != nil || len(entries(t, store)) != 3 {
		t.Errorf("a commit of nothing: %v, %v", e, err)
	}
}

func TestAWriterThatFailedIsOver(t *testing.T) {
	for _, moment := range []storetest.Moment{storetest.Before, storetest.After} {
		t.Run(moment.String(), func(t *testing.T) {
			store := memory.New()
			w := open(t, storetest.NewFaulty(store, 2, moment), &clockAt{at(0)}).Writer("r", 0)
			e, first := w.Commit(t.Context(), journal.Run{ID: "r"})
			if !errors.Is(first, storetest.ErrInjected) || e != nil {
				t.Fatalf("got %v, %v", e, first)
			}
			if _, err := w.Commit(t.Context(), chain[0]); !errors.Is(err, first) {
				t.Errorf("the next commit: %v, want %v", err, first)
			}
			if _, err := w.Commit(t.Context()); !errors.Is(err, first) {
				t.Errorf("the next commit of nothing: %v, want %v", err, first)
			}
			want := 1
			if moment == storetest.After {
				want = 2
			}
			if n := len(entries(t, store)); n != want {
				t.Errorf("the log has %d entries, want %d", n, want)
			}
		})
	}
}

func TestAWriterWithAStaleLeaseIsRefused(t *testing.T) {
	store := memory.New()
	a := open(t, store, &clockAt{at(0)})
	old, err := store.AcquireLease(t.Context(), "s", "r", "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	w := a.Writer("r", old.Epoch)
	if _, err := w.Commit(t.Context(), journal.Run{ID: "r"}); err != nil {
		t.Fatal(err)
	}
	lease, err := store.AcquireLease(t.Context(), "s", "r", "b", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	var stale *journal.StaleLeaseError
	if _, err := w.Commit(t.Context(), journal.Stop{Why: "drain"}); !errors.As(err, &stale) {
		t.Fatalf("got %v, want a stale lease", err)
	}
	if e, err := a.Writer("r", lease.Epoch).Commit(t.Context(), journal.Own{Owner: "b"}); err != nil || e.Seq != 3 {
		t.Errorf("the new owner: %v, %v", e, err)
	}
}

func TestTheWritersOfASessionShareItsNumbers(t *testing.T) {
	store := memory.New()
	a := open(t, store, &clockAt{at(0)})
	var writers sync.WaitGroup
	for i := range 4 {
		run := fmt.Sprintf("r%d", i)
		writers.Go(func() {
			w := a.Writer(run, 0)
			for _, r := range list(journal.Run{ID: run}, chain, journal.Done{Status: journal.Completed}) {
				if _, err := w.Commit(t.Context(), r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if got := a.Tip(); got != 17 {
		t.Errorf("the tip is %d, want 17", got)
	}
	state, err := journal.Load(t.Context(), store, "s")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range state.Runs {
		if r.Status() != journal.Completed || len(r.Activations) != 2 {
			t.Errorf("run %s is %s", r.ID, r.Status())
		}
	}
}

func TestAnAppenderSaysThatSomeoneElseWrote(t *testing.T) {
	store := memory.New()
	a := open(t, store, &clockAt{at(0)})
	other := journal.NewAppender(store, "s", a.Tip(), nil)
	e, err := other.Append(t.Context(), "", 0, journal.Note{Code: "n"})
	if err != nil || time.Since(e.At) > time.Minute || e.At.Location() != time.UTC {
		t.Fatalf("an appender without a clock: %v, %v", e, err)
	}
	_, err = a.Append(t.Context(), "", 0, journal.Note{Code: "n"})
	var conflict *journal.ConflictError
	if !errors.As(err, &conflict) || a.Tip() != 1 {
		t.Errorf("got %v and tip %d, want a conflict and 1", err, a.Tip())
	}
}

func TestWhatNeedsToBeDurable(t *testing.T) {
	always := []journal.Record{journal.Session{}, journal.Run{}, journal.Queue{}, journal.Wait{}, journal.Answer{},
		journal.Msg{}, journal.Call{}, journal.Tip{}, journal.Sum{}, journal.Own{}, journal.Cancel{}, journal.Stop{},
		journal.Done{}}
	never := []journal.Record{journal.End{}, journal.Fail{}, journal.Note{}}
	for _, effectful := range []bool{false, true} {
		for _, r := range always {
			if !journal.NeedsSync(r, effectful) {
				t.Errorf("%s may wait", r.Kind())
			}
		}
		for _, r := range never {
			if journal.NeedsSync(r, effectful) {
				t.Errorf("%s may not wait", r.Kind())
			}
		}
		if journal.NeedsSync(journal.Start{}, effectful) != effectful {
			t.Errorf("a start with effects %v needs the opposite", effectful)
		}
	}
}
