package declarative

import (
	"fmt"
	"slices"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// toolExitLoop ends the innermost loop.
const toolExitLoop = "exit_loop"

// toolTransfer is the tool by which an LlmAgent hands its conversation to a sub-agent.
const toolTransfer = "transfer_to_agent"

// loops reports loops that nothing ends, and ends where there is no loop.
func (v *validator) loops() {
	var loops []int
	for i, a := range v.doc.Agents {
		if a.Class != LoopAgent {
			continue
		}
		loops = append(loops, i)
		at := v.agentAt(i)
		if a.MaxIterations == 0 && !at.Field("max_iterations").Exists() && !v.canEscalate(i) {
			v.report.Value(at.Field("name"), diag.LoopWithoutExit, fmt.Sprintf("%q has no max_iterations, and nothing below it can end it", a.Name),
				"give it max_iterations, or list the tool exit_loop in an LlmAgent below it")
		}
	}
	inLoop := v.below(loops...)
	for _, x := range v.llms {
		v.exitLoop(x, inLoop[x.agent])
	}
	for _, s := range v.sites {
		if b, ok := s.node.Body.(*CEL); ok && b.Escalate.Text() != "" && !inLoop[s.agent] {
			v.report.Key(s.at.Field("escalate"), diag.ExitOutsideLoop, `"escalate" ends a loop, and no LoopAgent contains this workflow`, "remove it")
		}
	}
}

// exitLoop checks that only LlmAgents in a loop have the tool exit_loop.
func (v *validator) exitLoop(x llmSite, inLoop bool) {
	for i, t := range x.llm.Tools {
		p := x.at.Field("tools").Item(i)
		switch {
		case t.Name != toolExitLoop:
		case x.site != nil:
			v.report.Value(p, diag.ExitOutsideLoop, "exit_loop is a tool of LlmAgents in a loop; this is a node of a workflow",
				"end the loop with escalate on a cel node")
		case !inLoop:
			v.report.Value(p, diag.ExitOutsideLoop, fmt.Sprintf("exit_loop ends a loop, and no LoopAgent contains %q", v.doc.Agents[x.agent].Name), "")
		}
	}
}

// canEscalate reports whether something below a loop may end it. Doubt counts as yes.
func (v *validator) canEscalate(loop int) bool {
	inside := v.below(loop)
	if slices.ContainsFunc(v.refs, func(r *ref) bool { return inside[r.from] && r.to < 0 }) {
		return true
	}
	for i := range inside {
		if llm := v.doc.Agents[i].LLM; llm != nil && slices.ContainsFunc(llm.Tools, func(t ToolRef) bool { return t.Name == toolExitLoop }) {
			return true
		}
	}
	return slices.ContainsFunc(v.sites, func(s *site) bool {
		if !inside[s.agent] {
			return false
		}
		switch b := s.node.Body.(type) {
		case *Function, *Dynamic, nil:
			return true
		case *CEL:
			return b.Escalate.Text() != "" || s.at.Field("escalate").Exists()
		}
		return false
	})
}
