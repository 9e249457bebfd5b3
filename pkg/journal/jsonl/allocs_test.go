package jsonl_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// Lines are made in memory that the session's file keeps, but for large ones.
func TestAnAppendAllocatesNothingOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 2)
	store := open(t, dir, jsonl.WithSync(jsonl.SyncNever))
	e := &journal.Entry{Run: "r", Records: []journal.Record{
		journal.Start{Path: "a@1", From: []string{"START"}, Attempt: 1},
		journal.End{Path: "a@1", Output: journal.Some("x"), Next: []string{"b@1"}},
	}}
	seq := int64(2)
	if n := testing.AllocsPerRun(100, func() {
		seq, e.Seq = seq+1, 0
		if err := store.Append(t.Context(), "s", seq, e); err != nil {
			t.Fatal(err)
		}
	}); n > 1 {
		t.Errorf("%v allocations, want at most 1", n)
	}
}
