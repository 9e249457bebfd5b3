package declarative

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// doubtful reports whether a rule says nothing useful about a graph of which a part is unreadable.
func doubtful(rule graph.Rule) bool {
	return slices.Contains([]graph.Rule{graph.NoStart, graph.Unreachable, graph.NoEnd, graph.UnusedRoute, graph.NoDefault,
		graph.PointlessJoin, graph.FanInBeforeJoin, graph.SeveralOutputs}, rule)
}

// graphChecker is one graph under validation.
type graphChecker struct {
	*validator
	g      *graphSite
	spec   graph.Spec
	origin specOrigin
	nodes  map[string]*Node // by id, the first of each
	ids    []string
	out    map[string][]graph.Edge // by the id of the node that they leave
}

// graph applies the checks of graphs to one of them, and ours of what nodes are to their neighbours.
func (v *validator) graph(g *graphSite) {
	c := graphChecker{validator: v, g: g, nodes: map[string]*Node{}, out: map[string][]graph.Edge{}}
	c.spec, c.origin = g.graph.spec()
	for i := range g.graph.Nodes {
		n := &g.graph.Nodes[i]
		if c.nodes[n.ID] == nil {
			c.nodes[n.ID] = n
			c.ids = append(c.ids, n.ID)
		}
	}
	for _, e := range c.spec.Edges {
		c.out[e.From] = append(c.out[e.From], e)
	}
	c.shape()
	c.ownName()
	c.chatNodes()
	c.schemaEnds()
	c.userText()
	c.routeFromText()
}

// shape reports what the checks that the engine shares find.
func (c *graphChecker) shape() {
	broken, unrouted := c.unreadable(), c.unrouted()
	for _, p := range graph.Check(c.spec) {
		switch {
		case broken && doubtful(p.Rule), unrouted && routeless(p.Rule), c.nodes[""] != nil && p.Rule == graph.UnknownReference:
		case p.Node >= 0 && c.spec.Nodes[p.Node].ID == "": // reported as missing
		default:
			at, hint := c.problemPlace(p), p.Hint
			if p.Rule == graph.UnknownReference && hint == "" && !c.report.Full() {
				hint = c.endHint(at.Node().Text())
			}
			c.report.Value(at, diag.Code(p.Rule), p.Message, hint)
		}
	}
}

// routeless reports whether a rule is about edges without routes.
func routeless(rule graph.Rule) bool {
	return slices.Contains([]graph.Rule{graph.UnconditionalCycle, graph.DefaultCycle, graph.DuplicateEdge}, rule)
}

// unrouted reports whether the loader couldn't read the route of an edge, which has none now.
func (c *graphChecker) unrouted() bool {
	return slices.ContainsFunc(c.g.at.Field("edges").Items(), func(e source.Place) bool { return c.report.BrokenBelow(e.Field("route")) })
}

// endHint says what was meant by an end of an edge that no node has.
func (c *graphChecker) endHint(end string) string {
	if strings.EqualFold(end, "end") {
		return "a node that no edge leaves is an end; remove this edge"
	}
	return diag.DidYouMean(end, append(slices.Clone(c.ids), graph.Start))
}

// unreadable reports whether the loader found errors that leave the shape of the graph unclear.
func (c *graphChecker) unreadable() bool {
	nodes, edges := c.g.at.Field("nodes"), c.g.at.Field("edges")
	if !edges.Exists() || c.report.Broken(nodes) || c.report.BrokenBelow(edges) || len(c.spec.Nodes) == 0 {
		return true
	}
	for i := range c.g.graph.Nodes {
		p := nodes.Item(i)
		if c.report.Broken(p) || c.report.Broken(p.Field("id")) || c.report.BrokenBelow(p.Field("routes")) || c.report.Broken(p.Field("type")) {
			return true
		}
	}
	return false
}

// problemPlace is where a finding about a spec stands in the document.
func (c *graphChecker) problemPlace(p graph.Problem) source.Place {
	switch {
	case p.Node >= 0:
		return c.g.at.Field("nodes").Item(c.origin.nodes[p.Node]).Field("id")
	case p.Edge < 0:
		return c.g.at.Field("edges")
	}
	o := c.origin.edges[p.Edge]
	edge := c.g.at.Field("edges").Item(o.edge)
	from, to := endPlace(edge.Field("from"), o.from), endPlace(edge.Field("to"), o.to)
	switch p.Rule {
	case graph.EdgeToStart:
		return to
	case graph.StartRoute, graph.SeveralDefaults, graph.UnusedRoute:
		return edge.Field("route")
	case graph.UnknownReference: // of two unknown ends the first is reported first
		known := c.nodes[c.spec.Edges[p.Edge].From] != nil || c.spec.Edges[p.Edge].From == graph.Start
		if known || c.report.Broken(from) && c.nodes[c.spec.Edges[p.Edge].To] == nil {
			return to
		}
		return from
	default:
		return edge
	}
}

// endPlace is the place of one end of an edge, which may be a list of them.
func endPlace(p source.Place, i int) source.Place {
	if p.Node().Kind() == source.List {
		return p.Item(i)
	}
	return p
}

// ownName reports a nested workflow with the name of the one around it: in paths and logs they look the same.
func (c *graphChecker) ownName() {
	if c.g.owner != nil {
		return
	}
	for i, n := range c.g.graph.Nodes {
		if _, nested := n.Body.(*Subgraph); nested && n.ID == c.doc.Agents[c.g.agent].Name {
			c.report.Value(c.g.at.Field("nodes").Item(i).Field("id"), diag.DuplicateName,
				fmt.Sprintf("%q is the name of the Workflow that this workflow node is part of", n.ID), "")
		}
	}
}

// chatNodes reports LLMs in chat mode that aren't directly after START.
func (c *graphChecker) chatNodes() {
	for i := range c.g.graph.Nodes {
		n := &c.g.graph.Nodes[i]
		p := c.g.at.Field("nodes").Item(i)
		for _, e := range c.spec.Edges {
			if e.To == n.ID && e.From != graph.Start {
				c.chat(n, p, fmt.Sprintf("%q comes after %q", n.ID, e.From))
				break
			}
		}
	}
}

// chat reports a node that is in chat mode where it can't be; why says what is wrong with the place.
func (v *validator) chat(n *Node, at source.Place, why string) {
	const message = "an LLM in chat mode stands directly after START, as it talks with the user; "
	switch b := n.Body.(type) {
	case *LLM:
		if b.Mode == ModeChat {
			v.report.Value(at.Field("mode"), diag.ChatAfterStart, message+why, "use single_turn")
		}
	case *AgentRef:
		if i, ok := v.agents[b.Agent]; ok && v.doc.Agents[i].LLM != nil && v.doc.Agents[i].LLM.Mode == ModeChat {
			v.report.Value(at.Field("agent"), diag.ChatAfterStart, message+why, fmt.Sprintf("leave mode out of %q", b.Agent))
		}
	}
}

// schemaEnds reports edges from a node that promises one schema to a node that wants another.
func (c *graphChecker) schemaEnds() {
	for i, e := range c.spec.Edges {
		from, to := c.nodes[e.From], c.nodes[e.To]
		if from == nil || to == nil || from.OutputSchema == nil || to.InputSchema == nil || to.Input.Text() != "" {
			continue
		}
		if _, join := to.Body.(*Join); join || onlyError(e) {
			continue
		}
		if !reflect.DeepEqual(from.OutputSchema, to.InputSchema) {
			c.report.Value(c.g.at.Field("edges").Item(c.origin.edges[i].edge), diag.SchemaMismatch,
				fmt.Sprintf("%q promises another output_schema than the input_schema that %q wants", e.From, e.To),
				fmt.Sprintf("make them equal, or shape the value with input on %q", e.To))
		}
	}
}

// passesThrough reports whether a node hands on what arrives as it is.
func passesThrough(n *Node) bool {
	b, ok := n.Body.(*CEL)
	return ok && b.Output.Text() == "" && n.Input.Text() == ""
}

// userText warns of tool nodes that take what START brings as their arguments.
func (c *graphChecker) userText() {
	reached := c.reachUnchanged(graph.Start)
	for i, n := range c.g.graph.Nodes {
		b, ok := n.Body.(*Tool)
		if !ok || b.Tool == "" || b.HasArgs || n.Input.Text() != "" || !reached[n.ID] {
			continue
		}
		c.report.Value(c.g.at.Field("nodes").Item(i).Field("tool"), diag.ImplicitToolArgs,
			fmt.Sprintf("%q takes what arrives at START as the arguments of %q", n.ID, b.Tool), "say what it takes: args: { name: input }")
	}
}

// reachUnchanged returns the ids of the nodes that the output of a node reaches as it is.
func (c *graphChecker) reachUnchanged(from string) map[string]bool {
	seen := map[string]bool{}
	for todo := []string{from}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range c.out[id] {
			if seen[e.To] || c.nodes[e.To] == nil || onlyError(e) {
				continue
			}
			seen[e.To] = true
			if passesThrough(c.nodes[e.To]) {
				todo = append(todo, e.To)
			}
		}
	}
	return seen
}

// routeFromText warns of routes that are the bare text of a model.
func (c *graphChecker) routeFromText() {
	fed := map[string]string{} // node by the LLM whose text it gets
	for _, id := range c.ids {
		if c.givesText(c.nodes[id]) {
			for reached := range c.reachUnchanged(id) {
				fed[reached] = id
			}
		}
	}
	for i := range c.g.graph.Nodes {
		n := &c.g.graph.Nodes[i]
		b, ok := n.Body.(*CEL)
		if !ok || c.hasDefault(n.ID) {
			continue
		}
		llm := c.stateText(b.Route.Text())
		if b.Route.Text() == "input" && n.Input.Text() == "" {
			llm = fed[n.ID]
		}
		if llm != "" {
			c.report.Value(c.g.at.Field("nodes").Item(i).Field("route"), diag.RouteFromText,
				fmt.Sprintf("the route is whatever %q writes, and %q has no DEFAULT edge for the rest", llm, n.ID),
				"add an edge with the route DEFAULT, or test the text with routes")
		}
	}
}

// givesText reports whether the output of a node is the free text of a model.
func (c *graphChecker) givesText(n *Node) bool {
	switch b := n.Body.(type) {
	case *LLM:
		return n.OutputSchema == nil
	case *AgentRef:
		i, ok := c.agents[b.Agent]
		return ok && c.doc.Agents[i].LLM != nil && c.doc.Agents[i].LLM.OutputSchema == nil
	}
	return false
}

// stateText returns the LLM whose text an expression reads from the state, if it does nothing else.
func (v *validator) stateText(text string) string {
	for _, x := range v.llms {
		key := x.llm.OutputKey
		if key != "" && x.outputSchema() == nil && slices.Contains([]string{"state." + key, "state['" + key + "']", `state["` + key + `"]`}, text) {
			return v.llmName(x)
		}
	}
	return ""
}

func (c *graphChecker) hasDefault(id string) bool {
	return slices.ContainsFunc(c.out[id], func(e graph.Edge) bool { return slices.Contains(e.Routes, graph.Default) })
}
