package workflow

import (
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// retrace tells again what a run had done, as the beginning of another run that goes on from there: what is finished is
// finished in both. State and usage aren't part of it; they are the session's and the first run's.
type retrace struct {
	past *journal.RunState
	ids  func() string // for questions that are open in both runs

	// anew are the activations without others inside that failed, or were cancelled, and begin again; reopened are the
	// composites around them, which go on.
	anew, reopened map[string]bool

	records []journal.Record
	// unfired are the ends of activations that returned while the run came to its end: their edges are still to fire.
	unfired map[string]journal.End
	temp    map[string]any

	begun   map[string]bool // those of anew whose start was told
	settled map[settledCall]bool
	asked   map[string]string
}

// settledCall is a call of a tool that has a result.
type settledCall struct{ path, id string }

// newRetrace decides what begins again of what past says.
func newRetrace(past *journal.RunState, ids func() string) *retrace {
	t := &retrace{past: past, ids: ids, anew: map[string]bool{}, reopened: map[string]bool{},
		unfired: map[string]journal.End{}, temp: map[string]any{}, begun: map[string]bool{},
		settled: map[settledCall]bool{}, asked: map[string]string{}}
	parents := map[string]bool{}
	for _, a := range past.Activations {
		parents[journal.ParentOf(a.Path)] = true
	}
	for _, a := range past.Activations {
		switch {
		case !t.beginsAgain(a):
		case parents[a.Path]:
			t.reopened[a.Path] = true
		default:
			t.anew[a.Path] = true
		}
	}
	return t
}

// beginsAgain says that an activation failed or was cancelled, and that what it is part of goes on in the attempt that
// it belonged to.
func (t *retrace) beginsAgain(a *journal.Activation) bool {
	failed := a.State == journal.ActivationFailed && !a.Handled()
	if !failed && a.State != journal.ActivationCanceled {
		return false
	}
	instance := journal.InstanceOf(a.Path)
	if instance == "" {
		return true
	}
	parent := journal.ParentOf(a.Path)
	around := t.past.Activation(parent)
	return around != nil && t.reopened[parent] && instance == new(paths).inner(parent, around.Attempt)
}

// read tells the records of the run again.
func (t *retrace) read(records []journal.Record) {
	for _, rec := range records {
		if m, ok := rec.(journal.Msg); ok {
			t.settle(m)
		}
	}
	for _, rec := range records {
		t.tell(rec)
	}
}

// settle notes the calls that a message has the results of.
func (t *retrace) settle(m journal.Msg) {
	for _, part := range m.Parts {
		if result, ok := part.(journal.ToolResult); ok {
			t.settled[settledCall{m.Path, result.ID}] = true
		}
	}
}

func (t *retrace) tell(rec journal.Record) {
	switch rec := rec.(type) {
	case journal.Start:
		t.start(rec)
	case journal.End:
		t.end(rec)
	case journal.Fail:
		t.fail(rec)
	case journal.Wait:
		t.wait(rec)
	case journal.Answer:
		if !t.anew[rec.Path] {
			rec.ID = t.asked[rec.ID]
			t.add(rec)
		}
	case journal.Call:
		t.call(rec)
	case journal.Msg:
		t.keepTemp(rec.Within, rec.Set, rec.Delete)
	default: // what concerns the run as a whole
	}
}

func (t *retrace) add(rec journal.Record) { t.records = append(t.records, rec) }

func (t *retrace) start(rec journal.Start) {
	if t.anew[rec.Path] {
		if t.begun[rec.Path] {
			return
		}
		t.begun[rec.Path] = true
	}
	if a := t.past.Activation(rec.Path); rec.Isolated && a.Own != nil {
		rec.State = journal.Some(maps.Clone(a.Own.State)) // the fold goes on changing its own
	}
	t.add(rec)
}

func (t *retrace) end(rec journal.End) {
	t.keepTemp(rec.Within, rec.Set, rec.Delete)
	rec.Set, rec.Delete, rec.Within, rec.Usage = nil, nil, "", nil
	instance := journal.ParentOf(rec.Path)
	if rec.Next == nil && (instance == "" || t.reopened[instance]) {
		t.unfired[rec.Path] = rec
		return
	}
	t.add(rec)
}

// fail leaves out the failures of what begins again: all of an activation that starts anew, the last of a composite.
func (t *retrace) fail(rec journal.Fail) {
	last := rec.Due.IsZero() && len(rec.Next) == 0
	if t.anew[rec.Path] || t.reopened[rec.Path] && last {
		return
	}
	t.add(rec)
}

// wait gives questions new ids: in every run, each has its own.
func (t *retrace) wait(rec journal.Wait) {
	if t.anew[rec.Path] {
		return
	}
	rec.Asks = slices.Clone(rec.Asks)
	for i, ask := range rec.Asks {
		rec.Asks[i].ID = questionID(t.ids)
		t.asked[ask.ID] = rec.Asks[i].ID
	}
	t.add(rec)
}

// call keeps the intents of calls whose outcome is unknown. An attempt that failed knew the outcome of its own.
func (t *retrace) call(rec journal.Call) {
	a := t.past.Activation(rec.Path)
	if a.State.Live() || a.State == journal.ActivationCanceled && t.anew[rec.Path] {
		if !t.settled[settledCall{rec.Path, rec.ID}] {
			t.add(rec)
		}
	}
}

// keepTemp takes the temporary part of what was written to the state of the run. What isolated activations have of their own
// their starts say.
func (t *retrace) keepTemp(within string, set map[string]any, del []string) {
	if within != "" {
		return
	}
	for key, value := range set {
		if strings.HasPrefix(key, journal.TempPrefix) {
			t.temp[key] = value
		}
	}
	maps.DeleteFunc(t.temp, func(key string, _ any) bool { return slices.Contains(del, key) })
}
