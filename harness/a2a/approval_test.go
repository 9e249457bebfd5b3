package a2a_test

import (
	"strings"
	"testing"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/go-cmp/cmp"
)

// approving refunds what a person approves.
const approving = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
metadata: {name: test}
agents:
  - name: root
    agent_class: Workflow
    nodes:
      - {id: pay, type: tool, tool: refund, args: {amount: "5"}, approval: always}
      - {id: done, type: cel, output: input.output}
      - {id: failed, type: cel, output: input.message}
    edges:
      - {from: START, to: pay}
      - {from: pay, to: done}
      - {from: pay, to: failed, route: ERROR}
`

const mayRefund = "May refund be called?"

func TestAnswer_approvals(t *testing.T) {
	l := newLab(t, approving)
	c := l.ann(t)
	for want, decision := range map[string]map[string]any{
		`refunded {"amount":5}`:                           {"decision": "approve"},
		`refunded {"amount":2}`:                           {"decision": "edit", "args": map[string]any{"amount": 2}},
		"a person rejected the call of refund: not today": {"decision": "reject", "reason": "not today"},
	} {
		task := c.send(t, message("refund"))
		question := asked(t, task, mayRefund)[mayRefund]
		if question["kind"] != "approval" || question["tool"] != "refund" || question["schema"] == nil ||
			cmp.Diff(map[string]any{"amount": 5.0}, question["args"]) != "" {
			t.Errorf("the question is %v", question)
		}
		task = c.send(t, answering(task, map[string]any{question["id"].(string): decision}))
		if diff := cmp.Diff(map[string]any{"output": want}, texts(task)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", decision, diff)
		}
	}
}

// Text is never taken for an approval, and what is no decision changes nothing.
func TestAnswer_what_is_no_decision(t *testing.T) {
	l := newLab(t, approving)
	c := l.ann(t)
	task := c.send(t, message("refund"))
	id := asked(t, task, mayRefund)[mayRefund]["id"].(string)
	for want, req := range map[string]*protocol.SendMessageRequest{
		`{"decision": "approve"}`: message("approve", forTask(task.ID)),
		"not for approve":         answering(task, map[string]any{id: "approve"}),
		"not \"verdict\"":         answering(task, map[string]any{id: map[string]any{"verdict": "approve"}}),
		"decision must be text":   answering(task, map[string]any{id: map[string]any{"decision": true}}),
		`the decision is "yes"`:   answering(task, map[string]any{id: map[string]any{"decision": "yes"}}),
		"don't fit":               answering(task, map[string]any{id: map[string]any{"decision": "edit", "args": map[string]any{"amount": "x"}}}),
	} {
		if _, err := c.SendMessage(c.as(t.Context()), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	asked(t, c.get(t, task.ID), mayRefund)
}
