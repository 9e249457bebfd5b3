package journal_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/journal"
)

// model is a second, simpler bookkeeping of a run: it makes up what happens next, writes the records of it, and knows
// what the fold has to say afterwards.
type model struct {
	records []journal.Record
	n       int

	state    map[string]journal.ActivationState
	attempt  map[string]int
	input    map[string]any
	output   map[string]any
	cause    map[string]string
	asked    map[string][]string
	reenter  map[string]bool
	arrivals []journal.Arrival
}

func newModel() *model {
	return &model{state: map[string]journal.ActivationState{}, attempt: map[string]int{}, input: map[string]any{},
		output: map[string]any{}, cause: map[string]string{}, asked: map[string][]string{}, reenter: map[string]bool{}}
}

func (m *model) write(r journal.Record) { m.records = append(m.records, r) }

func (m *model) name(prefix string) string {
	m.n++
	return fmt.Sprint(prefix, m.n)
}

// in returns the paths in a state, in order.
func (m *model) in(state journal.ActivationState) []string {
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(m.state)) {
		if m.state[path] == state {
			paths = append(paths, path)
		}
	}
	return paths
}

// pick draws one of the paths in a state; the step is skipped when there is none.
func (m *model) pick(t *rapid.T, state journal.ActivationState) string {
	paths := m.in(state)
	if len(paths) == 0 {
		t.Skip("none is " + state)
	}
	return rapid.SampledFrom(paths).Draw(t, "path")
}

func (m *model) begin(path string, from []string, input journal.Optional) {
	m.attempt[path]++
	m.state[path] = journal.ActivationRunning
	m.write(journal.Start{Path: path, From: from, Input: input, Attempt: m.attempt[path]})
	m.wake(path)
}

// wake is what happens to parents that wait for their children alone.
func (m *model) wake(path string) {
	for path = journal.ParentOf(path); path != ""; path = journal.ParentOf(path) {
		if m.state[path] == journal.ActivationWaiting && len(m.asked[path]) == 0 {
			m.state[path], m.reenter[path] = journal.ActivationRunning, true
		}
	}
}

// close cancels what is live below an activation that is over, or whose attempt is.
func (m *model) close(path string, state journal.ActivationState) {
	for other, s := range m.state {
		if s.Live() && (strings.HasPrefix(other, path+"/") || strings.HasPrefix(other, path+"~")) {
			m.state[other], m.asked[other] = journal.ActivationCanceled, nil
		}
	}
	m.state[path], m.asked[path], m.reenter[path] = state, nil, false
}

// next makes up what an end leads to: ordinary nodes, and arrivals on one of two joins.
func (m *model) next(t *rapid.T, path string) []string {
	instance, node := journal.InstanceOf(path), journal.NodeOf(path)
	next := []string{}
	for range rapid.IntRange(0, 2).Draw(t, "triggers") {
		triggered := instance + m.name("n") + "@1"
		m.state[triggered], m.cause[triggered] = journal.ActivationQueued, path
		next = append(next, triggered)
	}
	if join := rapid.SampledFrom([]string{"", "J", "K"}).Draw(t, "join"); join != "" {
		next = append(next, instance+join+"<"+node)
		m.arrivals = append(m.arrivals, journal.Arrival{Join: instance + join, Source: node, From: path})
	}
	return next
}

func (m *model) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"enter": func(t *rapid.T) {
			path := m.name("e") + "@1"
			m.input[path] = int64(7)
			m.begin(path, []string{"START"}, journal.Optional{})
		},
		"start": func(t *rapid.T) {
			path := m.pick(t, journal.ActivationQueued)
			input := journal.Optional{}
			if m.input[path] = m.output[m.cause[path]]; rapid.Bool().Draw(t, "shaped") {
				m.input[path] = m.name("shaped")
				input = journal.Some(m.input[path])
			}
			m.begin(path, []string{m.cause[path]}, input)
		},
		"start a child": func(t *rapid.T) {
			parent := m.pick(t, journal.ActivationRunning)
			if m.attempt[parent] > 1 {
				parent += fmt.Sprint("~", m.attempt[parent])
			}
			path := parent + "/" + m.name("c") + "@1"
			m.input[path] = m.name("in")
			m.begin(path, nil, journal.Some(m.input[path]))
		},
		"try again": func(t *rapid.T) {
			m.begin(m.pick(t, journal.ActivationBackoff), nil, journal.Optional{})
		},
		"enter again": func(t *rapid.T) {
			path := m.pick(t, journal.ActivationRunning)
			if !m.reenter[path] {
				t.Skip("it didn't wait")
			}
			m.reenter[path] = false
			m.attempt[path]--
			m.begin(path, nil, journal.Optional{})
		},
		"fire a join": func(t *rapid.T) { m.fire(t) },
		"end": func(t *rapid.T) {
			path := m.pick(t, journal.ActivationRunning)
			m.close(path, journal.ActivationDone)
			m.output[path] = m.name("out")
			m.write(journal.End{Path: path, Output: journal.Some(m.output[path]), Next: m.next(t, path)})
		},
		"fail": func(t *rapid.T) {
			path := m.pick(t, journal.ActivationRunning)
			fail := journal.Fail{Path: path, Attempt: m.attempt[path]}
			m.close(path, journal.ActivationFailed)
			if rapid.Bool().Draw(t, "retry") {
				m.state[path], fail.Due = journal.ActivationBackoff, at(5)
			}
			m.write(fail)
		},
		"cancel": func(t *rapid.T) {
			state := rapid.SampledFrom([]journal.ActivationState{journal.ActivationQueued, journal.ActivationRunning,
				journal.ActivationBackoff, journal.ActivationWaiting}).Draw(t, "state")
			path := m.pick(t, state)
			m.close(path, journal.ActivationCanceled)
			m.write(journal.Fail{Path: path, Attempt: m.attempt[path], Err: journal.Failure{Code: journal.CodeCanceled}})
		},
		"wait": func(t *rapid.T) {
			path := m.pick(t, journal.ActivationRunning)
			for range rapid.IntRange(0, 2).Draw(t, "questions") {
				m.asked[path] = append(m.asked[path], m.name("i"))
			}
			m.state[path], m.reenter[path] = journal.ActivationWaiting, false
			m.write(ask(path, m.asked[path]...))
		},
		"answer": func(t *rapid.T) {
			path := m.pick(t, journal.ActivationWaiting)
			if len(m.asked[path]) == 0 {
				t.Skip("it asks nothing")
			}
			i := rapid.IntRange(0, len(m.asked[path])-1).Draw(t, "question")
			m.write(journal.Answer{ID: m.asked[path][i], Path: path})
			if m.asked[path] = slices.Delete(m.asked[path], i, i+1); len(m.asked[path]) == 0 {
				m.state[path], m.reenter[path] = journal.ActivationRunning, true
				m.wake(path)
			}
		},
	}
}

// fire starts a join with the oldest arrival of each of its sources.
func (m *model) fire(t *rapid.T) {
	if len(m.arrivals) == 0 {
		t.Skip("nothing has arrived")
	}
	join := rapid.SampledFrom(m.arrivals).Draw(t, "arrival").Join
	var from []string
	value := map[string]any{}
	m.arrivals = slices.DeleteFunc(m.arrivals, func(a journal.Arrival) bool {
		if _, taken := value[a.Source]; taken || a.Join != join {
			return false
		}
		from, value[a.Source] = append(from, a.From), m.output[a.From]
		return true
	})
	path := fmt.Sprintf("%s@%d", join, m.n)
	m.n++
	m.input[path] = value
	m.begin(path, from, journal.Optional{})
}

// check compares the fold of the records with the model.
func (m *model) check(t *rapid.T, r *journal.RunState) {
	state, input, open := map[string]journal.ActivationState{}, map[string]any{}, map[string][]string{}
	for _, a := range r.Activations {
		state[a.Path] = a.State
		if a.Attempt > 0 {
			input[a.Path] = a.Input
		}
		if a.Attempt != m.attempt[a.Path] {
			t.Errorf("%s is in attempt %d, want %d", a.Path, a.Attempt, m.attempt[a.Path])
		}
	}
	for _, i := range r.Interrupts {
		open[i.Path] = append(open[i.Path], i.Ask.ID)
	}
	asked := maps.Clone(m.asked)
	maps.DeleteFunc(asked, func(_ string, ids []string) bool { return len(ids) == 0 })
	noPos := cmpopts.IgnoreTypes(journal.Pos{})
	diff := cmp.Diff(m.state, state) + cmp.Diff(m.input, input) + cmp.Diff(asked, open) +
		cmp.Diff(m.arrivals, r.Arrivals, noPos, cmpopts.EquateEmpty())
	if diff != "" {
		t.Errorf("the fold differs from the model:\n%s", diff)
	}
}

// Whatever legally happens in a run, the fold knows its state after each record. How the records are spread over
// entries changes positions alone: holding records back loses nothing.
func TestTheFoldAgreesWithAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel()
		live := journal.NewSessionState("s")
		for _, e := range begin() {
			if err := live.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		actions := m.actions()
		actions[""] = func(t *rapid.T) {
			applied := int(live.Seq) - 2
			for _, r := range m.records[applied:] {
				e := &journal.Entry{Seq: live.Seq + 1, At: at(2), Run: "r", Records: []journal.Record{r}}
				if err := live.Apply(e); err != nil {
					t.Fatalf("%v\nafter %+v", err, m.records)
				}
			}
			m.check(t, live.Run("r"))
		}
		t.Repeat(actions)

		grouped := begin()
		for rest := m.records; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "records of an entry")
			grouped = append(grouped, &journal.Entry{Seq: int64(len(grouped)) + 1, At: at(2), Run: "r", Records: rest[:n]})
			rest = rest[n:]
		}
		whole, err := journal.Fold("s", sequence(grouped))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(live, whole, compareStates(), cmpopts.IgnoreTypes(journal.Pos{}),
			cmpopts.IgnoreFields(journal.SessionState{}, "Seq"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("in %d entries instead of %d:\n%s", len(grouped), live.Seq, diff)
		}
	})
}
