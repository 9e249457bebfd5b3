package journal_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
)

// at is a moment of the test logs.
func at(minutes int) time.Time {
	return time.Date(2026, 11, 30, 10, minutes, 0, 0, time.UTC)
}

// begin is a log with one run that has begun; its input is 7.
func begin() []*journal.Entry {
	return []*journal.Entry{
		{Seq: 1, At: at(0), Records: []journal.Record{journal.Session{ID: "s"}}},
		{Seq: 2, At: at(1), Run: "r", Records: []journal.Record{journal.Run{ID: "r", Input: int64(7)}}},
	}
}

// after is that log with one more entry of the run.
func after(records ...journal.Record) []*journal.Entry {
	return append(begin(), &journal.Entry{Seq: 3, At: at(2), Run: "r", Records: records})
}

func run(t *testing.T, records ...journal.Record) *journal.RunState {
	t.Helper()
	return fold(t, "s", after(records...)).Run("r")
}

func start(path string, from ...string) journal.Start {
	return journal.Start{Path: path, From: from, Attempt: 1}
}

func end(path string, output any, next ...string) journal.End {
	return journal.End{Path: path, Output: journal.Some(output), Next: next}
}

func ask(path string, ids ...string) journal.Wait {
	w := journal.Wait{Path: path}
	for _, id := range ids {
		w.Asks = append(w.Asks, journal.Ask{ID: id, Kind: journal.AskInput})
	}
	return w
}

// answer closes an interrupt of b@1.
func answer(id string) journal.Answer { return journal.Answer{ID: id, Path: "b@1"} }

// list joins records and lists of records.
func list(parts ...any) []journal.Record {
	var all []journal.Record
	for _, part := range parts {
		switch part := part.(type) {
		case journal.Record:
			all = append(all, part)
		case []journal.Record:
			all = append(all, part...)
		default:
			panic(fmt.Sprintf("%T", part))
		}
	}
	return all
}

var chain = []journal.Record{start("a@1", "START"), end("a@1", "x", "b@1")}

func TestActivationStates(t *testing.T) {
	again := journal.Start{Path: "b@1", Attempt: 2}
	for name, c := range map[string]struct {
		records []journal.Record
		want    journal.ActivationState
	}{
		"triggered": {list(chain), journal.ActivationQueued},
		"started":   {list(chain, start("b@1", "a@1")), journal.ActivationRunning},
		"ended":     {list(chain, start("b@1", "a@1"), end("b@1", nil)), journal.ActivationDone},
		"to be tried again": {
			list(chain, start("b@1", "a@1"), journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)}),
			journal.ActivationBackoff,
		},
		"tried again": {
			list(chain, start("b@1", "a@1"), journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)}, again),
			journal.ActivationRunning,
		},
		"done in a later try, after it had asked": {
			list(chain, start("b@1", "a@1"), ask("b@1", "i", "j"), journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)}, again,
				end("b@1", 1)),
			journal.ActivationDone,
		},
		"failed": {
			list(chain, start("b@1", "a@1"), journal.Fail{Path: "b@1", Attempt: 1}),
			journal.ActivationFailed,
		},
		"failed and handled": {
			list(chain, start("b@1", "a@1"), journal.Fail{Path: "b@1", Attempt: 1, Next: []string{"c@1"}}),
			journal.ActivationFailed,
		},
		"asks": {list(chain, start("b@1", "a@1"), ask("b@1", "i", "j")), journal.ActivationWaiting},
		"one of two answered": {
			list(chain, start("b@1", "a@1"), ask("b@1", "i", "j"), answer("j")),
			journal.ActivationWaiting,
		},
		"both answered": {
			list(chain, start("b@1", "a@1"), ask("b@1", "i", "j"), answer("j"), answer("i")),
			journal.ActivationRunning,
		},
		"entered again": {
			list(chain, start("b@1", "a@1"), ask("b@1", "i"), answer("i"), journal.Start{Path: "b@1", Attempt: 1}),
			journal.ActivationRunning,
		},
		"failed at a deadline": {
			list(chain, start("b@1", "a@1"), ask("b@1", "i"), journal.Fail{Path: "b@1", Attempt: 1}),
			journal.ActivationFailed,
		},
		"answered and ended": {
			list(chain, start("b@1", "a@1"), ask("b@1", "i"), answer("i"), end("b@1", 1)),
			journal.ActivationDone,
		},
		"canceled while running": {list(chain, start("b@1", "a@1"), canceled(1)), journal.ActivationCanceled},
		"canceled while queued":  {list(chain, canceled(0)), journal.ActivationCanceled},
		"canceled in backoff": {
			list(chain, start("b@1", "a@1"), journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)}, canceled(1)),
			journal.ActivationCanceled,
		},
		"queued when the run ended": {list(chain, journal.Done{Status: journal.Canceled}), journal.ActivationCanceled},
		"asking when the run ended": {
			list(chain, start("b@1", "a@1"), ask("b@1", "i"), journal.Done{Status: journal.Failed}),
			journal.ActivationCanceled,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, c.records...)
			if got := r.Activation("b@1").State; got != c.want {
				t.Errorf("b@1 is %s, want %s", got, c.want)
			}
			if !c.want.Live() && len(r.Interrupts) > 0 {
				t.Errorf("interrupts are open: %v", r.Interrupts)
			}
		})
	}
}

func canceled(attempt int) journal.Fail {
	return journal.Fail{Path: "b@1", Attempt: attempt, Err: journal.Failure{Code: journal.CodeCanceled}}
}

func TestInputsThatAreNotRecorded(t *testing.T) {
	in := func(s journal.Start, v any) journal.Start { s.Input = journal.Some(v); return s }
	failed := list(chain, start("b@1", "a@1"), journal.Fail{Path: "b@1", Attempt: 1, Next: []string{"c@1", "J<b"}})
	for name, c := range map[string]struct {
		records []journal.Record
		path    string
		want    any
	}{
		"of START":     {list(start("a@1", "START")), "a@1", int64(7)},
		"of a trigger": {list(chain, start("b@1", "a@1")), "b@1", "x"},
		"of a trigger without output": {
			list(start("a@1", "START"), journal.End{Path: "a@1", Next: []string{"b@1"}}, start("b@1", "a@1")),
			"b@1",
			nil,
		},
		"recorded":         {list(chain, in(start("b@1", "a@1"), 2.0)), "b@1", 2.0},
		"recorded as null": {list(chain, in(start("b@1", "a@1"), nil)), "b@1", nil},
		"of nothing":       {list(start("d@1")), "d@1", nil},
		"of the attempt before": {
			list(chain, in(start("b@1", "a@1"), "shaped"), journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)},
				journal.Start{Path: "b@1", Attempt: 2}), "b@1", "shaped"},
		"recorded for a later attempt": {list(chain, start("b@1", "a@1"), journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)},
			in(journal.Start{Path: "b@1", Attempt: 2}, "other")), "b@1", "other"},
		"of a re-entry": {
			list(chain, in(start("b@1", "a@1"), "shaped"), ask("b@1", "i"), answer("i"),
				journal.Start{Path: "b@1", Attempt: 1}), "b@1", "shaped"},
		"of an instance": {
			list(in(start("o@1", "START"), "inner input"), start("o@1/x@1", "o@1/START")),
			"o@1/x@1",
			"inner input",
		},
		"of an instance of a later attempt": {list(in(start("o@1", "START"), "inner input"),
			journal.Fail{Path: "o@1", Attempt: 1, Due: at(5)}, journal.Start{Path: "o@1", Attempt: 2},
			start("o@1~2/x@1", "o@1~2/START")), "o@1~2/x@1", "inner input"},
		"of one sibling that didn't trigger it": {list(start("c@1", "START"), start("c@1/p@1"), end("c@1/p@1", "from p"),
			start("c@1/q@1", "c@1/p@1")), "c@1/q@1", "from p"},
		"of a join": {list(start("a@1", "START"), end("a@1", 1.5, "b@1", "J<a"), start("b@1", "a@1"),
			journal.End{Path: "b@1", Next: []string{"J<b"}}, start("J@1", "a@1", "b@1")), "J@1",
			map[string]any{"a": 1.5, "b": nil}},
		"of a join of one": {list(start("a@1", "START"), end("a@1", 1.5, "J<a"), start("J@1", "a@1")), "J@1",
			map[string]any{"a": 1.5}},
		"of a join with START": {list(journal.End{Path: "START", Next: []string{"a@1", "J<START"}}, start("a@1", "START"),
			end("a@1", true, "J<a"), start("J@1", "START", "a@1")), "J@1", map[string]any{"START": int64(7), "a": true}},
		"of a join with a failure": {list(failed, in(start("J@1", "b@1"), map[string]any{"b": "error"})), "J@1",
			map[string]any{"b": "error"}},
		"of a handler": {list(failed, in(start("c@1", "b@1"), "error")), "c@1", "error"},
		"of a nested join": {
			list(start("o@1", "START"), journal.End{Path: "o@1/START", Next: []string{"o@1/a@1", "o@1/J<START"}},
				start("o@1/a@1", "o@1/START"), end("o@1/a@1", "y", "o@1/J<a"), start("o@1/J@1", "o@1/START", "o@1/a@1")),
			"o@1/J@1", map[string]any{"START": int64(7), "a": "y"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, run(t, c.records...).Activation(c.path).Input); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestArrivalsWaitForTheirJoin(t *testing.T) {
	lap := func(n string) []journal.Record {
		return list(start("b@"+n, "START"), end("b@"+n, n, "J<b"), start("c@"+n, "START"), end("c@"+n, n, "J<c", "K<c"))
	}
	r := run(t, list(lap("1"), lap("2"), start("J@1", "b@1", "c@1"))...)
	got := fmt.Sprint(r.Arrivals)
	want := "[{K c c@1 3.3} {J b b@2 3.5} {J c c@2 3.7} {K c c@2 3.7}]"
	if got != want {
		t.Errorf("arrivals %s, want %s", got, want)
	}
	if diff := cmp.Diff(any(map[string]any{"b": "1", "c": "1"}), r.Activation("J@1").Input); diff != "" {
		t.Error(diff)
	}
}

func TestStatusOfARun(t *testing.T) {
	retry := journal.Fail{Path: "b@1", Attempt: 1, Due: at(5)}
	deadline := journal.Wait{Path: "b@1", Asks: []journal.Ask{{ID: "i", Deadline: at(9)}, {ID: "j", Deadline: at(8)},
		{ID: "k"}}}
	nested := list(start("o@1", "START"), start("o@1/p@1", "o@1/START"), start("o@1/p@1/q@1", "o@1/p@1/START"))
	item := list(start("w@1", "START"), start("w@1/1"), start("w@1/2"), ask("w@1/1", "i"), end("w@1/2", 2),
		journal.Wait{Path: "w@1"})
	for name, c := range map[string]struct {
		records []journal.Record
		status  journal.Status
		reason  string
		wake    time.Time
	}{
		"just begun":  {nil, journal.Running, "", time.Time{}},
		"queued only": {list(chain), journal.Running, "", time.Time{}},
		"running":     {list(chain, start("b@1", "a@1")), journal.Running, "", time.Time{}},
		"in backoff":  {list(chain, start("b@1", "a@1"), retry), journal.Running, "", at(5)},
		"waiting":     {list(chain, start("b@1", "a@1"), deadline), journal.Waiting, "", at(8)},
		"waiting without deadline": {
			list(chain, start("b@1", "a@1"), ask("b@1", "i")),
			journal.Waiting,
			"",
			time.Time{},
		},
		"waiting with something ready": {
			list(chain, start("c@1", "START"), start("b@1", "a@1"), deadline),
			journal.Running,
			"",
			time.Time{},
		},
		"waiting deep inside": {list(nested, ask("o@1/p@1/q@1", "i")), journal.Waiting, "", time.Time{}},
		"waiting beside a child": {
			list(nested, start("o@1/r@1"), ask("o@1/p@1/q@1", "i")),
			journal.Running,
			"",
			time.Time{},
		},
		"a body goes on after its child": {
			list(chain, start("d@1", "START"), start("d@1/c@1"), end("d@1/c@1", 1), start("b@1", "a@1"), ask("b@1", "i")),
			journal.Running,
			"",
			time.Time{},
		},
		"an item waits": {item, journal.Waiting, "", time.Time{}},
		"an item was answered": {
			list(item, journal.Answer{ID: "i", Path: "w@1/1"}),
			journal.Running,
			"",
			time.Time{},
		},
		"suspended": {
			list(chain, journal.Stop{Why: "drain", Due: at(7)}),
			journal.Suspended,
			"drain",
			at(7),
		},
		"suspended and asked to end": {
			list(chain, journal.Stop{Why: "drain"}, journal.Cancel{}),
			journal.Suspended,
			"drain",
			time.Time{},
		},
		"taken over": {
			list(chain, journal.Stop{Why: "drain"}, journal.Own{Owner: "b"}),
			journal.Running,
			"",
			time.Time{},
		},
		"taken up by a start": {
			list(chain, journal.Stop{Why: "drain"}, start("b@1", "a@1")),
			journal.Running,
			"",
			time.Time{},
		},
		"taken up by a message": {list(start("a@1", "START"), journal.Stop{Why: "drain"},
			journal.Msg{ID: "m", Path: "a@1", Role: journal.RoleModel}), journal.Running, "", time.Time{}},
		"suspended while a person writes": {
			list(journal.Stop{Why: "drain"}, journal.Msg{ID: "m"}),
			journal.Suspended,
			"drain",
			time.Time{},
		},
		"completed": {
			list(chain, journal.Done{Status: journal.Completed}),
			journal.Completed,
			"",
			time.Time{},
		},
		"failed while suspended": {
			list(journal.Stop{Why: "drain", Due: at(7)}, journal.Done{Status: journal.Failed}),
			journal.Failed,
			"",
			time.Time{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, append([]journal.Record{journal.Note{Code: "n"}}, c.records...)...)
			if r.Status() != c.status || r.Reason() != c.reason || !r.Wake().Equal(c.wake) {
				t.Errorf("%s %q, wake %s; want %s %q, %s", r.Status(), r.Reason(), r.Wake(), c.status, c.reason, c.wake)
			}
		})
	}
}

func TestQueuedRuns(t *testing.T) {
	queue := &journal.Entry{Seq: 3, At: at(3), Run: "q", Records: []journal.Record{
		journal.Queue{Run: "q", Message: "m"}, journal.Msg{ID: "m", Role: journal.RoleUser}}}
	s := fold(t, "s", append(begin(), queue))
	if r := s.Run("q"); r.Status() != journal.Queued || r.Message != "m" || len(s.Runs) != 2 || s.Tip != "m" {
		t.Fatalf("the queued run is %+v", r)
	}
	ended := journal.Entry{Seq: 4, At: at(4), Run: "q", Records: []journal.Record{journal.Cancel{By: "u"},
		journal.Done{Status: journal.Canceled}}}
	over := fold(t, "s", append(begin(), queue, &ended)).Run("q")
	if over.Status() != journal.Canceled || over.CancelRequest.By != "u" {
		t.Errorf("the run that was canceled in the queue is %s", over.Status())
	}
	begun := journal.Entry{Seq: 4, At: at(4), Run: "q", Records: []journal.Record{journal.Run{ID: "q", Root: "x"}}}
	r := fold(t, "s", append(begin(), queue, &begun)).Run("q")
	if r.Status() != journal.Running || r.Run.Root != "x" || r.Message != "m" || !r.Started.Equal(at(3)) ||
		!r.Updated.Equal(at(4)) {
		t.Errorf("the run that was queued is %+v", r)
	}
}

func TestTheEndOfACompositeEndsWhatIsBelow(t *testing.T) {
	below := list(start("w@1", "START"), start("w@1/1"), start("w@1/2"), start("w@1/2/x@1", "w@1/2/START"),
		start("w@10", "START"), ask("w@1/1", "i"), ask("w@10", "j"), journal.Call{Path: "w@1/2/x@1", ID: "c"}, journal.Call{Path: "w@10", ID: "d"})
	for name, record := range map[string]journal.Record{
		"done":    end("w@1", 1),
		"failed":  journal.Fail{Path: "w@1", Attempt: 1},
		"backoff": journal.Fail{Path: "w@1", Attempt: 1, Due: at(5)},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, list(below, record)...)
			for _, path := range []string{"w@1/1", "w@1/2", "w@1/2/x@1"} {
				if got := r.Activation(path).State; got != journal.ActivationCanceled {
					t.Errorf("%s is %s", path, got)
				}
			}
			if got := r.Activation("w@10").State; got != journal.ActivationWaiting {
				t.Errorf("w@10 is %s", got)
			}
			if len(r.Interrupts) != 1 || len(r.Calls) != 1 || r.Interrupts[0].Path != "w@10" || r.Calls[0].Call.ID != "d" {
				t.Errorf("open: %v, %v; want those of w@10", r.Interrupts, r.Calls)
			}
		})
	}
	second := run(t, list(below, journal.Fail{Path: "w@1", Attempt: 1, Due: at(5)}, journal.Start{Path: "w@1", Attempt: 2},
		start("w@1~2/1"), end("w@1", 1))...)
	if got := second.Activation("w@1~2/1").State; got != journal.ActivationCanceled {
		t.Errorf("a child of the second attempt is %s", got)
	}
}
