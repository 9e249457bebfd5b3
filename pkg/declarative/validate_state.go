package declarative

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// declaredState reports keys of the state that the state_schema of their Workflow doesn't have.
func (v *validator) declaredState() {
	for i := range v.doc.Agents {
		declared := v.stateKeys(i)
		if declared == nil {
			continue
		}
		for _, s := range v.sites {
			if s.agent == i {
				v.writtenState(s, declared)
			}
		}
		for _, llm := range v.llmAgentsOf(i) {
			v.writtenByAgent(i, llm, declared)
		}
	}
}

// llmAgentsOf lists the LlmAgents that a Workflow runs in its session, those of agents of agents included. Workflows that
// it runs have schemas of their own.
func (v *validator) llmAgentsOf(workflow int) []int {
	var llms []int
	seen := map[int]bool{}
	for todo := []int{workflow}; len(todo) > 0; {
		agent := todo[0]
		todo = todo[1:]
		for _, r := range v.from[agent] {
			if r.to < 0 || r.kind == asTool || r.isolation == Isolated || seen[r.to] || v.doc.Agents[r.to].Graph != nil {
				continue
			}
			seen[r.to] = true
			todo = append(todo, r.to)
			if v.doc.Agents[r.to].LLM != nil {
				llms = append(llms, r.to)
			}
		}
	}
	return llms
}

// writtenByAgent checks the key that an LlmAgent writes which a Workflow runs.
func (v *validator) writtenByAgent(workflow, agent int, declared []string) {
	key := v.doc.Agents[agent].LLM.OutputKey
	if declares(declared, key) {
		return
	}
	v.report.Value(v.agentAt(agent).Field("output_key"), diag.UndeclaredState,
		fmt.Sprintf("the workflow %q runs this agent, and its state_schema has no key %q", v.doc.Agents[workflow].Name, key), v.hint(key, declared))
}

// writtenState checks the keys that a node writes.
func (v *validator) writtenState(s *site, declared []string) {
	switch b := s.node.Body.(type) {
	case *CEL:
		for _, d := range b.StateDelta {
			v.stateKey(s.at.Field("state_delta").Entry(d.Name), d.Name, declared)
		}
	case *LLM:
		v.stateKey(s.at.Field("output_key"), b.OutputKey, declared)
	}
}

// stateKeys are the keys that a Workflow declares, sorted; nil when it leaves others open.
func (v *validator) stateKeys(agent int) []string {
	g := v.doc.Agents[agent].Graph
	if g == nil {
		return nil
	}
	schema, _ := g.StateSchema.(map[string]any)
	properties, ok := schema["properties"].(map[string]any)
	_, patterns := schema["patternProperties"]
	if more, open := schema["additionalProperties"]; !ok || patterns || open && more != false {
		return nil
	}
	return append([]string{}, slices.Sorted(maps.Keys(properties))...)
}

func (v *validator) stateKey(p source.Place, key string, declared []string) {
	if !declares(declared, key) {
		v.report.Key(p, diag.UndeclaredState, fmt.Sprintf("the state_schema of this workflow has no key %q", key), v.hint(key, declared))
	}
}

// declares reports whether a key may be written: it is among the declared ones, shared or temporary, or none.
func declares(declared []string, key string) bool {
	for _, prefix := range [...]string{"app:", "user:", "temp:"} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	_, known := slices.BinarySearch(declared, key)
	return key == "" || known
}
