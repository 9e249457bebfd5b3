package build_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// listener is a model that says its agent's name and remembers what each agent was shown.
type listener struct {
	mu    sync.Mutex
	heard map[string][]string
}

func (*listener) Name() string { return "listener" }

func (l *listener) Stream(_ context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range req.Messages {
		l.heard[req.Agent] = append(l.heard[req.Agent], core.TextOf(m))
	}
	return func(yield func(core.Delta, error) bool) {
		_ = yield(core.Delta{Kind: core.TextDelta, Text: req.Agent + " speaking"}, nil) &&
			yield(core.Delta{Kind: core.Done, Stop: core.StopEnd}, nil)
	}
}

// Who works side by side doesn't hear the others; who comes before is heard, and who comes after hears all, laps included.
func TestWhatIsSaidInComposites(t *testing.T) {
	doc, found := declarative.Load("document.yaml", []byte(`
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: all
agents:
  - { name: all, agent_class: SequentialAgent, sub_agents: [first, rounds, last] }
  - { name: rounds, agent_class: LoopAgent, max_iterations: 2, sub_agents: [both] }
  - { name: both, agent_class: ParallelAgent, sub_agents: [left, right] }
  - { name: first, mode: chat }
  - { name: left, mode: chat }
  - { name: right, mode: chat }
  - { name: last, mode: chat }
`))
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	checked, found := declarative.Validate(doc, declarative.Options{})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	model := &listener{heard: map[string][]string{}}
	system, found := build.Build(checked, build.Options{Models: map[string]core.Model{"default": model}})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	for _, err := range system.Workflow().Run(t.Context(), workflow.RunRequest{Store: memory.New(), Input: "hello",
		Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: "hello"}}},
		Env:     workflow.Env{Deterministic: true}}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	hears := func(agent, other string) int {
		return strings.Count(strings.Join(model.heard[agent], "\n"), other+" speaking")
	}
	for _, tc := range []struct {
		agent, other string
		want         int
	}{
		{"first", "left", 0}, {"left", "first", 2}, {"left", "right", 0}, {"right", "left", 0}, {"left", "left", 1},
		{"last", "first", 1}, {"last", "left", 2}, {"last", "right", 2},
	} {
		if got := hears(tc.agent, tc.other); got != tc.want {
			t.Errorf("%s hears %s %d times, want %d: %q", tc.agent, tc.other, got, tc.want, model.heard[tc.agent])
		}
	}
}

// Composites with models, tools and expressions inside come to the same, whichever append their process dies at.
func TestCompositesSurviveCrashes(t *testing.T) {
	for _, file := range []string{"sequential-agent", "parallel-agent", "loop-agent", "loop-deep"} {
		t.Run(file, func(t *testing.T) {
			archive, err := txtar.ParseFile("testdata/" + file + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			s := newScenario(t, archive)
			for message := range strings.SplitSeq(strings.TrimSpace(s.files["messages"]), "\n") {
				want, _ := crashAt(t, s, message, 0, storetest.After)
				for n := 2; ; n++ { // the first append is the session's
					before, _ := crashAt(t, s, message, n, storetest.Before)
					after, tripped := crashAt(t, s, message, n, storetest.After)
					if !tripped {
						break
					}
					if diff := cmp.Diff([]string{want, want}, []string{before, after}); diff != "" {
						t.Errorf("%s, append %d (-want +got):\n%s", message, n, diff)
					}
				}
			}
		})
	}
}

// crashAt is what a run leaves whose process dies at the n-th append; 0 is never.
func crashAt(t *testing.T, s *scenario, message string, n int, moment storetest.Moment) (left string, tripped bool) {
	t.Helper()
	healthy := memory.New()
	faulty := storetest.NewFaulty(healthy, n, moment)
	store := journal.Store(healthy)
	if n > 0 {
		store = faulty
	}
	var output any
	see := func(e workflow.Event) {
		if e.Kind == workflow.RunCompleted {
			output = e.Output
		}
	}
	for e, err := range s.message(store, "r", message) {
		if err == nil {
			see(e)
		}
	}
	if tripped = n > 0 && faulty.Tripped(); tripped {
		for e, err := range s.answer(healthy, nil) {
			if err != nil && !strings.Contains(err.Error(), "has no run") {
				t.Fatalf("append %d: %v", n, err)
			}
			see(e)
		}
	}
	state, err := journal.Load(t.Context(), healthy, "s_1")
	if err != nil {
		t.Fatal(err)
	}
	if tripped && state.Run("r") == nil {
		return crashAt(t, s, message, 0, moment) // nothing of the run was written
	}
	ended := 0
	for _, a := range state.Run("r").Activations {
		if a.State == journal.ActivationDone {
			ended++
		}
	}
	return fmt.Sprintf("%s %s %d activations", encode(output), encode(state.State), ended), tripped
}
