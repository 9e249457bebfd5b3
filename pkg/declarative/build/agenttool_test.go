package build_test

import (
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
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
	return scripted(t, managing, managingScript, tool)
}
func TestAgentsAsToolsSurviveTheirProcess(t *testing.T) {
	survives(t, "run-completed billed d, 4 effects", managing, managingScript)
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
