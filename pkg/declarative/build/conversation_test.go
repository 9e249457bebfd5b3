package build_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// An agent hands the conversation on, and gets it back from one that has asked a person by way of a graph and used a tool.
func TestConversationsSurviveTheirProcess(t *testing.T) {
	survives(t, "run-completed done, 2 effects", `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: front
agents:
  - { name: front, sub_agents: [billing] }
  - { name: billing, tools: [pay, { agent: clerk }], sub_agents: [deep] }
  - { name: deep, tools: [pay] }
  - name: clerk
    agent_class: Workflow
    nodes: [{ id: ask, type: hitl, message: How much? }]
    edges: [{ from: START, to: ask }]
`, `{"rules": [
  {"when": {"agent": "front", "result": "takes over"}, "reply": {"text": "done"}},
  {"when": {"agent": "front"}, "turns": [{"calls": [{"name": "transfer_to_agent", "args": {"agent_name": "billing"}}]}]},
  {"when": {"agent": "deep"}, "turns": [{"calls": [{"name": "pay"}]},
    {"calls": [{"name": "transfer_to_agent", "args": {"agent_name": "billing"}}]}]},
  {"when": {"agent": "billing", "result": "paid"}, "turns": [{"calls": [{"name": "transfer_to_agent", "args": {"agent_name": "front"}}]}]},
  {"when": {"agent": "billing"}, "turns": [{"calls": [{"name": "clerk", "args": {"request": "x"}}, {"name": "pay"}]},
    {"calls": [{"name": "transfer_to_agent", "args": {"agent_name": "deep"}}]}]}]}`)
}

// seeing notes the last prompt of each agent.
type seeing struct {
	core.Model
	prompts map[string][]string
}

func (m seeing) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	var lines []string
	for _, msg := range req.Messages {
		line := string(msg.Role) + ":"
		for _, p := range msg.Parts {
			switch p := p.(type) {
			case journal.Text:
				line += " " + strings.ReplaceAll(p.Text, "\n", " ")
			case journal.ToolCall:
				line += " " + p.Name
			case journal.ToolResult:
				line += " " + p.Text
			}
		}
		lines = append(lines, line)
	}
	m.prompts[req.Agent] = lines
	return m.Model.Stream(ctx, req)
}

// Who takes a conversation over sees what was said in it, as others than the one who said it: by the agents before, in
// earlier runs, and by a member that works in a branch of its own, by nobody of another branch.
func TestConversation_what_its_members_see(t *testing.T) {
	model := seeing{fauxModel(t, `{"rules": [
  {"when": {"agent": "front", "user": "second"}, "reply": {"text": "bye"}},
  {"when": {"agent": "front"}, "turns": [{"calls": [{"name": "transfer_to_agent", "args": {"agent_name": "billing"}}]}]},
  {"when": {"agent": "billing", "user": "second"}, "turns": [{"calls": [{"name": "transfer_to_agent", "args": {"agent_name": "front"}}]}]},
  {"when": {"agent": "billing"}, "reply": {"text": "billed"}}]}`), map[string][]string{}}
	wf := builtWith(t, `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: front
agents:
  - { name: front, sub_agents: [billing] }
  - { name: billing }
`, build.Options{Models: map[string]core.Model{"default": model}})
	store := memory.New()
	for _, text := range []string{"first", "second"} {
		for _, err := range wf.Run(t.Context(), workflow.RunRequest{Store: store, Session: "s", Input: text,
			Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: text}}}}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	called := `user: For context, the agent front called the tool transfer_to_agent with {"agent_name": "billing"}`
	answered := "user: For context, the tool transfer_to_agent answered the agent front: The other agent takes over."
	want := map[string][]string{
		"billing": {"user: first", called, answered, "model: billed", "user: second"},
		"front": {"user: first", "model: transfer_to_agent", "tool: The other agent takes over.", "user: For context, the agent billing said: billed",
			"user: second", strings.NewReplacer("front", "billing", "billing", "front").Replace(called),
			strings.Replace(answered, "front", "billing", 1)},
	}
	if diff := cmp.Diff(want, model.prompts); diff != "" {
		t.Errorf("the last prompts (-want +got):\n%s", diff)
	}
}
