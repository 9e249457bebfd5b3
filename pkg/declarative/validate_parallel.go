package declarative

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

const isolatedHint = "with isolation: Isolated each call works in a session of its own"

// parallelAgents warns of Shared agents that can be active twice at once: they see their siblings' state, but not what
// these say.
func (v *validator) parallelAgents() {
	for i := range v.sites {
		s := v.sites[i]
		if w, ok := s.node.Body.(*Worker); ok && w.MaxConcurrency != 1 {
			for _, agent := range v.sharedIn(&w.Worker) {
				v.twiceAtOnce(s.at.Field("worker").Field("agent"), agent, "the worker runs for several items at once")
			}
		}
	}
	for i, a := range v.doc.Agents {
		if a.Class == ParallelAgent {
			v.parallelBranches(i)
		}
	}
	for i := range v.graphs {
		v.parallelNodes(&v.graphs[i])
	}
}

func (v *validator) twiceAtOnce(p source.Place, agent, why string) {
	v.report.Value(p, diag.SharedParallelAgent, fmt.Sprintf("the Shared agent %q can be active twice at once: %s", agent, why), isolatedHint)
}

// parallelBranches looks for an agent in two branches of a ParallelAgent.
func (v *validator) parallelBranches(agent int) {
	branch := map[string]string{}
	for i, s := range v.doc.Agents[agent].SubAgents {
		for _, name := range v.sharedAgents(s.Name, s.Isolation) {
			if first, twice := branch[name]; twice && first != s.Name {
				v.twiceAtOnce(v.agentAt(agent).Field("sub_agents").Item(i), name, fmt.Sprintf("%q and %q run at the same time", first, s.Name))
				return
			}
			branch[name] = s.Name
		}
	}
}

// parallelNodes looks for an agent in two nodes that one fan-out can have active together.
func (v *validator) parallelNodes(g *graphSite) {
	users := map[string]*big.Int{} // nodes by the Shared agents in them
	var names []string
	for i := range g.graph.Nodes {
		for _, name := range v.sharedIn(&g.graph.Nodes[i]) {
			if users[name] == nil {
				users[name] = new(big.Int)
				names = append(names, name)
			}
			users[name].SetBit(users[name], i, 1)
		}
	}
	if len(names) == 0 {
		return
	}
	f := newFanOuts(g.graph)
	for _, name := range names {
		a, b, ok := f.together(users[name])
		if !ok {
			continue
		}
		p := g.at.Field("nodes").Item(b)
		if p.Field("agent").Exists() {
			p = p.Field("agent")
		}
		v.twiceAtOnce(p, name, fmt.Sprintf("%q and %q can run at the same time", g.graph.Nodes[a].ID, g.graph.Nodes[b].ID))
	}
}

// sharedIn lists the agents that work in the session of the graph when a node is active.
func (v *validator) sharedIn(n *Node) []string {
	switch b := n.Body.(type) {
	case *AgentRef:
		return v.sharedAgents(b.Agent, b.Isolation)
	case *Worker:
		return v.sharedIn(&b.Worker)
	case *Subgraph:
		if b.Graph == nil { // an agent, of which nothing may be known
			return v.sharedAgents(b.Agent, Shared)
		}
		var all []string
		for i := range b.Graph.Nodes {
			all = append(all, v.sharedIn(&b.Graph.Nodes[i])...)
		}
		return dedupe(all)
	}
	return nil
}

// sharedAgents lists an agent that is used in a session, with the agents that it uses there itself.
func (v *validator) sharedAgents(name string, isolation Isolation) []string {
	first, ok := v.agents[name]
	if !ok || isolation == Isolated {
		return nil
	}
	if v.shared[first] != nil {
		return v.shared[first]
	}
	seen := map[int]bool{first: true}
	all := []string{name}
	for todo := []int{first}; len(todo) > 0; {
		agent := todo[0]
		todo = todo[1:]
		for _, r := range v.from[agent] {
			if r.to >= 0 && r.kind != asTool && r.isolation != Isolated && !seen[r.to] {
				seen[r.to] = true
				todo = append(todo, r.to)
				all = append(all, r.name)
			}
		}
	}
	v.shared[first] = all
	return all
}

func dedupe(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
