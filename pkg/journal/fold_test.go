package journal_test

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

// goldenLog reads the log of format 1 that every later release must read alike.
func goldenLog(t *testing.T) []*journal.Entry {
	t.Helper()
	text, err := os.ReadFile("testdata/v1/s_7Q.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var entries []*journal.Entry
	for line := range bytes.Lines(text) {
		entries = append(entries, decode(t, string(line), nil))
	}
	return entries
}

func TestGoldenLogIsWrittenAlike(t *testing.T) {
	text, err := os.ReadFile("testdata/v1/s_7Q.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	entries := goldenLog(t)
	for i, line := range slices.Collect(bytes.Lines(text)) {
		body, _, _ := strings.Cut(string(line), `,"crc":`)
		if diff := cmp.Diff(body+"}", encode(t, entries[i], nil)); diff != "" {
			t.Errorf("line %d:\n%s", i+1, diff)
		}
	}
}

func TestGoldenLogIsFoldedAlike(t *testing.T) {
	golden(t, "v1/s_7Q.fold", describe(t, fold(t, "s_7Q", goldenLog(t))))
}

func fold(t *testing.T, session string, entries []*journal.Entry) *journal.SessionState {
	t.Helper()
	s, err := journal.Fold(session, sequence(entries))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sequence(entries []*journal.Entry) iter.Seq2[*journal.Entry, error] {
	return func(yield func(*journal.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// compareStates also compares what states keep to themselves.
func compareStates() cmp.Option {
	return cmp.AllowUnexported(journal.SessionState{}, journal.RunState{}, journal.Activation{})
}

// Folding entry by entry gives at each point what folding the whole log up to there gives, so that a process that
// follows a log knows what one that has just read it knows.
func TestFoldIsIncremental(t *testing.T) {
	for session, entries := range map[string][]*journal.Entry{
		"s_7Q": goldenLog(t),
		"s":    numbered(storetest.Everything("s")),
	} {
		live := journal.NewSessionState(session)
		for i, e := range entries {
			if err := live.Apply(e); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fold(t, session, entries[:i+1]), live, compareStates()); diff != "" {
				t.Fatalf("%s up to entry %d:\n%s", session, i+1, diff)
			}
		}
	}
}

// describe writes a state for people.
func describe(t *testing.T, s *journal.SessionState) string {
	t.Helper()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("session %s of %s, %s, %s: %d entries, tip %s", s.Session.ID, s.Session.App, s.Session.Principal,
		s.Session.User, s.Seq, s.Tip)
	for _, key := range slices.Sorted(maps.Keys(s.State)) {
		w := s.Written[key]
		line("  %s = %s  written by %q %q at %s", key, jsonOf(t, s.State[key]), w.Run, w.Path, w.Pos)
	}
	for _, n := range s.Thread(s.Tip, journal.View{}) {
		line("  %s %s of %q at %s", n.ID, n.Record.Kind(), n.Run, n.Pos)
	}
	for _, r := range s.Runs {
		describeRun(t, s, r, line)
	}
	return b.String()
}

func describeRun(t *testing.T, s *journal.SessionState, r *journal.RunState, line func(string, ...any)) {
	info := s.Info(r)
	line("run %s %s %q: epoch %d, owner %q, recovered %d times, message %q, wake %s", r.ID, info.Status, info.Reason,
		r.Epoch, r.Owner, r.Recoveries, r.Message, clock(info.Wake))
	line("  usage %+v, temp %s, from %s to %s", r.Usage, jsonOf(t, r.Temp), clock(r.Started), clock(r.Updated))
	for _, a := range r.Activations {
		line("  %s %s: attempt %d, from %v, branch %q", a.Path, a.State, a.Attempt, a.From, a.Branch)
		line("    in %s, out %s (%v), routes %v, next %v", jsonOf(t, a.Input), jsonOf(t, a.Output.Value()),
			a.Output.Present(), a.Routes, a.Next)
		line("    started %s, committed %s, due %s, recovered %d times", a.Started, a.Committed, clock(a.Due), a.Recoveries)
		if a.Err != nil {
			line("    failed: %s %s %q, handled %v", a.Err.Code, a.Err.Type, a.Err, a.Handled())
		}
		for _, i := range a.Answered {
			line("    answered %s: %s by %s", i.Ask.ID, i.Answer.Decision, i.Answer.By)
		}
	}
	for _, a := range r.Arrivals {
		line("  arrival on %s from %s (%s) at %s", a.Join, a.From, a.Source, a.Pos)
	}
	for _, i := range r.Interrupts {
		line("  open %s of %s at %s: %s", i.Ask.ID, i.Path, i.Pos, i.Ask.Message)
	}
	for _, c := range r.Calls {
		line("  call %s of %s at %s", c.Call.ID, c.Call.Path, c.Pos)
	}
	for _, n := range r.Notes {
		line("  note %s: %s", n.Code, n.Text)
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := journal.EncodeValue(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func clock(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return at.Format("02T15:04:05.000")
}
