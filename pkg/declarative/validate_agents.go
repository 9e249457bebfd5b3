package declarative

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// references reports names of agents that no agent has, and agents in places that aren't for their class.
func (v *validator) references() {
	for _, r := range v.refs {
		switch {
		case r.to < 0:
			v.unknown(r.at, fmt.Sprintf("%q is no agent of this document", r.name), r.name, v.agentNames())
		case r.kind == asSubgraph && v.doc.Agents[r.to].Graph == nil && v.known(r.to):
			v.report.Value(r.at, diag.BadValue, fmt.Sprintf("%q is %s; a workflow node runs a Workflow", r.name, v.classOf(r.to)),
				"use a node of type agent")
		}
	}
}

// known reports whether the class of an agent is one of the format.
func (v *validator) known(agent int) bool {
	a := &v.doc.Agents[agent]
	return a.LLM != nil || a.Graph != nil || a.Class == SequentialAgent || a.Class == ParallelAgent || a.Class == LoopAgent
}

func (v *validator) classOf(agent int) string {
	class := cmp.Or(v.doc.Agents[agent].Class, LlmAgent)
	return fields.New().Shape(fields.Agent, string(class)).Noun
}

// agentCycles reports agents that contain each other: one cycle for each reference that closes one.
func (v *validator) agentCycles() bool {
	const (
		unseen = iota
		open
		done
	)
	state := make([]int, len(v.doc.Agents))
	found := false
	var path []*ref
	var visit func(agent int)
	visit = func(agent int) {
		state[agent] = open
		for _, r := range v.from[agent] {
			if r.to < 0 {
				continue
			}
			path = append(path, r)
			switch state[r.to] {
			case unseen:
				visit(r.to)
			case open:
				found = true
				v.reportCycle(path, r.to)
			}
			path = path[:len(path)-1]
		}
		state[agent] = done
	}
	for i := range v.doc.Agents {
		if state[i] == unseen {
			visit(i)
		}
	}
	return found
}

// reportCycle reports the end of a path that leads back to the agent, from the agent of the cycle that is declared first.
func (v *validator) reportCycle(path []*ref, agent int) {
	cycle := slices.Clone(path[slices.IndexFunc(path, func(r *ref) bool { return r.from == agent }):])
	first := slices.IndexFunc(cycle, func(r *ref) bool {
		return !slices.ContainsFunc(cycle, func(other *ref) bool { return other.from < r.from })
	})
	cycle = slices.Concat(cycle[first:], cycle[:first])
	names := []string{v.doc.Agents[cycle[0].from].Name}
	for _, r := range cycle {
		names = append(names, r.name)
	}
	v.report.Value(cycle[0].at, diag.AgentCycle, "agents contain each other: "+strings.Join(names, " -> "),
		"a run of this would never end; leave one of the references out")
}

// findRoot finds the agent that runs start with. Without root_agent it is the only one that nothing refers to.
func (v *validator) findRoot(cyclic bool) {
	if name := v.doc.RootAgent; name != "" {
		i, known := v.agents[name]
		if !known {
			v.unknown(v.at.Field("root_agent"), fmt.Sprintf("%q is no agent of this document", name), name, v.agentNames())
			return
		}
		v.root = i
		return
	}
	candidates := v.rootCandidates()
	doubtful := cyclic || v.report.BrokenBelow(v.at.Field("agents"))
	switch {
	case len(candidates) == 1:
		v.root = candidates[0]
	case doubtful || len(v.doc.Agents) == 0 || v.at.Field("root_agent").Exists():
	default:
		var names []string
		for _, i := range candidates {
			names = append(names, v.doc.Agents[i].Name)
		}
		v.report.Value(v.at.Field("root_agent"), diag.RootAgent,
			fmt.Sprintf("nothing refers to %s, so each of them could be the root", list(names)), "say which: root_agent: "+names[0])
	}
}

// rootCandidates are the agents that nothing refers to.
func (v *validator) rootCandidates() []int {
	var candidates []int
	used := make([]bool, len(v.doc.Agents))
	for _, r := range v.refs {
		if r.to >= 0 && r.to != r.from {
			used[r.to] = true
		}
	}
	for i, a := range v.doc.Agents {
		if a.Name != "" && v.agents[a.Name] == i && !used[i] {
			candidates = append(candidates, i)
		}
	}
	return candidates
}

// depth reports graphs that are nested too deeply, counting references to Workflow agents.
func (v *validator) depth() {
	heights := map[int]int{}
	for i := range v.doc.Agents {
		if v.height(i, heights) > MaxWorkflowDepth && !slices.ContainsFunc(v.refs, func(r *ref) bool { return r.to == i }) {
			v.reportDepth(i, heights)
		}
	}
}

// height counts the graphs that are nested in an agent, its own included.
func (v *validator) height(agent int, memo map[int]int) int {
	if h, ok := memo[agent]; ok {
		return h
	}
	h := 0
	if g := v.doc.Agents[agent].Graph; g != nil {
		h = 1 + v.inlineHeight(g)
	}
	for _, r := range v.from[agent] {
		if r.to >= 0 {
			h = max(h, v.level(r)+v.height(r.to, memo))
		}
	}
	memo[agent] = h
	return h
}

// inlineHeight counts the graphs that are nested in a graph without references.
func (v *validator) inlineHeight(g *Graph) int {
	h := 0
	for i := range g.Nodes {
		if b, ok := g.Nodes[i].Body.(*Subgraph); ok && b.Graph != nil {
			h = max(h, 1+v.inlineHeight(b.Graph))
		}
	}
	return h
}

// level is the number of graphs of its agent that a reference stands in.
func (v *validator) level(r *ref) int {
	if r.site == nil || v.doc.Agents[r.from].Graph == nil {
		return 0
	}
	return graphLevel(r.at)
}

// graphLevel counts the lists of nodes that a place lies in.
func graphLevel(p source.Place) int { return strings.Count(p.Pointer(), "/nodes/") }

// reportDepth follows the deepest way down from an agent to the first graph that is too deep.
func (v *validator) reportDepth(agent int, heights map[int]int) {
	above := 0
	way := []string{v.doc.Agents[agent].Name}
	for {
		if p, ok := v.deepInline(agent, MaxWorkflowDepth-above); ok {
			v.tooDeep(p, way)
			return
		}
		r := v.deepestRef(agent, heights)
		above += v.level(r)
		way = append(way, r.name)
		if above >= MaxWorkflowDepth && v.doc.Agents[r.to].Graph != nil {
			v.tooDeep(r.at, way)
			return
		}
		agent = r.to
	}
}

func (v *validator) tooDeep(p source.Place, way []string) {
	v.report.Value(p, diag.TooDeep, fmt.Sprintf("workflows are nested deeper than %d here (%s); an agent's own graph is the first",
		MaxWorkflowDepth, strings.Join(way, " -> ")), "")
}

// deepInline finds a graph of an agent that lies deeper than some levels.
func (v *validator) deepInline(agent, levels int) (source.Place, bool) {
	for i := range v.graphs {
		if g := &v.graphs[i]; g.agent == agent && graphLevel(g.at)+1 > levels {
			return g.at, true
		}
	}
	return source.Place{}, false
}

// deepestRef is the reference of an agent below which most graphs are nested.
func (v *validator) deepestRef(agent int, heights map[int]int) *ref {
	var best *ref
	for _, r := range v.from[agent] {
		if r.to >= 0 && (best == nil || v.level(r)+heights[r.to] > v.level(best)+heights[best.to]) {
			best = r
		}
	}
	return best
}

// below returns the agents that some agents contain, themselves included.
func (v *validator) below(agents ...int) map[int]bool {
	seen := map[int]bool{}
	for _, a := range agents {
		seen[a] = true
	}
	for todo := slices.Clone(agents); len(todo) > 0; {
		a := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, r := range v.from[a] {
			if r.to >= 0 && !seen[r.to] {
				seen[r.to] = true
				todo = append(todo, r.to)
			}
		}
	}
	return seen
}
