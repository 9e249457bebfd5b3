package storetest_test

import (
	"errors"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

func TestFaultyFailsFromTheNthAppendOn(t *testing.T) {
	for _, c := range []struct {
		n       int
		moment  storetest.Moment
		written int
	}{
		{1, storetest.Before, 0},
		{1, storetest.After, 1},
		{3, storetest.Before, 2},
		{3, storetest.After, 3},
		{9, storetest.Before, 6},
	} {
		inner := memory.New()
		store := storetest.NewFaulty(inner, c.n, c.moment)
		log := storetest.Everything("s")
		for i, e := range log {
			err := store.Append(t.Context(), "s", int64(i)+1, e)
			if failed := i+1 >= c.n; failed != errors.Is(err, storetest.ErrInjected) || failed != store.Tripped() {
				t.Errorf("%d %s: append %d: %v, tripped %v", c.n, c.moment, i+1, err, store.Tripped())
			}
		}
		written := 0
		for _, err := range inner.Read(t.Context(), "s", 1) {
			if err == nil {
				written++
			}
		}
		if written != c.written || store.Appends() != len(log) {
			t.Errorf("%d %s: %d entries were written, want %d; %d appends", c.n, c.moment, written, c.written, store.Appends())
		}
	}
}

func TestEverythingFolds(t *testing.T) {
	store := memory.New()
	for i, e := range storetest.Everything("s") {
		if err := store.Append(t.Context(), "s", int64(i)+1, e); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := journal.Load(t.Context(), store, "s"); err != nil {
		t.Error(err)
	}
}
