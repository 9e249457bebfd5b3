package declarative

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// OneNode makes of a document one whose runs are activations of a single node, by its own definition. The way to the node
// is its id in the root Workflow, with those of the workflow nodes around it before it (outer/inner); another Workflow's
// nodes begin with its name (triage/classify). The name of an agent alone stands for the agent.
//
// Nothing else of the graph is there: no edges but the one from START, no joins. Servers that the node doesn't use are
// lazy, so that no run waits for them. At is the path of the node in the document that it was taken from, and in the one
// that it is in now.
func OneNode(c *Checked, way string) (doc *Document, at Moved, err error) {
	doc = new(*c.Document)
	doc.origin = nil
	doc.Agents = slices.Clone(c.Document.Agents)
	f := finder{doc: doc, steps: strings.Split(way, "/")}
	agent, graph, err := f.graph(c.Root)
	if err != nil {
		return nil, Moved{}, err
	}
	doc.RootAgent = agent.Name
	if graph == nil {
		return doc.lazyServers(), Moved{}, nil
	}
	node, err := f.node(graph)
	if err != nil {
		return nil, Moved{}, err
	}
	if node.Type == TypeJoin {
		return nil, Moved{}, fmt.Errorf("the node %s is a join, which collects what the edges bring: there are none to a node alone",
			way)
	}
	i := slices.IndexFunc(doc.Agents, func(a Agent) bool { return a.Name == agent.Name })
	doc.Agents[i].Graph = &Graph{
		Nodes:          append([]Node{*node}, scheduled(graph, node)...),
		Edges:          []Edge{{From: []string{"START"}, To: []string{node.ID}}},
		MaxConcurrency: graph.MaxConcurrency,
		StateSchema:    agent.Graph.StateSchema,
	}
	now := fmt.Sprintf("agents[%s].nodes[%s]", agent.Name, node.ID)
	return doc.lazyServers(), Moved{from: f.path(agent, node), to: now}, nil
}

// Moved says where a part of a document was and where it is now.
type Moved struct{ from, to string }

// Back is the path that a path had before.
func (m Moved) Back(path string) string {
	if rest, within := strings.CutPrefix(path, m.to); within && m.to != "" && (rest == "" || rest[0] == '.') {
		return m.from + rest
	}
	return path
}

// finder follows the way to a node.
type finder struct {
	doc   *Document
	steps []string // what is left of the way
	outer []string // the workflow nodes that it led through
}

// graph finds the agent, and its graph with what is left of the way leading into it; nil when the agent is meant.
func (f *finder) graph(root *Agent) (*Agent, *Graph, error) {
	first := f.steps[0]
	if root.Graph != nil && root.Graph.node(first) != nil {
		g, err := f.inner(root.Graph)
		return root, g, err
	}
	i := slices.IndexFunc(f.doc.Agents, func(a Agent) bool { return a.Name == first })
	if i < 0 {
		return nil, nil, f.unknown(root)
	}
	agent := &f.doc.Agents[i]
	f.steps = f.steps[1:]
	switch {
	case len(f.steps) == 0:
		return agent, nil, nil
	case agent.Graph == nil:
		return nil, nil, fmt.Errorf("the agent %s is no Workflow: it has no nodes", first)
	}
	g, err := f.inner(agent.Graph)
	return agent, g, err
}

// inner follows all but the last step.
func (f *finder) inner(g *Graph) (*Graph, error) {
	for len(f.steps) > 1 {
		node, err := f.node(g)
		if err != nil {
			return nil, err
		}
		body, ok := node.Body.(*Subgraph)
		if !ok || body.Graph == nil {
			return nil, fmt.Errorf("the node %s has no nodes of its own", node.ID)
		}
		f.outer, f.steps, g = append(f.outer, node.ID), f.steps[1:], body.Graph
	}
	return g, nil
}

func (f *finder) node(g *Graph) (*Node, error) {
	if n := g.node(f.steps[0]); n != nil {
		return n, nil
	}
	return nil, unknownStep("node", f.steps[0], g.ids())
}

func (f *finder) unknown(root *Agent) error {
	var known []string
	if root.Graph != nil {
		known = root.Graph.ids()
	}
	for _, a := range f.doc.Agents {
		known = append(known, a.Name)
	}
	return unknownStep("node or agent", f.steps[0], known)
}

// path is that of the node in the document that it was found in.
func (f *finder) path(agent *Agent, node *Node) string {
	var path strings.Builder
	fmt.Fprintf(&path, "agents[%s]", agent.Name)
	for _, id := range append(f.outer, node.ID) {
		fmt.Fprintf(&path, ".nodes[%s]", id)
	}
	return path.String()
}

func unknownStep(what, name string, known []string) error {
	hint := diag.DidYouMean(name, known)
	if hint == "" {
		hint = "there are " + strings.Join(known, ", ")
	}
	return fmt.Errorf("there is no %s %q; %s", what, name, hint)
}

func (g *Graph) node(id string) *Node {
	i := slices.IndexFunc(g.Nodes, func(n Node) bool { return n.ID == id })
	if i < 0 {
		return nil
	}
	return &g.Nodes[i]
}

func (g *Graph) ids() []string {
	ids := make([]string, len(g.Nodes))
	for i := range g.Nodes {
		ids[i] = g.Nodes[i].ID
	}
	return ids
}

// scheduled are the other nodes of a graph that a dynamic node may schedule, and those that they may in turn.
func scheduled(g *Graph, node *Node) []Node {
	var all []Node
	seen := map[string]bool{node.ID: true}
	for next := []*Node{node}; len(next) > 0; next = next[1:] {
		body, _ := next[0].Body.(*Dynamic)
		if body == nil {
			continue
		}
		for _, c := range body.Children {
			if c.Inline != nil || seen[c.ID] {
				continue
			}
			seen[c.ID] = true
			child := g.node(c.ID)
			all, next = append(all, *child), append(next, child)
		}
	}
	return all
}

// lazyServers lets no run wait for a server that the root agent doesn't use.
func (d *Document) lazyServers() *Document {
	v := validator{doc: d, agents: map[string]int{}}
	for i, a := range d.Agents {
		v.agents[a.Name] = i
	}
	v.collect()
	used := v.serversOf(v.agents[d.RootAgent])
	d.MCPServers = slices.Clone(d.MCPServers)
	for i := range d.MCPServers {
		if !used[d.MCPServers[i].Name] {
			d.MCPServers[i].Connect = ConnectLazy
		}
	}
	return d
}

// serversOf names the servers that an agent and those below it use.
func (v *validator) serversOf(agent int) map[string]bool {
	reached := map[int]bool{agent: true}
	for next := []int{agent}; len(next) > 0; next = next[1:] {
		for _, r := range v.from[next[0]] {
			if r.to >= 0 && !reached[r.to] {
				reached[r.to], next = true, append(next, r.to)
			}
		}
	}
	used := map[string]bool{}
	for _, s := range v.sites {
		if t, ok := s.node.Body.(*Tool); ok && reached[s.agent] {
			used[t.Server] = true
		}
	}
	for _, x := range v.llms {
		for _, t := range x.llm.Tools {
			if server, _, _ := strings.Cut(t.Name, "/"); reached[x.agent] {
				used[server] = true
			}
		}
	}
	return used
}
