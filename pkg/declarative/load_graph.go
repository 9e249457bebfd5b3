package declarative

import (
	"fmt"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// graph reads the nodes and edges of a Workflow agent or a workflow node.
func (l *loader) graph(o source.Object, noun string) *Graph {
	g := &Graph{MaxConcurrency: int(o.Int("max_concurrency", 1))}
	nodes := o.List("nodes", "a list of nodes")
	l.size(o.Field("nodes"), len(nodes), MaxNodes, "nodes", noun)
	if p := o.Field("nodes"); p.Node().Kind() == source.List && len(nodes) == 0 {
		l.report.Value(p, diag.MissingField, `"nodes" is empty; a workflow has at least one node`, "")
	}
	for _, p := range nodes {
		g.Nodes = append(g.Nodes, l.node(p))
	}
	pairs, routes := 0, 0
	for _, p := range o.List("edges", "a list of edges") {
		e := l.edge(p)
		pairs += len(e.From) * len(e.To)
		routes += len(e.From) * len(e.To) * len(e.Routes)
		g.Edges = append(g.Edges, e)
	}
	l.size(o.Field("edges"), pairs, MaxEdges, "edges", noun)
	l.size(o.Field("edges"), routes, MaxRoutes, "routes on edges", noun)
	return g
}

func (l *loader) edge(p source.Place) (e Edge) {
	const noun = "an edge"
	o, ok := l.object(p, fields.Edge, func(field string) string {
		if field == "when" || field == "condition" || field == "if" {
			return "an edge waits for a route; the node that it leaves gives one, for instance a cel node with routes"
		}
		return ""
	})
	if !ok || !o.Require(noun, "from", "to") {
		return e
	}
	e.From, e.To = l.ends(o, "from"), l.ends(o, "to")
	if route := o.Field("route"); route.Exists() {
		e.Routes = l.routes(route)
	}
	return e
}

// ends reads the id of a node or a list of them.
func (l *loader) ends(o source.Object, field string) []string {
	p := o.Field(field)
	if p.Node().Kind() == source.List {
		all := l.unique(o, field)
		if len(p.Items()) == 0 {
			l.report.Value(p, diag.MissingField, fmt.Sprintf("%q is empty; expected the id of a node, or several", field), "")
		}
		return all
	}
	id := l.report.Text(p, "the id of a node or a list of them")
	if id == "" {
		l.report.Value(p, diag.MissingField, fmt.Sprintf("%q is empty; expected the id of a node", field), "")
		return nil
	}
	return []string{id}
}

// routes reads a route or a list of them.
func (l *loader) routes(p source.Place) []string {
	if p.Node().Kind() != source.List {
		if text, ok := l.route(p); ok {
			return []string{text}
		}
		return nil
	}
	var all []string
	seen := map[string]bool{}
	for _, item := range p.Items() {
		text, ok := l.route(item)
		if seen[text] && ok {
			l.report.Value(item, diag.DuplicateName, fmt.Sprintf("the route %q stands twice on this edge", text), "remove one of them")
			continue
		}
		if seen[text] = true; ok {
			all = append(all, text)
		}
	}
	if len(p.Items()) == 0 {
		l.report.Value(p, diag.BadValue, `"route" is an empty list`, "leave it out for an unconditional edge")
	}
	return all
}
