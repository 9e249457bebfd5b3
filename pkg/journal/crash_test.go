package journal_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

// replay writes the records of the golden log's runs that aren't in the store yet, through writers of its own, as a
// process would that goes on after another one died. It ends with the first error.
func replay(t *testing.T, store journal.Store, log []*journal.Entry) error {
	t.Helper()
	state, err := journal.Load(t.Context(), store, "s_7Q")
	tip := int64(0)
	if err == nil {
		tip = state.Seq
	}
	appender := journal.NewAppender(store, "s_7Q", tip, (&clockAt{at(0)}).Now)
	for _, e := range log[tip:] {
		w := appender.Writer(e.Run, e.Epoch)
		if _, err := w.Commit(t.Context(), e.Records...); err != nil {
			return err
		}
	}
	return nil
}

// The journal fails at every append, before it took effect and after. What comes back from the store says which it was,
// and going on from there gives the log that an undisturbed process writes.
func TestACrashAtEveryAppend(t *testing.T) {
	log := goldenLog(t)
	undisturbed := memory.New()
	if err := replay(t, undisturbed, log); err != nil {
		t.Fatal(err)
	}
	want, err := journal.Load(t.Context(), undisturbed, "s_7Q")
	if err != nil {
		t.Fatal(err)
	}
	for _, moment := range []storetest.Moment{storetest.Before, storetest.After} {
		for n := 1; ; n++ {
			inner := memory.New()
			faulty := storetest.NewFaulty(inner, n, moment)
			err := replay(t, faulty, log)
			if !faulty.Tripped() {
				if n != len(log)+1 || err != nil {
					t.Errorf("%s: %d appends got through, %v", moment, n-1, err)
				}
				break
			}
			if !errors.Is(err, storetest.ErrInjected) {
				t.Fatalf("%s append %d: %v", moment, n, err)
			}
			if err := replay(t, inner, log); err != nil {
				t.Fatalf("%s append %d: going on: %v", moment, n, err)
			}
			got, err := journal.Load(t.Context(), inner, "s_7Q")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, compareStates()); diff != "" {
				t.Errorf("%s append %d:\n%s", moment, n, diff)
			}
		}
	}
}

// A writer that doesn't know of an append that took effect can't write over it.
func TestABlindRetryIsAConflict(t *testing.T) {
	inner := memory.New()
	a := open(t, storetest.NewFaulty(inner, 2, storetest.After), &clockAt{at(0)})
	if _, err := a.Append(t.Context(), "r", 0, journal.Run{ID: "r"}); !errors.Is(err, storetest.ErrInjected) {
		t.Fatal(err)
	}
	blind := journal.NewAppender(inner, "s", a.Tip(), nil)
	_, err := blind.Append(t.Context(), "r", 0, journal.Run{ID: "r"})
	if conflict, ok := errors.AsType[*journal.ConflictError](err); !ok || conflict.Next != 3 {
		t.Errorf("got %v, want a conflict with entry 3 next", err)
	}
}
