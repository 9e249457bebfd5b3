package graph

import (
	"fmt"
	"strings"
)

// startEdges reports a graph without an entry, edges to START, and edges from START that wait for a route: START
// produces none and never fails.
func (c *checker) startEdges() {
	if len(c.out[c.start]) == 0 && !c.partial {
		c.node(NoStart, -1, "no edge leaves START, so nothing would ever run",
			"add an edge from START to the first node")
	}
	for i, e := range c.spec.Edges {
		if e.To == Start {
			c.edge(EdgeToStart, i, fmt.Sprintf("the edge %s points to START, which is only an entry", c.arrow(i)),
				"to loop, point the edge at the node that starts the lap")
		}
	}
	for _, e := range c.out[c.start] {
		l := &c.edges[e]
		if routes := c.spec.Edges[l.spec].Routes; !l.always && !l.fallback {
			msg := fmt.Sprintf("the edge %s waits for %s, but START produces no route and never fails",
				c.arrow(l.spec), quoted(routes))
			c.edge(StartRoute, l.spec, msg, "remove the route")
		}
	}
}

func (c *checker) duplicateEdges() {
	first := make(map[[2]string]bool, len(c.spec.Edges))
	for i, e := range c.spec.Edges {
		ends := [2]string{e.From, e.To}
		if first[ends] {
			c.edge(DuplicateEdge, i, fmt.Sprintf("the edge %s stands twice", c.arrow(i)),
				"write one edge with a list of routes")
		}
		first[ends] = true
	}
}

func (c *checker) severalDefaults() {
	for n := range c.out {
		var first *link
		for _, e := range c.out[n] {
			l := &c.edges[e]
			switch {
			case !l.fallback:
			case first == nil:
				first = l
			default:
				c.edge(SeveralDefaults, l.spec, fmt.Sprintf("%q already has a DEFAULT edge, to %q; a node may have one",
					c.id(n), c.id(first.to)), "to fan out, lead DEFAULT to one node with several unconditional edges")
			}
		}
	}
}

// quoted lists texts for a message.
func quoted(texts []string) string {
	q := make([]string, len(texts))
	for i, t := range texts {
		q[i] = fmt.Sprintf("%q", t)
	}
	return strings.Join(q, ", ")
}
