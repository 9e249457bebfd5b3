package jsonl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// However a crash cuts a file, the entries that are whole are still there, and an append goes on behind them. The last
// one is whole without the end of its line, too.
func TestAnyCutKeepsWhatWasWhole(t *testing.T) {
	dir := t.TempDir()
	text := strings.Join(fill(t, dir, 4), "")
	for cut := range len(text) {
		write(t, dir, text[:cut])
		store, err := jsonl.Open(dir, jsonl.WithSync(jsonl.SyncNever))
		if err != nil {
			t.Fatal(err)
		}
		next := strings.Count(text[:cut+1], "\n") + 1
		if err := store.Append(t.Context(), "s", int64(next), entry(next)); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		found, err := findings(t, store, 1)
		if got := strings.Join(found, " "); err != nil || got != numbers(next) {
			t.Fatalf("cut at %d: read %s, %v; want %s", cut, got, err, numbers(next))
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// numbers lists the numbers of n entries.
func numbers(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(i+1))
	}
	return strings.Join(all, " ")
}

// Whatever bit of a log changes, no entry is missed without a word: those of the other lines are read and that one is
// damaged, or the log is refused as one that a newer release wrote. The one exception is the last byte, without which
// the last line can't be told from a torn one.
func TestAnyChangedBitIsFoundOut(t *testing.T) {
	good := fill(t, t.TempDir(), 3)
	text := strings.Join(good, "")
	dir := t.TempDir()
	store := open(t, dir)
	for at := range len(text) - 1 {
		for bit := range 8 {
			changed := []byte(text)
			changed[at] ^= 1 << bit
			write(t, dir, string(changed))
			line := strings.Count(text[:at], "\n") + 1
			found, err := findings(t, store, 1)
			var newer *journal.NewerFormatError
			if errors.As(err, &newer) && newer.Seq >= int64(line) {
				continue
			}
			if err != nil || strings.Join(found, " ") != missing(line, text[at] == '\n') {
				t.Errorf("bit %d of byte %d, in line %d: read %v, %v", bit, at, line, found, err)
			}
		}
	}
}

// missing is what is found of three entries, of which that one is damaged, in a line that has lost its end or not. Without
// it the next entry is in the same line; at the end of a log such a line counts as one entry.
func missing(line int, end bool) string {
	want := []string{"1", "2", "3"}
	want[line-1] = fmt.Sprintf("!%d@%d", line, line)
	switch {
	case end && line == 1:
		want[1] = "!2@1"
	case end:
		want = want[:line]
	}
	return strings.Join(want, " ")
}
