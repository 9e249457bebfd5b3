package journal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
)

// Every log here says something that can't have happened. The fold names the record and says what was expected.
func TestContradictionsAreErrors(t *testing.T) {
	running := list(chain, start("b@1", "a@1"))
	waiting := list(running, ask("b@1", "i"))
	for name, c := range map[string]struct {
		records []journal.Record
		want    string
	}{
		"end without start": {list(end("x@1", 1)), "record 3.0, run r, x@1: it ends without having started"},
		"end while queued":  {list(chain, end("b@1", 1)), "record 3.2, run r, b@1: it ends without having started"},
		"end twice":         {list(chain, end("a@1", 1)), "a@1: it ends, but it is done"},
		"end while asking":  {list(waiting, end("b@1", 1)), "b@1: it ends while 1 of its interrupts are open"},
		"end in backoff": {list(running, journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)}, end("b@1", 1)),
			"b@1: it ends, but it is backoff"},
		"START ends twice": {
			list(journal.End{Path: "START"}, journal.End{Path: "START"}),
			"START: it ends, but it is done",
		},
		"START of nothing": {list(journal.End{Path: "o@1/START"}),
			"o@1/START: it starts from o@1/START, but there is no o@1"},

		"a write within nothing": {list(start("a@1", "START"), journal.End{Path: "a@1", Within: "x@1", Set: map[string]any{"k": true}}),
			"a@1: it writes to the state of x@1, which has none of its own"},
		"a write within what isn't isolated": {
			list(start("a@1", "START"), start("b@1", "START"), journal.Msg{ID: "m", Path: "b@1", Within: "a@1", Delete: []string{"k"}}),
			"b@1: it writes to the state of a@1, which has none of its own",
		},
		"a state of its own that is none": {
			list(journal.Start{Path: "a@1", From: []string{"START"}, Attempt: 1, Isolated: true, State: journal.Some("k")}),
			"a@1: its own state is no map",
		},

		"start of no path":    {list(start("", "START")), "an activation has no path"},
		"trigger of no path":  {list(start("a@1", "START"), end("a@1", 1, "")), "an activation has no path"},
		"start twice":         {list(running, start("b@1", "a@1")), "b@1: it starts, but it is running"},
		"start after the end": {list(chain, start("a@1", "START")), "a@1: it starts, but it is done"},
		"start while asking":  {list(waiting, start("b@1", "a@1")), "b@1: it starts, but it is waiting"},
		"start from another one": {
			list(chain, start("b@1", "START")),
			"b@1: it starts from [START], but was triggered by [a@1]",
		},
		"start from nowhere": {list(start("b@1", "z@1")), "b@1: it starts from z@1, which was never recorded"},
		"start from what runs": {
			list(running, start("c@1", "b@1")),
			"c@1: its input isn't recorded and doesn't follow from b@1, which is running",
		},
		"start from what failed": {
			list(running, journal.Fail{Path: "b@1", Attempt: 1, Next: []string{"c@1"}}, start("c@1", "b@1")),
			"doesn't follow from b@1, which is failed",
		},
		"start from two": {
			list(running, end("b@1", 1), start("c@1", "a@1", "b@1")),
			"c@1: it starts from [a@1 b@1], but is no join",
		},
		"start from another START": {
			list(start("o@1", "START"), start("o@1/x@1", "START")),
			"o@1/x@1: it starts from START, which is another instance's",
		},
		"start as attempt 2": {
			list(journal.Start{Path: "a@1", From: []string{"START"}, Attempt: 2}),
			"a@1: its first attempt has the number 2",
		},
		"start without attempt": {
			list(journal.Start{Path: "a@1", From: []string{"START"}}),
			"a@1: its first attempt has the number 0",
		},
		"start of attempt 3 next": {
			list(running, journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)}, journal.Start{Path: "b@1", Attempt: 3}),
			"b@1: attempt 3 starts, but 2 comes next",
		},
		"start after final failure": {
			list(running, journal.Fail{Path: "b@1", Attempt: 1}, journal.Start{Path: "b@1", Attempt: 2}),
			"b@1: it starts, but it is failed",
		},
		"re-entry as attempt 2": {list(waiting, answer("i"), journal.Start{Path: "b@1", Attempt: 2}),
			"b@1: attempt 2 starts, but 1 comes next"},
		"re-entry twice": {list(waiting, answer("i"), journal.Start{Path: "b@1", Attempt: 1},
			journal.Start{Path: "b@1", Attempt: 1}), "b@1: it starts, but it is running"},
		"join of what hasn't arrived": {list(start("a@1", "START"), end("a@1", 1, "b@1", "J<a"), start("b@1", "a@1"),
			end("b@1", 1), start("J@1", "a@1", "b@1")), "J@1: it starts from [a@1 b@1], of which 1 have arrived"},
		"arrival used twice": {list(start("a@1", "START"), end("a@1", 1, "b@1", "J<a"), start("b@1", "a@1"),
			end("b@1", 1, "J<b"), start("J@1", "a@1"), end("J@1", 1), start("J@2", "a@1", "b@1")),
			"J@2: it starts from [a@1 b@1], of which 1 have arrived"},

		"trigger twice": {
			list(chain, start("c@1", "START"), end("c@1", 1, "b@1")),
			"b@1: it is triggered by c@1, but was recorded before",
		},
		"trigger what runs": {
			list(start("a@1", "START"), start("b@1", "START"), end("a@1", 1, "b@1")),
			"b@1: it is triggered by a@1, but was recorded before",
		},
		"foreign arrival": {list(start("a@1", "START"), end("a@1", 1, "J<b")), "a@1: it can't send J<b"},

		"fail without start": {list(journal.Fail{Path: "a@1", Attempt: 1}), "a@1: it fails without having started"},
		"fail while queued":  {list(chain, journal.Fail{Path: "b@1"}), "b@1: it fails without having started"},
		"fail after the end": {
			list(chain, journal.Fail{Path: "a@1", Attempt: 1}),
			"a@1: it fails without having started",
		},
		"fail of another attempt": {
			list(running, journal.Fail{Path: "b@1", Attempt: 2}),
			"b@1: attempt 2 fails, but attempt 1 runs",
		},
		"fail with retry and handler": {list(running, journal.Fail{Path: "b@1", Attempt: 1, Due: at(5), Next: []string{"c@1"}}),
			"b@1: its failure has both a next attempt and a handler"},

		"wait without start": {list(ask("a@1", "i")), "a@1: it waits without having started"},
		"wait after the end": {list(chain, ask("a@1", "i")), "a@1: it waits, but it is done"},
		"wait twice":         {list(waiting, ask("b@1", "j")), "b@1: it waits while 1 of its interrupts are open"},
		"one interrupt twice": {
			list(waiting, start("c@1", "START"), ask("c@1", "i")),
			"c@1: interrupt i is opened twice",
		},
		"two interrupts of an id": {list(running, ask("b@1", "i", "i")), "b@1: interrupt i is opened twice"},
		"answer to nothing": {
			list(running, answer("i")),
			"b@1: interrupt i is answered, but it isn't open there",
		},
		"answer twice": {
			list(waiting, answer("i"), answer("i")),
			"b@1: interrupt i is answered, but it isn't open there",
		},
		"answer elsewhere": {
			list(waiting, journal.Answer{ID: "i", Path: "a@1"}),
			"a@1: interrupt i is answered, but it isn't open there",
		},
		"answer after the end": {list(waiting, canceled(1), answer("i")),
			"b@1: interrupt i is answered, but it isn't open there"},
		"call without start": {list(journal.Call{Path: "a@1", ID: "c"}), "a@1: it calls a tool without having started"},

		"message of nothing": {list(journal.Msg{ID: "m", Path: "a@1"}), "a@1: it writes message m without having started"},
		"message twice": {
			list(journal.Msg{ID: "m"}, journal.Msg{ID: "m"}),
			"record 3.1, run r: there are two messages m",
		},
		"message without id": {list(journal.Msg{}), "the msg has no id"},
		"message of no parent": {list(journal.Msg{ID: "m", Parent: "l"}),
			"record 3.0, run r: message m follows l, which was never recorded"},
		"checkpoint of no parent": {
			list(journal.Sum{ID: "m", Parent: "l"}),
			"message m follows l, which was never recorded",
		},
		"tip of nothing": {list(journal.Tip{ID: "m"}), "the tip moves to message m, which was never recorded"},

		"run twice":          {list(journal.Run{ID: "r"}), "record 3.0, run r: the run begins twice"},
		"run of another one": {list(journal.Run{ID: "q"}), "the record begins run q"},
		"queued late":        {list(journal.Queue{Run: "r"}), "run r is queued, but it was recorded before"},
		"done as running":    {list(journal.Done{Status: journal.Running}), `a run can't end as "running"`},
		"done twice": {
			list(journal.Done{Status: journal.Completed}, journal.Done{Status: journal.Completed}),
			"the run is over",
		},
		"start after done": {
			list(journal.Done{Status: journal.Completed}, start("a@1", "START")),
			"record 3.1, run r: the run is over",
		},
		"message after done": {list(journal.Done{Status: journal.Completed}, journal.Msg{ID: "m"}), "the run is over"},
		"session twice":      {list(journal.Session{ID: "s"}), "a log begins with its session record and has no other"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := journal.Fold("s", sequence(after(c.records...)))
			if _, ok := errors.AsType[*journal.FoldError](err); !ok {
				t.Fatalf("got %v, want a contradiction", err)
			}
			if got := err.Error(); !strings.HasPrefix(got, "session s, record 3.") || !strings.Contains(got, c.want) {
				t.Errorf("got  %s\nwant …%s…", got, c.want)
			}
		})
	}
}

func TestContradictionsBetweenEntries(t *testing.T) {
	tip := func(seq int64, run string, records ...journal.Record) *journal.Entry {
		return &journal.Entry{Seq: seq, Run: run, Records: records}
	}
	for name, c := range map[string]struct {
		entries []*journal.Entry
		want    string
	}{
		"a gap": {
			append(begin(), tip(4, "r", start("a@1", "START"))),
			"session s, record 4.0, run r: entry 3 comes next",
		},
		"twice the same": {append(begin(), begin()[1]), "record 2.0, run r: entry 3 comes next"},
		"no session": {
			[]*journal.Entry{tip(1, "", journal.Tip{ID: "m"})},
			"record 1.0: a log begins with its session record",
		},
		"another session": {
			[]*journal.Entry{tip(1, "", journal.Session{ID: "z"})},
			"record 1.0: the log is that of session z",
		},
		"an unknown run": {
			append(begin(), tip(3, "q", start("a@1", "START"))),
			"record 3.0, run q: the record belongs to no run that was recorded",
		},
		"no run": {append(begin(), tip(3, "", journal.Stop{})), "record 3.0: the record belongs to no run"},
		"before it has begun": {
			append(begin(), tip(3, "q", journal.Queue{Run: "q"}, start("a@1", "START"))),
			"record 3.1, run q: start before the run's record",
		},
	} {
		_, err := journal.Fold("s", sequence(c.entries))
		var contradiction *journal.FoldError
		if !errors.As(err, &contradiction) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want …%s…", name, err, c.want)
		}
	}
}

func TestNotesOfASessionBelongToNoRun(t *testing.T) {
	s := fold(t, "s", append(begin(), &journal.Entry{Seq: 3, Records: []journal.Record{journal.Note{Code: "n"}}}))
	if notes := s.Run("r").Notes; len(notes) != 0 {
		t.Errorf("the run has the notes %v", notes)
	}
}

func TestAStateThatFailedStaysFailed(t *testing.T) {
	s := journal.NewSessionState("s")
	first := s.Apply(&journal.Entry{Seq: 2, Records: []journal.Record{journal.Session{ID: "s"}}})
	if first == nil {
		t.Fatal("a gap was taken")
	}
	for _, err := range []error{s.Apply(begin()[0]), s.Skip(&journal.DamagedError{Session: "s", Seq: 1})} {
		if !errors.Is(err, first) {
			t.Errorf("got %v, want %v", err, first)
		}
	}
}

func TestDamageSuspendsTheRunsThatItMayConcern(t *testing.T) {
	entry := func(seq int64, run string, records ...journal.Record) *journal.Entry {
		return &journal.Entry{Seq: seq, At: at(int(seq)), Run: run, Records: records}
	}
	before := append(begin(),
		entry(3, "old", journal.Run{ID: "old"}, journal.Msg{ID: "m1"}, journal.Done{Status: journal.Completed}),
		entry(4, "r", start("a@1", "START")),
	)
	damage := &journal.DamagedError{Session: "s", Seq: 5, Line: 5, Err: errors.New("torn")}
	later := []*journal.Entry{
		entry(6, "r", end("a@1", 1, "b@1"), start("z@1", "y@1"), journal.Answer{ID: "i"}, journal.Own{Owner: "b", Epoch: 2}),
		entry(7, "lost", start("a@1", "START"),
			journal.Msg{ID: "m3", Parent: "m2", Path: "a@1", Set: map[string]any{"k": "v"}}),
		entry(8, "", journal.Tip{ID: "m2"}),
		entry(9, "fresh", journal.Run{ID: "fresh"}, start("a@1", "START"), end("a@1", 1)),
		entry(10, "r", journal.End{Path: "z@1", Set: map[string]any{"l": "w"}}),
	}
	s, err := journal.Fold("s", func(yield func(*journal.Entry, error) bool) {
		for _, e := range before {
			yield(e, nil)
		}
		yield(nil, damage)
		for _, e := range later {
			yield(e, nil)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range s.Runs {
		got[r.ID] = string(r.Status()) + " " + r.Reason()
	}
	want := map[string]string{"old": "completed ", "r": "suspended damaged", "lost": "suspended damaged",
		"fresh": "running "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("runs:\n%s", diff)
	}
	if a := s.Run("r").Activation("a@1"); a.State != journal.ActivationRunning || s.Run("r").Activation("b@1") != nil {
		t.Errorf("activations of a damaged run go on: %+v", a)
	}
	if s.Tip != "m3" || s.Node("m3") == nil || s.Seq != 10 {
		t.Errorf("tip %s, %d entries", s.Tip, s.Seq)
	}
	if diff := cmp.Diff(map[string]any{"k": "v", "l": "w"}, s.State); diff != "" {
		t.Errorf("state:\n%s", diff)
	}
	err = s.Apply(entry(11, "r", journal.Done{Status: journal.Canceled}))
	if err != nil || s.Run("r").Status() != journal.Canceled {
		t.Errorf("a damaged run can't be canceled: %v", err)
	}
	if err := s.Apply(entry(12, "fresh", end("never@1", 1))); err == nil {
		t.Error("a run that began after the damage may contradict itself")
	}
}

func TestDamageHasItsPlace(t *testing.T) {
	for _, seq := range []int64{1, 2, 4} {
		s := fold(t, "s", begin())
		err := s.Skip(&journal.DamagedError{Session: "s", Seq: seq})
		if err == nil || !strings.Contains(err.Error(), "entry 3 comes next") {
			t.Errorf("damage of entry %d behind entry 2: %v", seq, err)
		}
	}
	lost := journal.NewSessionState("s")
	if err := lost.Skip(&journal.DamagedError{Session: "s", Seq: 1}); err != nil {
		t.Fatal(err)
	}
	if err := lost.Apply(begin()[1]); err != nil || lost.Run("r").Status() != journal.Running {
		t.Errorf("a session without its record: %v", err)
	}
}
