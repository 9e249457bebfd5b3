package declarative

import (
	"fmt"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// unguarded warns of agents with rules for tool calls whose sub-agents have tools and no rules of their own.
func (v *validator) unguarded() {
	first := v.firstUnguarded()
	for _, r := range v.refs {
		if r.to < 0 || first[r.to] == "" || !v.guards(r) {
			continue
		}
		v.report.Value(r.at, diag.UnguardedSubagent, fmt.Sprintf("%q has tools and no before_tool rules; those of the agent that uses it "+
			"don't reach it", first[r.to]), "give it rules of its own, be it only { accept: true }")
	}
}

// guards reports whether the LLM that refers to an agent has rules for tool calls.
func (v *validator) guards(r *ref) bool {
	llm := v.doc.Agents[r.from].LLM
	if r.site != nil {
		llm, _ = r.site.node.Body.(*LLM)
	}
	return llm != nil && len(llm.BeforeTool) > 0
}

// firstUnguarded finds, for each agent, an LLM in it or below it that has tools and no rules for them.
func (v *validator) firstUnguarded() []string {
	own := make([]string, len(v.doc.Agents))
	for _, x := range v.llms {
		if own[x.agent] == "" && len(x.llm.Tools) > 0 && len(x.llm.BeforeTool) == 0 {
			own[x.agent] = v.llmName(x)
		}
	}
	first := make([]string, len(own))
	for i := range first {
		inside := v.below(i)
		for j, name := range own {
			if inside[j] && (first[i] == "" || j == i) && name != "" {
				first[i] = name
			}
		}
	}
	return first
}
