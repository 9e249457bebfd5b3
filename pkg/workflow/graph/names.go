package graph

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reservedRunes separate the parts of activation paths and of the journal's arrivals ("outer@2/inner@1~2",
// "join<source").
const reservedRunes = "@/~.<"

// CheckName says why id can't be the id of a node, or returns "".
func CheckName(id string) string {
	switch id {
	case "":
		return "it is empty"
	case Start:
		return "it is the entry of every graph"
	case Default, Error:
		return "it is a route"
	}
	if !utf8.ValidString(id) {
		return "it isn't valid UTF-8"
	}
	for _, r := range id {
		if strings.ContainsRune(reservedRunes, r) {
			return fmt.Sprintf("%q separates the parts of activation paths", r)
		}
		if unicode.IsControl(r) {
			return fmt.Sprintf("%q is a control character", r)
		}
	}
	return ""
}

func (c *checker) names() {
	for i, n := range c.spec.Nodes {
		if why := CheckName(n.ID); why != "" {
			c.node(BadName, i, fmt.Sprintf("%q can't be a node id: %s", n.ID, why), `use letters, digits, "_" and "-"`)
		}
	}
	for i, n := range c.spec.Nodes {
		if first := c.index[n.ID]; first < i {
			c.node(DuplicateName, i, fmt.Sprintf("%q is the id of two nodes; ids are unique in a workflow", n.ID), "")
		}
	}
}

// ends reports edge ends that are no node. The allowed set is listed when it is short enough to read.
func (c *checker) ends() {
	for i, e := range c.spec.Edges {
		for _, end := range []string{e.From, e.To} {
			if _, ok := c.index[end]; ok {
				continue
			}
			msg := fmt.Sprintf("%q in the edge %s is no node of this workflow", end, c.arrow(i))
			hint := ""
			switch {
			case end == Default || end == Error:
				hint = end + " is a route: write it as the edge's route"
			case len(c.spec.Nodes) <= 8:
				msg += "; its nodes: " + c.idList()
			}
			c.edge(UnknownReference, i, msg, hint)
			if e.From == e.To {
				break
			}
		}
	}
}

func (c *checker) idList() string {
	if len(c.spec.Nodes) == 0 {
		return "none"
	}
	ids := make([]string, len(c.spec.Nodes))
	for i, n := range c.spec.Nodes {
		ids[i] = n.ID
	}
	return strings.Join(ids, ", ")
}

// arrow is how messages name an edge.
func (c *checker) arrow(edge int) string {
	e := c.spec.Edges[edge]
	return e.From + " -> " + e.To
}
