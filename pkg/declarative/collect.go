package declarative

import (
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// site is a node with where it stands.
type site struct {
	node  *Node
	at    source.Place
	agent int    // index of the agent that it belongs to
	graph *Graph // nil for the body of a worker
	role  role
}

// role is what a node is to its surroundings.
type role int

const (
	inGraph role = iota
	asWorker
	asChild // of a dynamic node
)

// graphSite is a graph with where it stands: at an agent, or at a workflow node.
type graphSite struct {
	graph *Graph
	at    source.Place
	agent int
	owner *site // the workflow node; nil for an agent's own graph
}

// ref is a place where one agent refers to another.
type ref struct {
	from      int // index of the agent that refers
	name      string
	to        int // index of the agent that is meant, -1 when unknown
	at        source.Place
	kind      refKind
	isolation Isolation
	site      *site // the node that refers, nil when the agent does so itself
}

// refKind is how one agent uses another.
type refKind int

const (
	asSubAgent refKind = iota
	asTool
	asNode
	asSubgraph
)

// llmSite is an LLM with where it stands: an LlmAgent or an llm node.
type llmSite struct {
	llm   *LLM
	at    source.Place
	agent int
	site  *site // nil for an LlmAgent
}

// names reports agents and servers that share a name.
func (v *validator) names() {
	for i, a := range v.doc.Agents {
		v.unique(v.agents, a.Name, i, v.at.Field("agents"), "agent")
	}
	for i, s := range v.doc.MCPServers {
		v.unique(v.servers, s.Name, i, v.at.Field("mcp_servers"), "MCP server")
	}
}

func (v *validator) unique(seen map[string]int, name string, i int, list source.Place, what string) {
	if name == "" {
		return
	}
	first, twice := seen[name]
	if !twice {
		seen[name] = i
		return
	}
	v.report.Value(list.Item(i).Field("name"), diag.DuplicateName, fmt.Sprintf("%q is the name of two %ss; the first is at %s",
		name, what, list.Item(first).Field("name").Where()), "")
}

// collect lists all nodes, graphs and references, in the order of the document.
func (v *validator) collect() {
	v.from, v.shared = make([][]*ref, len(v.doc.Agents)), make([][]string, len(v.doc.Agents))
	for i := range v.doc.Agents {
		a, at := &v.doc.Agents[i], v.agentAt(i)
		for j, s := range a.SubAgents {
			p := at.Field("sub_agents").Item(j)
			if p.Node().Kind() == source.Map {
				p = p.Field("name")
			}
			v.refer(ref{from: i, name: s.Name, at: p, kind: asSubAgent, isolation: s.Isolation})
		}
		if a.LLM != nil {
			v.collectLLM(llmSite{llm: a.LLM, at: at, agent: i})
		}
		if a.Graph != nil {
			v.collectGraph(graphSite{graph: a.Graph, at: at, agent: i})
		}
	}
}

func (v *validator) refer(r ref) {
	if r.name == "" {
		return
	}
	var known bool
	if r.to, known = v.agents[r.name]; !known {
		r.to = -1
	}
	v.refs = append(v.refs, &r)
	v.from[r.from] = append(v.from[r.from], &r)
}

func (v *validator) collectLLM(x llmSite) {
	v.llms = append(v.llms, x)
	for i, t := range x.llm.Tools {
		p := x.at.Field("tools").Item(i).Field("agent")
		v.refer(ref{from: x.agent, name: t.Agent, at: p, kind: asTool, isolation: t.Isolation, site: x.site})
	}
}

func (v *validator) collectGraph(g graphSite) {
	v.graphs = append(v.graphs, g)
	for i := range g.graph.Nodes {
		v.collectNode(&site{node: &g.graph.Nodes[i], at: g.at.Field("nodes").Item(i), agent: g.agent, graph: g.graph})
	}
}

func (v *validator) collectNode(s *site) {
	v.sites = append(v.sites, s)
	switch b := s.node.Body.(type) {
	case *LLM:
		v.collectLLM(llmSite{llm: b, at: s.at, agent: s.agent, site: s})
	case *AgentRef:
		v.refer(ref{from: s.agent, name: b.Agent, at: s.at.Field("agent"), kind: asNode, isolation: b.Isolation, site: s})
	case *Subgraph:
		v.refer(ref{from: s.agent, name: b.Agent, at: s.at.Field("agent"), kind: asSubgraph, site: s})
		if b.Graph != nil {
			v.collectGraph(graphSite{graph: b.Graph, at: s.at, agent: s.agent, owner: s})
		}
	case *Worker:
		v.collectNode(&site{node: &b.Worker, at: s.at.Field("worker"), agent: s.agent, role: asWorker})
	case *Dynamic:
		for i, c := range b.Children {
			if c.Inline != nil {
				v.collectNode(&site{node: c.Inline, at: s.at.Field("children").Item(i), agent: s.agent, graph: s.graph, role: asChild})
			}
		}
	}
}

// outputSchema is the schema of what the LLM gives; nil when that is text.
func (x llmSite) outputSchema() Schema {
	if x.site != nil {
		return x.site.node.OutputSchema
	}
	return x.llm.OutputSchema
}

// llmName is the name of the LlmAgent or the id of the node.
func (v *validator) llmName(x llmSite) string {
	if x.site != nil {
		return x.site.node.ID
	}
	return v.doc.Agents[x.agent].Name
}

// agentNames are the names of all agents in the order of the document.
func (v *validator) agentNames() []string {
	var names []string
	for _, a := range v.doc.Agents {
		if a.Name != "" {
			names = append(names, a.Name)
		}
	}
	return names
}

// list joins names for a sentence.
func list(names []string) string { return strings.Join(names, ", ") }
