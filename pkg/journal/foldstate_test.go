package journal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
)

func TestAnswersAreKeptForTheirActivation(t *testing.T) {
	r := run(t, list(chain, start("b@1", "a@1"), ask("b@1", "i", "j"),
		journal.Answer{ID: "j", Path: "b@1", Value: journal.Some("yes"), By: "u"})...)
	got := r.Activation("b@1").Answered
	if len(got) != 1 || got[0].Ask.ID != "j" || got[0].Answer.Value.Value() != "yes" || got[0].Pos.String() != "3.3" {
		t.Errorf("answered: %+v", got)
	}
	if len(r.Interrupts) != 1 || r.Interrupts[0].Ask.ID != "i" || r.Interrupts[0].Answer != nil {
		t.Errorf("open: %+v", r.Interrupts)
	}
	r = run(t, list(chain, start("b@1", "a@1"), ask("b@1", "i"), answer("i"),
		journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)}, journal.Start{Path: "b@1", Attempt: 2})...)
	if got := r.Activation("b@1").Answered; len(got) != 0 {
		t.Errorf("the second attempt has the answers of the first: %v", got)
	}
}

// A worker that waits for its items goes on as soon as one of them can.
func TestAParentWakesWithItsChildren(t *testing.T) {
	parked := list(start("w@1", "START"), start("w@1/1"), ask("w@1/1", "i", "j"), start("w@1/2"),
		journal.Fail{Path: "w@1/2", Attempt: 1, Due: at(5)}, journal.Wait{Path: "w@1"})
	for name, c := range map[string]struct {
		more []journal.Record
		want journal.ActivationState
	}{
		"nothing has come":      {nil, journal.ActivationWaiting},
		"one answer of two":     {list(journal.Answer{ID: "i", Path: "w@1/1"}), journal.ActivationWaiting},
		"both answers":          {list(journal.Answer{ID: "i", Path: "w@1/1"}, journal.Answer{ID: "j", Path: "w@1/1"}), journal.ActivationRunning},
		"an item's next try":    {list(journal.Start{Path: "w@1/2", Attempt: 2}), journal.ActivationRunning},
		"an item's first start": {list(start("w@1/3")), journal.ActivationRunning},
	} {
		t.Run(name, func(t *testing.T) {
			if got := run(t, list(parked, c.more)...).Activation("w@1").State; got != c.want {
				t.Errorf("the worker is %s, want %s", got, c.want)
			}
		})
	}
}

func TestCallsWithoutResult(t *testing.T) {
	results := func(path string, ids ...string) journal.Msg {
		m := journal.Msg{ID: "m" + strings.Join(ids, ""), Path: path, Role: journal.RoleTool}
		for _, id := range ids {
			m.Parts = append(m.Parts, journal.ToolResult{ID: id})
		}
		return m
	}
	calls := list(start("a@1", "START"), start("b@1", "START"), journal.Call{Path: "a@1", ID: "c1"},
		journal.Call{Path: "a@1", ID: "c2"}, journal.Call{Path: "b@1", ID: "c1"})
	for name, c := range map[string]struct {
		more []journal.Record
		want []string
	}{
		"nothing came":                {nil, []string{"a@1 c1", "a@1 c2", "b@1 c1"}},
		"one came":                    {list(results("a@1", "c1")), []string{"a@1 c2", "b@1 c1"}},
		"two came in one message":     {list(results("a@1", "c2", "c1")), []string{"b@1 c1"}},
		"ids belong to an activation": {list(results("b@1", "c1", "unknown")), []string{"a@1 c1", "a@1 c2"}},
		"the activation is over":      {list(end("b@1", 1)), []string{"a@1 c1", "a@1 c2"}},
		"an id is used again": {list(results("a@1", "c1", "c2"), journal.Call{Path: "a@1", ID: "c1"}),
			[]string{"b@1 c1", "a@1 c1"}},
		"the attempt failed": {list(results("a@1", "c2"), journal.Fail{Path: "a@1", Attempt: 1, Due: at(5)}),
			[]string{"a@1 c1", "b@1 c1"}},
	} {
		var got []string
		for _, open := range run(t, list(calls, c.more)...).Calls {
			got = append(got, open.Call.Path+" "+open.Call.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestStateOfASession(t *testing.T) {
	entries := after(
		start("a@1", "START"),
		journal.End{Path: "a@1", Set: map[string]any{"k": int64(1), "app:k": "x", "temp:k": true, "gone": 1.0}},
		start("b@1", "START"),
		journal.Msg{ID: "m", Path: "b@1", Role: journal.RoleTool, Set: map[string]any{"k": int64(2)},
			Delete: []string{"gone", "temp:k"}},
	)
	entries[0].Records = []journal.Record{journal.Session{ID: "s", State: map[string]any{"k": int64(0), "kept": nil}}}
	s := fold(t, "s", entries)
	if diff := cmp.Diff(map[string]any{"k": int64(2), "app:k": "x", "kept": nil}, s.State); diff != "" {
		t.Errorf("state:\n%s", diff)
	}
	if len(s.Run("r").Temp) != 0 {
		t.Errorf("temp: %v", s.Run("r").Temp)
	}
	want := map[string]journal.Write{
		"k":     {Run: "r", Path: "b@1", Pos: journal.Pos{Seq: 3, Index: 3}},
		"gone":  {Run: "r", Path: "b@1", Pos: journal.Pos{Seq: 3, Index: 3}},
		"app:k": {Run: "r", Path: "a@1", Pos: journal.Pos{Seq: 3, Index: 1}},
	}
	if diff := cmp.Diff(want, s.Written); diff != "" {
		t.Errorf("written:\n%s", diff)
	}
	begun := entries[0].Records[0].(journal.Session)
	if diff := cmp.Diff(map[string]any{"k": int64(0), "kept": nil}, begun.State); diff != "" {
		t.Errorf("the record was changed:\n%s", diff)
	}
	temp := journal.End{Path: "a@1", Set: map[string]any{"temp:k": true}}
	if got := run(t, start("a@1", "START"), temp).Temp["temp:k"]; got != true {
		t.Errorf("temp:k is %v while the run lasts", got)
	}
	if got := run(t, start("a@1", "START"), temp, journal.Done{Status: journal.Completed}).Temp; got != nil {
		t.Errorf("temp: %v after the run", got)
	}
}

// An isolated activation begins with a copy of the plain state around it. What is written within stays there, but for what
// is common to sessions; and what is written outside later doesn't come in.
func TestStateOfIsolatedActivations(t *testing.T) {
	isolated := func(path, from string, state journal.Optional) journal.Start {
		return journal.Start{Path: path, From: []string{from}, Attempt: 1, Isolated: true, State: state}
	}
	sets := func(path, within string, set map[string]any, remove ...string) journal.End {
		return journal.End{Path: path, Within: within, Set: set, Delete: remove}
	}
	entries := after(
		start("a@1", "START"), sets("a@1", "", map[string]any{"k": "a", "app:k": "a", "temp:k": "a"}),
		isolated("w@1", "START", journal.Optional{}),
		start("w@1/x@1", "w@1/START"), sets("w@1/x@1", "w@1", map[string]any{"x": "x", "temp:x": "x", "user:x": "x"}),
		isolated("w@1/v@1", "w@1/START", journal.Optional{}),
		start("w@1/v@1/p@1", "w@1/v@1/START"), sets("w@1/v@1/p@1", "w@1/v@1", map[string]any{"p": "p"}, "k", "app:k"),
		isolated("u@1", "START", journal.Some(map[string]any{"u": "given"})),
		start("b@1", "START"), sets("b@1", "", map[string]any{"k": "b"}),
	)
	s := fold(t, "s", entries)
	r := s.Run("r")
	for what, c := range map[string]struct{ want, got map[string]any }{
		"the session": {map[string]any{"k": "b", "user:x": "x"}, s.State},
		"the run":     {map[string]any{"temp:k": "a"}, r.Temp},
		"w@1":         {map[string]any{"k": "a", "x": "x", "temp:x": "x"}, r.Activation("w@1").Own.State},
		"w@1/v@1":     {map[string]any{"x": "x", "p": "p"}, r.Activation("w@1/v@1").Own.State},
		"u@1":         {map[string]any{"u": "given"}, r.Activation("u@1").Own.State},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if w := r.Activation("w@1/v@1").Own.Written["k"]; w.Path != "w@1/v@1/p@1" || s.Written["k"].Path != "b@1" {
		t.Errorf("k was removed by %v, and written by %v", w, s.Written["k"])
	}
	over := fold(t, "s", append(entries, &journal.Entry{Seq: 4, At: at(2), Run: "r", Records: []journal.Record{
		sets("u@1", "u@1", map[string]any{"u": "last"}), journal.Fail{Path: "w@1", Attempt: 1}}}))
	if u, w := over.Run("r").Activation("u@1"), over.Run("r").Activation("w@1"); u.Own != nil || !u.Isolated || w.Own == nil {
		t.Errorf("u@1, which is done, has %v, and w@1, which failed, has %v", u.Own, w.Own)
	}
}

// The start of an isolated activation is in an entry that is damaged: what is known to belong to it stays out of the
// session.
func TestStateOfIsolatedActivationsThatAreLost(t *testing.T) {
	s := fold(t, "s", after())
	if err := s.Skip(&journal.DamagedError{Seq: s.Seq + 1}); err != nil {
		t.Fatal(err)
	}
	e := &journal.Entry{Seq: s.Seq + 1, At: at(2), Run: "r", Records: []journal.Record{
		journal.End{Path: "w@1/x@1", Within: "w@1", Set: map[string]any{"k": "x", "app:k": "x"}}}}
	if err := s.Apply(e); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"app:k": "x"}, s.State); diff != "" {
		t.Error(diff)
	}
}

func TestRecoveriesCountForWhatWasRunning(t *testing.T) {
	own := func(n int) journal.Own { return journal.Own{Owner: "pod-b", Epoch: int64(n) + 1, Recoveries: n} }
	r := run(t, list(start("o@1", "START"), start("o@1/x@1", "o@1/START"), own(1), own(2), end("o@1/x@1", 1),
		start("o@1/y@1"), own(1))...)
	for path, want := range map[string]int{"o@1": 0, "o@1/x@1": 2, "o@1/y@1": 1} {
		if got := r.Activation(path).Recoveries; got != want {
			t.Errorf("%s was recovered %d times, want %d", path, got, want)
		}
	}
	if r.Owner != "pod-b" || r.Recoveries != 1 || r.Epoch != 3 {
		t.Errorf("owner %s, %d recoveries, epoch %d", r.Owner, r.Recoveries, r.Epoch)
	}
}

func TestUsageOfARunIsTheSum(t *testing.T) {
	u := &journal.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Cost: 0.5}
	r := run(t, start("a@1", "START"), journal.Msg{ID: "m", Path: "a@1", Usage: u}, journal.Msg{ID: "n"},
		journal.End{Path: "a@1", Usage: u})
	if want := (journal.Usage{Input: 2, Output: 4, CacheRead: 6, CacheWrite: 8, Cost: 1}); r.Usage != want {
		t.Errorf("usage %+v, want %+v", r.Usage, want)
	}
}

func TestFoldStopsAtOtherErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	_, err := journal.Fold("s", func(yield func(*journal.Entry, error) bool) {
		_ = yield(begin()[0], nil) && yield(nil, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}
