package storetest

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
)

func testFidelity(t *testing.T, store journal.Store) {
	for i, e := range Everything("s") {
		add(t, store, "s", int64(i)+1, e)
	}
	wanted := Everything("s")
	for i := range wanted {
		wanted[i].Seq = int64(i) + 1
	}
	got := read(t, store, "s", 1)
	if len(got) != len(wanted) {
		t.Fatalf("read %d entries, want %d", len(got), len(wanted))
	}
	for i := range wanted {
		equal(t, fmt.Sprintf("entry %d", i+1), header(got[i]), header(wanted[i]))
		for j := range wanted[i].Records {
			equal(t, fmt.Sprintf("record %d.%d", i+1, j), got[i].Records[j], wanted[i].Records[j])
		}
	}
}

// header is an entry without its records.
func header(e *journal.Entry) journal.Entry {
	h := *e
	h.Records, h.Format = nil, max(h.Format, journal.FormatVersion)
	return h
}

func testOrder(t *testing.T, store journal.Store) {
	start(t, store, "s")
	for seq := int64(2); seq <= 20; seq++ {
		add(t, store, "s", seq, note(fmt.Sprint(seq)))
	}
	for _, from := range []int64{-1, 0, 1, 2, 11, 20, 21, 99} {
		next := max(from, 1)
		for _, e := range read(t, store, "s", from) {
			if e.Seq != next {
				t.Fatalf("from %d: read entry %d, want %d", from, e.Seq, next)
			}
			next++
		}
		if want := max(21, from); next != want {
			t.Errorf("from %d: reading ended before entry %d, want %d", from, next, want)
		}
	}
}

func testStop(t *testing.T, store journal.Store) {
	start(t, store, "s")
	add(t, store, "s", 2, note("a"))
	entries := store.Read(t.Context(), "s", 1)
	for e, err := range entries {
		if err != nil || e.Seq != 1 {
			t.Fatalf("first entry: %v, %v", e, err)
		}
		break
	}
	n := 0
	for range entries {
		n++
	}
	if n != 2 {
		t.Errorf("the second loop read %d entries, want 2", n)
	}
}

func testConflict(t *testing.T, store journal.Store) {
	start(t, store, "s")
	add(t, store, "s", 2, note("a"))
	for _, seq := range []int64{2, 4, 100} {
		err := want[*journal.ConflictError](t, store.Append(t.Context(), "s", seq, note("b")))
		equal(t, "conflict", *err, journal.ConflictError{Session: "s", Seq: seq, Next: 3})
	}
	again := entry("", 0, journal.Session{ID: "s"})
	want[*journal.ConflictError](t, store.Append(t.Context(), "s", 1, again))
	if n := len(read(t, store, "s", 1)); n != 2 {
		t.Errorf("the log has %d entries, want 2", n)
	}
	add(t, store, "s", 3, note("c"))
}

func testRace(t *testing.T, store journal.Store) {
	start(t, store, "s")
	const writers = 8
	errs := make([]error, writers)
	var done sync.WaitGroup
	for i := range writers {
		done.Go(func() { errs[i] = store.Append(t.Context(), "s", 2, note(fmt.Sprint(i))) })
	}
	done.Wait()
	won := -1
	for i, err := range errs {
		switch {
		case err != nil:
			want[*journal.ConflictError](t, err)
		case won >= 0:
			t.Errorf("writers %d and %d both won", won, i)
		default:
			won = i
		}
	}
	entries := read(t, store, "s", 2)
	if won < 0 || len(entries) != 1 || entries[0].Records[0].(journal.Note).Text != fmt.Sprint(won) {
		t.Errorf("writer %d won, the log has %v", won, entries)
	}
}

func testContention(t *testing.T, store journal.Store) {
	start(t, store, "s")
	const writers, each = 4, 10
	var done sync.WaitGroup
	for range writers {
		done.Go(func() {
			for n, seq := 0, int64(2); n < each; seq++ {
				err := store.Append(t.Context(), "s", seq, note("x"))
				var conflict *journal.ConflictError
				switch {
				case err == nil:
					n++
				case errors.As(err, &conflict):
					seq = conflict.Next - 1
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
	for i, e := range read(t, store, "s", 1) {
		if e.Seq != int64(i)+1 {
			t.Fatalf("entry %d has the number %d", i+1, e.Seq)
		}
	}
	if n := len(read(t, store, "s", 1)); n != 1+writers*each {
		t.Errorf("the log has %d entries, want %d", n, 1+writers*each)
	}
}

func testSessions(t *testing.T, store journal.Store) {
	start(t, store, "s")
	start(t, store, "s.1")
	add(t, store, "s", 2, note("a"))
	if a, b := len(read(t, store, "s", 1)), len(read(t, store, "s.1", 1)); a != 2 || b != 1 {
		t.Errorf("the logs have %d and %d entries, want 2 and 1", a, b)
	}
}

func testUnknown(t *testing.T, store journal.Store) {
	err := want[*journal.UnknownSessionError](t, firstError(store.Read(t.Context(), "s", 1)))
	equal(t, "session", err.Session, "s")
	want[*journal.UnknownSessionError](t, store.Append(t.Context(), "s", 2, note("a")))
	want[*journal.UnknownSessionError](t, firstError(store.Read(t.Context(), "../s", 1)))
}

func testRefusals(t *testing.T, store journal.Store) {
	session := func(id string) *journal.Entry { return entry("", 0, journal.Session{ID: id}) }
	for name, c := range map[string]struct {
		session string
		seq     int64
		entry   *journal.Entry
	}{
		"no session record":   {"s", 1, note("a")},
		"another session":     {"s", 1, session("z")},
		"no records":          {"s", 1, entry("", 0)},
		"number 0":            {"s", 0, session("s")},
		"numbered already":    {"s", 1, &journal.Entry{Seq: 7, Records: session("s").Records}},
		"newer format":        {"s", 1, &journal.Entry{Format: journal.FormatVersion + 1, Records: session("s").Records}},
		"empty id":            {"", 1, session("")},
		"id that leads out":   {"../s", 1, session("../s")},
		"hidden id":           {".s", 1, session(".s")},
		"id that is a device": {"nul", 1, session("nul")},
		"long id":             {strings.Repeat("s", 129), 1, session(strings.Repeat("s", 129))},
	} {
		t.Run(name, func(t *testing.T) {
			want[*journal.EntryError](t, store.Append(t.Context(), c.session, c.seq, c.entry))
		})
	}
	want[*journal.UnknownSessionError](t, firstError(store.Read(t.Context(), "s", 1)))
}

// testBadValue allows a store to take what it doesn't encode; one that refuses must not have written.
func testBadValue(t *testing.T, store journal.Store) {
	start(t, store, "s")
	bad := entry("", 0, journal.Note{Code: "test", Data: map[string]any{"x": []any{math.NaN()}}})
	err := store.Append(t.Context(), "s", 2, bad)
	if err == nil {
		return
	}
	if at := want[*journal.ValueError](t, err).Path; at != "recs[0].data.x[0]" {
		t.Errorf("the error is at %q", at)
	}
	add(t, store, "s", 2, note("a"))
	if n := len(read(t, store, "s", 1)); n != 2 {
		t.Errorf("the log has %d entries, want 2", n)
	}
}

func testLarge(t *testing.T, store journal.Store) {
	start(t, store, "s")
	text := strings.Repeat("ä", journal.InlineLimit)
	large := map[string]any{"text": text, "$blob": "mine", "list": []any{int64(1), 2.0}}
	data := journal.Note{Code: "test", Text: text, Data: large}
	set := journal.Msg{ID: "m1", Role: journal.RoleTool, Set: map[string]any{"a": large, "b": int64(1), "$blob": text},
		Parts: []journal.Part{journal.Text{Text: text}, journal.ToolCall{ID: "c", Args: `{"a": "` + text + `"}`},
			journal.ToolResult{ID: "c", Text: text}}}
	add(t, store, "s", 2, entry("", 0, data, set))
	got := read(t, store, "s", 2)[0]
	if len(got.Records) != 2 {
		t.Fatalf("read %d records, want 2", len(got.Records))
	}
	equal(t, "note", got.Records[0], journal.Record(data))
	equal(t, "message", got.Records[1], journal.Record(set))
}
