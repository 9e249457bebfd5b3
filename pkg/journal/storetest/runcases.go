package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// fillRuns makes three sessions: a waits in r_a until a deadline, b has ended r_b and queued r_q, and c runs r_c with a
// format that is yet to come.
func fillRuns(t *testing.T, store journal.Store) {
	t.Helper()
	at := func(minutes int, run string, records ...journal.Record) *journal.Entry {
		return &journal.Entry{At: epoch().Add(time.Duration(minutes) * time.Minute), Run: run, Records: records}
	}
	add(t, store, "b", 1, at(0, "", journal.Session{ID: "b", App: "app-1", Principal: "web", User: "u"}))
	add(t, store, "b", 2, at(3, "r_b", journal.Run{ID: "r_b", Config: "sha256:0"},
		journal.Done{Status: journal.Completed}))
	add(t, store, "b", 3, at(4, "r_q", journal.Queue{Run: "r_q", Message: "m"}))
	add(t, store, "a", 1, at(1, "", journal.Session{ID: "a", App: "app-1", Principal: "cli"}))
	add(t, store, "a", 2, at(1, "r_a", journal.Run{ID: "r_a"},
		journal.Start{Path: "ask@1", From: []string{"START"}, Attempt: 1},
		journal.Wait{Path: "ask@1", Asks: []journal.Ask{{ID: "i", Deadline: epoch().Add(time.Hour)}}}))
	add(t, store, "a", 3, at(5, "r_a", journal.Cancel{By: "u"}))
	add(t, store, "c", 1, at(2, "", journal.Session{ID: "c", App: "app-2", Principal: "web"}))
	add(t, store, "c", 2, at(2, "r_c", journal.Run{ID: "r_c", Format: 2}))
}

func testRuns(t *testing.T, store journal.Store) {
	fillRuns(t, store)
	for name, c := range map[string]struct {
		filter journal.RunFilter
		want   []string
	}{
		"all, oldest first":     {journal.RunFilter{}, []string{"r_a", "r_c", "r_b", "r_q"}},
		"session":               {journal.RunFilter{Session: "b"}, []string{"r_b", "r_q"}},
		"run":                   {journal.RunFilter{Run: "r_q"}, []string{"r_q"}},
		"app":                   {journal.RunFilter{App: "app-2"}, []string{"r_c"}},
		"principal":             {journal.RunFilter{Principal: "web"}, []string{"r_c", "r_b", "r_q"}},
		"principal and session": {journal.RunFilter{Principal: "cli", Session: "b"}, nil},
		"statuses": {journal.RunFilter{Statuses: []journal.Status{journal.Waiting, journal.Queued}},
			[]string{"r_a", "r_q"}},
		"running":             {journal.RunFilter{Statuses: []journal.Status{journal.Running}}, []string{"r_c"}},
		"format":              {journal.RunFilter{MaxFormat: 1}, []string{"r_a", "r_b", "r_q"}},
		"wake":                {journal.RunFilter{WakeBefore: epoch().Add(2 * time.Hour)}, []string{"r_a"}},
		"wake, but not yet":   {journal.RunFilter{WakeBefore: epoch().Add(time.Hour)}, nil},
		"an unknown session":  {journal.RunFilter{Session: "z"}, nil},
		"a session that isnt": {journal.RunFilter{Session: "../b"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "runs", runs(t, store, c.filter), c.want)
		})
	}
	for info, err := range store.Runs(t.Context(), journal.RunFilter{Run: "r_a"}) {
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "info", info, journal.RunInfo{Session: "a", App: "app-1", Principal: "cli", Run: "r_a",
			Status: journal.Waiting, Format: 1, Started: epoch().Add(time.Minute), Updated: epoch().Add(5 * time.Minute),
			Wake: epoch().Add(time.Hour), CancelRequested: true})
	}
}

func runs(t *testing.T, store journal.Store, filter journal.RunFilter) []string {
	t.Helper()
	var ids []string
	for info, err := range store.Runs(t.Context(), filter) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, info.Run)
	}
	return ids
}

func testRunsContradiction(t *testing.T, store journal.Store) {
	fillRuns(t, store)
	start(t, store, "bad")
	add(t, store, "bad", 2, entry("r_x", 0, journal.Run{ID: "r_x"}, journal.End{Path: "never@1"}))
	var ids []string
	var errs []error
	for info, err := range store.Runs(t.Context(), journal.RunFilter{}) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ids = append(ids, info.Run)
	}
	if !slices.Equal(ids, []string{"r_a", "r_c", "r_b", "r_q"}) || len(errs) != 1 {
		t.Fatalf("runs %v, errors %v", ids, errs)
	}
	equal(t, "session of the error", want[*journal.FoldError](t, errs[0]).Session, "bad")
}
