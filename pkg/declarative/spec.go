package declarative

import (
	"slices"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// Spec is the graph as the engine and its checks see it: one edge for each pair of ends. Nodes that only a dynamic node
// schedules aren't part of it.
func (g *Graph) Spec() graph.Spec {
	spec, _ := g.spec()
	return spec
}

// specOrigin says where the parts of a spec come from.
type specOrigin struct {
	nodes []int // indexes into Graph.Nodes
	edges []edgeOrigin
}

// edgeOrigin is an edge of a graph with the items of its two lists of ends.
type edgeOrigin struct{ edge, from, to int }

func (g *Graph) spec() (s graph.Spec, origin specOrigin) {
	children := g.onlyChildren()
	for i := range g.Nodes {
		if n := &g.Nodes[i]; !children[n.ID] {
			s.Nodes = append(s.Nodes, specNode(n))
			origin.nodes = append(origin.nodes, i)
		}
	}
	for i, e := range g.Edges {
		for f, from := range e.From {
			for t, to := range e.To {
				s.Edges = append(s.Edges, graph.Edge{From: from, To: to, Routes: e.Routes})
				origin.edges = append(origin.edges, edgeOrigin{i, f, t})
			}
		}
	}
	return s, origin
}

// onlyChildren are the nodes that are children of dynamic nodes and have no edge.
func (g *Graph) onlyChildren() map[string]bool {
	children := map[string]bool{}
	for i := range g.Nodes {
		if d, ok := g.Nodes[i].Body.(*Dynamic); ok {
			for _, c := range d.Children {
				children[c.ID] = true
			}
		}
	}
	delete(children, "")
	for _, e := range g.Edges {
		for _, end := range slices.Concat(e.From, e.To) {
			delete(children, end)
		}
	}
	return children
}

func specNode(n *Node) graph.Node {
	out := graph.Node{ID: n.ID, RoutesKnown: true}
	switch b := n.Body.(type) {
	case *Function, *Dynamic, nil:
		out.RoutesKnown = false
	case *Join:
		out.Join = true
	case *HITL:
		if b.OnDeadline != nil && b.OnDeadline.Route != "" {
			out.Routes = []string{b.OnDeadline.Route}
		}
	case *CEL:
		out.RoutesKnown = b.Route.Text() == ""
		seen := map[string]bool{"": true}
		for _, r := range b.Routes {
			if !seen[r.Route] {
				seen[r.Route] = true
				out.Routes = append(out.Routes, r.Route)
			}
			out.AlwaysRoutes = out.AlwaysRoutes || r.When.Text() == "true"
		}
	}
	return out
}
