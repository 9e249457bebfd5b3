package jsonl_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// FuzzAnyFile puts any bytes in the place of a session's file. Reading ends, and when an append is taken it changes
// nothing of what could be read before.
func FuzzAnyFile(f *testing.F) {
	good := fill(f, f.TempDir(), 3)
	f.Add(strings.Join(good, ""))
	f.Add(good[0] + flip(good[1]) + good[2])
	f.Add(good[0] + good[1][:20])
	f.Add(good[0] + "\n\n" + good[2] + "{\"v\":9")
	f.Add(strings.TrimSuffix(strings.Join(good, ""), "\n"))
	f.Add(strings.Join(converted(good), ""))
	f.Add(strings.Join(good, "") + strings.Repeat("\x00", 30))
	f.Add(good[0] + good[1] + good[1])
	f.Add(good[0] + strings.TrimSuffix(good[1], "\n") + good[2])
	f.Add(good[0] + reseal(`{"v":1,"seq":10001,"recs":[{"t":"tip"}]}`))
	f.Add(good[0] + reseal(`{"v":1,"seq":2,"recs":[{"t":"leap"}]}`) + good[2])
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		store := open(t, dir, jsonl.WithSync(jsonl.SyncNever))
		write(t, dir, text)
		before, err := findings(t, store, 1)
		var conflict *journal.ConflictError
		if !errors.As(store.Append(t.Context(), "s", 1<<40, entry(2)), &conflict) {
			return // no session, or one that can't be read
		}
		if err != nil {
			t.Fatalf("an append was possible where reading is not: %v", err)
		}
		if err := store.Append(t.Context(), "s", conflict.Next, entry(2)); err != nil {
			t.Fatal(err)
		}
		after, err := findings(t, store, 1)
		if before = append(before, fmt.Sprint(conflict.Next)); err != nil || !slices.Equal(before, after) {
			t.Fatalf("read %v, %v; want %v", after, err, before)
		}
	})
}
