package build

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

const transferName = "transfer_to_agent"

// transfer is the tool by which a model hands its conversation to another agent. Like exit_loop it changes nothing: what a
// call leads to is read from the transcript.
type transfer struct{ spec core.Spec }

var _ core.Tool = transfer{}

// transferSource makes the source of the tool. Agents that the model may transfer to are listed once, the nearest first.
func transferSource(targets []*declarative.Agent) toolSource {
	var names []any
	var list strings.Builder
	for _, t := range targets {
		if slices.Contains(names, any(t.Name)) {
			continue
		}
		names = append(names, t.Name)
		list.WriteString("\n- " + t.Name)
		if t.Description != "" {
			list.WriteString(": " + t.Description)
		}
	}
	schema, _ := journal.EncodeValue(map[string]any{ // of nothing but strings
		"type":       "object",
		"properties": map[string]any{"agent_name": map[string]any{"type": "string", "enum": names}},
		"required":   []any{"agent_name"}, "additionalProperties": false,
	})
	tool := transfer{core.Spec{Name: transferName, InputSchema: schema, ReadOnly: true,
		Description: "Hands the conversation over to another agent, who answers in your place. Call it, and say nothing, when one of " +
			"these suits better than you:" + list.String()}}
	return func(*workflow.Context) ([]core.Tool, error) { return []core.Tool{tool}, nil }
}

// Spec implements [core.Tool].
func (t transfer) Spec() core.Spec { return t.spec }

// Run implements [core.Tool].
func (transfer) Run(context.Context, core.Call) (core.Result, error) {
	return core.Result{Text: "The other agent takes over.", EndRun: true}, nil
}

// transferredTo is the agent that an activation handed its conversation to, by the last of its calls that was let through;
// empty when it didn't.
func transferredTo(own []journal.Msg) string {
	let := map[string]bool{} // the calls of the turn that were let through
	for _, m := range slices.Backward(own) {
		if m.Role == journal.RoleModel {
			if to := transferIn(m, let); to != "" {
				return to
			}
			clear(let)
		}
		for _, p := range m.Parts {
			if r, ok := p.(journal.ToolResult); ok && r.Name == transferName && !r.Error {
				let[r.ID] = true
			}
		}
	}
	return ""
}

func transferIn(m journal.Msg, let map[string]bool) string {
	for _, p := range slices.Backward(m.Parts) {
		c, ok := p.(journal.ToolCall)
		if !ok || c.Name != transferName || !let[c.ID] {
			continue
		}
		var args struct {
			To string `json:"agent_name"`
		}
		if json.Unmarshal([]byte(c.Args), &args) == nil { // it was, by the loop, before the call was made
			return args.To
		}
	}
	return ""
}
