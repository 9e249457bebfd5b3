package build_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// managing is an agent that asks two agents at once, one of which asks a person, and calls a tool beside.
const managing = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: front
agents:
  - name: front
    tools: [{ agent: billing }, { agent: clerk }, pay]
  - name: billing
    tools: [pay]
    limits: { max_tokens: 1000 }
  - name: clerk
    agent_class: Workflow
    nodes:
      - { id: ask, type: hitl, message: How much? }
      - { id: sum, type: cel, output: "'it is ' + input" }
    edges: [{ from: START, to: ask }, { from: ask, to: sum }]
`

const managingScript = `{"rules": [
  {"when": {"agent": "billing"}, "turns": [{"calls": [{"name": "pay"}]}, {"text": "billed {{user}}"}]},
  {"turns": [
    {"calls": [{"name": "billing", "args": {"request": "a"}}, {"name": "clerk", "args": {"request": "b"}},
      {"name": "pay"}, {"name": "billing", "args": {"request": "c"}}]},
    {"calls": [{"name": "billing", "args": {"request": "d"}}]},
    {"text": "{{result}}"}]}]}`

func managingSystem(t *testing.T, tool core.Tool) *workflow.Workflow {
	t.Helper()
	script, err := faux.Parse([]byte(managingScript))
	if err != nil {
		t.Fatal(err)
	}
	model, err := faux.New("scripted", script)
	if err != nil {
		t.Fatal(err)
	}
	doc, found := declarative.Load("document.yaml", []byte(managing))
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	checked, found := declarative.Validate(doc, declarative.Options{})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	system, found := build.Build(checked, build.Options{People: true, Tools: map[string]core.Tool{"pay": tool},
		Models: map[string]core.Model{"default": model}})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	return system.Workflow()
}

// keyedPay is a tool with an effect, which is the same for calls with the same key.
type keyedPay struct {
	mu   sync.Mutex
	keys map[string]int
}

func (*keyedPay) Spec() core.Spec { return core.Spec{Name: "pay", Idempotent: true} }

func (p *keyedPay) Run(_ context.Context, call core.Call) (core.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys[call.Key]++
	return core.TextResult("paid"), nil
}

// playManaging plays the run to its end, and answers what it asks; its process dies at the n-th append, unless n is 0. It
// returns how the run ended, and whether there was such an append.
func playManaging(t *testing.T, n int) (told string, tripped bool) {
	t.Helper()
	tool := &keyedPay{keys: map[string]int{}}
	wf := managingSystem(t, tool)
	healthy := memory.New()
	faulty := storetest.NewFaulty(healthy, n, storetest.After)
	var last workflow.Event
	var failed error
	see := func(e workflow.Event, err error) bool {
		if err == nil {
			last = e
		}
		if e.Kind == workflow.NoteTaken {
			t.Errorf("crash after append %d: %+v", n, e.Record)
		}
		failed = err
		return true
	}
	req := workflow.RunRequest{Store: healthy, Session: "s", Run: "r", Input: "go",
		Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: "go"}}}}
	if n > 0 {
		req.Store = faulty
	}
	wf.Run(t.Context(), req)(see)
	for range 10 {
		resume := workflow.ResumeRequest{Store: healthy, Session: "s", Run: "r"}
		switch {
		case failed != nil && !faulty.Tripped():
			t.Fatal(failed)
		case failed == nil && last.Kind == workflow.RunWaiting:
			resume.Answers = []workflow.Answer{{ID: last.Interrupts[0].Ask.ID, Value: "forty"}}
			if n > 0 && !faulty.Tripped() {
				resume.Store = faulty
			}
		case failed == nil:
			return fmt.Sprintf("%s %v, %d effects", last.Kind, last.Output, len(tool.keys)), faulty.Tripped()
		}
		failed = nil
		wf.Resume(t.Context(), resume)(see)
	}
	t.Fatalf("crash after append %d: no end", n)
	return "", false
}

func TestAgentsAsToolsSurviveTheirProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want, _ := playManaging(t, 0)
		if want != "run-completed billed d, 4 effects" {
			t.Fatalf("without a crash: %s", want)
		}
		for n := 2; ; n++ {
			got, tripped := playManaging(t, n)
			if !tripped {
				return
			}
			if got != want {
				t.Errorf("crash after append %d: %s, want %s", n, got, want)
			}
		}
	})
}

// The agents of one turn work at the same time, each as an activation with a branch of its own.
func TestAgentsAsToolsOfOneTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		branches := map[string]string{}
		for e, err := range managingSystem(t, &keyedPay{keys: map[string]int{}}).Run(t.Context(),
			workflow.RunRequest{Store: memory.New(), Input: "go"}) {
			if err != nil {
				t.Fatal(err)
			}
			if start, ok := e.Record.(journal.Start); ok {
				branches[start.Path] = start.Branch
			}
		}
		want := []string{"front@1", "front@1/billing@1-1", "front@1/billing@1-4", "front@1/clerk@1-2", "front@1/clerk@1-2/ask@1"}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(branches))); diff != "" {
			t.Errorf("activations (-want +got):\n%s", diff)
		}
		if branches["front@1"] != "" || branches["front@1/billing@1-4"] != "billing@1-4" {
			t.Errorf("branches are %v", branches)
		}
	})
}
