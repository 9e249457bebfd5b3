package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// testReopen writes one of everything and looks for it in the store as it is opened again.
func testReopen(t *testing.T, store journal.Store, reopen func(*testing.T, journal.Store) journal.Store) {
	start(t, store, "s")
	l := acquire(t, store, "a", 0)
	add(t, store, "s", 2, entry("r", l.Epoch, journal.Run{ID: "r"}))
	large := strings.Repeat("x", journal.InlineLimit)
	add(t, store, "s", 3, note(large))
	config, err := store.PutConfig(t.Context(), []byte("config"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.CompareAndSwap(t.Context(), "app:a", "k", 0, journal.Some("v")); err != nil {
		t.Fatal(err)
	}

	store = reopen(t, store)
	entries := read(t, store, "s", 1)
	if len(entries) != 3 || entries[2].Records[0].(journal.Note).Text != large {
		t.Fatalf("the log has %d entries, want the 3 that were acknowledged", len(entries))
	}
	want[*journal.ConflictError](t, store.Append(t.Context(), "s", 3, note("again")))
	stale := entry("r", l.Epoch-1, journal.Stop{})
	want[*journal.StaleLeaseError](t, store.Append(t.Context(), "s", 4, stale))
	if next := acquire(t, store, "b", time.Hour); next.Epoch <= l.Epoch {
		t.Errorf("the next lease has the epoch %d, want more than %d", next.Epoch, l.Epoch)
	}
	add(t, store, "s", 4, note("next"))
	if data, err := store.GetConfig(t.Context(), config); err != nil || string(data) != "config" {
		t.Errorf("the config is %q, %v", data, err)
	}
	item, err := store.Get(t.Context(), "app:a", "k")
	if err != nil || item.Version != 1 || item.Value.Value() != "v" {
		t.Errorf("the shared state is %v, %v", item, err)
	}
}

// fillDamaged makes a session of which the third of four entries can't be read, and one that is sound.
func fillDamaged(t *testing.T, store journal.Store, damage func()) {
	start(t, store, "other")
	add(t, store, "other", 2, entry("r_o", 0, journal.Run{ID: "r_o"}))
	start(t, store, "s")
	add(t, store, "s", 2, entry("r", 0, journal.Run{ID: "r"}))
	add(t, store, "s", 3, entry("r", 0, journal.Note{Code: "n", Text: largeText()}))
	add(t, store, "s", 4, entry("r", 0, journal.Note{Code: "n"}))
	damage()
}

func largeText() string { return strings.Repeat("y", journal.InlineLimit) }

// testDamage looks at a session one of whose entries can't be read.
func testDamage(t *testing.T, store journal.Store) {
	testDamagedLog(t, store)
	for info, err := range store.Runs(t.Context(), journal.RunFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if damaged := info.Reason == journal.Damaged; damaged != (info.Run == "r") {
			t.Errorf("run %s is %s %s", info.Run, info.Status, info.Reason)
		}
	}
	add(t, store, "s", 5, note("next"))
}

// testDamagedLog reads the log of that session. Whether an index of runs looks into blobs is the store's affair.
func testDamagedLog(t *testing.T, store journal.Store) {
	t.Helper()
	for from, wanted := range map[int64]string{1: "1 2 !3 4", 3: "!3 4", 4: "4"} {
		var found []string
		for e, err := range store.Read(t.Context(), "s", from) {
			if err == nil {
				found = append(found, fmt.Sprint(e.Seq))
				continue
			}
			damage := want[*journal.DamagedError](t, err)
			if e != nil || damage.Session != "s" || damage.Err == nil {
				t.Errorf("with the damage %+v comes %v", damage, e)
			}
			found = append(found, fmt.Sprint("!", damage.Seq))
		}
		equal(t, fmt.Sprint("entries from ", from), strings.Join(found, " "), wanted)
	}
}

// testNewer looks at a log one of whose entries a newer release has written.
func testNewer(t *testing.T, store journal.Store) {
	err := firstError(store.Read(t.Context(), "s", 1))
	newer := want[*journal.NewerFormatError](t, err)
	if newer.Session != "s" || newer.Seq != 3 {
		t.Errorf("refused is %+v, want entry 3 of s", newer)
	}
	var refused []error
	var ids []string
	for info, err := range store.Runs(t.Context(), journal.RunFilter{}) {
		if err != nil {
			refused = append(refused, err)
		} else {
			ids = append(ids, info.Run)
		}
	}
	if len(ids) != 1 || ids[0] != "r_o" || len(refused) != 1 || !errors.As(refused[0], &newer) {
		t.Errorf("runs %v, errors %v; want the run of the other session and one refusal", ids, refused)
	}
}

// faultCases are those that need the help of an option.
func (s *suite) faultCases() []testCase {
	var cases []testCase
	if s.reopen != nil {
		cases = append(cases, testCase{"what was acknowledged is there when the store is opened again",
			func(t *testing.T, store journal.Store) { testReopen(t, store, s.reopen) }})
	}
	if s.tamperBlob != nil {
		cases = append(cases, testCase{"a changed blob damages its entry", func(t *testing.T, store journal.Store) {
			fillDamaged(t, store, func() {
				text, err := journal.EncodeValue(largeText())
				if err != nil {
					t.Fatal(err)
				}
				s.tamperBlob(t, store, journal.Digest(text))
			})
			testDamagedLog(t, store)
		}})
	}
	if s.tamperEntry == nil {
		return cases
	}
	tampered := func(name, text string, test func(*testing.T, journal.Store)) testCase {
		return testCase{name, func(t *testing.T, store journal.Store) {
			fillDamaged(t, store, func() { s.tamperEntry(t, store, "s", 3, text) })
			test(t, store)
		}}
	}
	return append(cases,
		tampered("an entry that can't be read is reported and the others are read", `{"v":1,"seq":3,"recs":7}`, testDamage),
		tampered("an entry of a newer format is refused", `{"v":2,"seq":3,"recs":7}`, testNewer),
		tampered("a record of a newer release is refused", `{"v":1,"seq":3,"recs":[{"t":"leap"}]}`, testNewer))
}
