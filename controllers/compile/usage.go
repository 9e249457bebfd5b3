package compile

import (
	"cmp"
	"slices"

	"github.com/plait-dev/plait/pkg/declarative"
)

// usage is what a document uses of what is outside of it, in the order of the document.
type usage struct {
	models       []modelUse
	harnessTools map[string]bool
	env          map[string]bool

	nodes, edges int
}

// modelUse is a model with the place that names it.
type modelUse struct{ name, path string }

func usageOf(doc *declarative.Document) usage {
	u := usage{harnessTools: map[string]bool{}, env: map[string]bool{}}
	for _, s := range doc.MCPServers {
		for _, h := range s.Headers {
			u.variable(h.Env)
		}
		u.variable(s.URLEnv)
	}
	for i := range doc.Agents {
		a := &doc.Agents[i]
		path := "agents[" + a.Name + "]"
		if a.LLM != nil {
			u.llm(path, a.LLM)
		}
		if a.Graph != nil {
			u.graph(path, a.Graph)
		}
	}
	return u
}

func (u *usage) variable(name string) {
	if name != "" {
		u.env[name] = true
	}
}

func (u *usage) tool(name string) {
	if slices.Contains(declarative.HarnessTools(), name) {
		u.harnessTools[name] = true
	}
}

func (u *usage) llm(path string, l *declarative.LLM) {
	u.models = append(u.models, modelUse{name: cmp.Or(l.Model, declarative.DefaultModel), path: path + ".model"})
	for _, t := range l.Tools {
		u.tool(t.Name)
	}
}

func (u *usage) graph(path string, g *declarative.Graph) {
	for _, e := range g.Edges {
		u.edges += len(e.From) * len(e.To)
	}
	for i := range g.Nodes {
		u.node(path+".nodes["+g.Nodes[i].ID+"]", &g.Nodes[i])
	}
}

// node counts a node with those in it; the body of a worker is a part of its node.
func (u *usage) node(path string, n *declarative.Node) {
	u.nodes++
	u.body(path, n.Body)
}

func (u *usage) body(path string, body declarative.Body) {
	switch b := body.(type) {
	case *declarative.LLM:
		u.llm(path, b)
	case *declarative.Tool:
		if b.Server == "" {
			u.tool(b.Tool)
		}
	case *declarative.Subgraph:
		if b.Graph != nil {
			u.graph(path, b.Graph)
		}
	case *declarative.Worker:
		u.body(path+".worker", b.Worker.Body)
	case *declarative.Dynamic:
		for _, child := range b.Children {
			if child.Inline != nil {
				u.node(path+".children["+child.Inline.ID+"]", child.Inline)
			}
		}
	}
}

// modelNames are the names of the models, sorted, each once.
func (u *usage) modelNames() []string {
	var names []string
	for _, m := range u.models {
		names = append(names, m.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
