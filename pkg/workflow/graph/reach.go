package graph

import (
	"fmt"
	"strings"
)

// unreachable reports nodes that no path from START leads to. Of several such nodes in a row only the first is
// reported; the message names the others.
func (c *checker) unreachable() {
	if c.partial || len(c.out[c.start]) == 0 {
		return
	}
	done := c.reach(c.start)
	report := func(n int) {
		var behind []string
		for m, r := 0, c.reach(n); m < c.start; m++ {
			if m != n && r.Has(m) && !done.Has(m) {
				behind = append(behind, c.id(m))
			}
			if r.Has(m) {
				done.Add(m)
			}
		}
		msg := fmt.Sprintf("%q can't be reached: no path leads to it from START", c.id(n))
		if len(behind) > 0 {
			msg += "; the same goes for what follows it: " + strings.Join(behind, ", ")
		}
		c.node(Unreachable, n, msg, "add an edge to it, or remove it")
	}
	for n := range c.spec.Nodes { // the heads first
		if !done.Has(n) && len(c.in[n]) == 0 && c.index[c.id(n)] == n {
			report(n)
		}
	}
	for n := range c.spec.Nodes { // then loops that nothing leads into
		if !done.Has(n) && c.index[c.id(n)] == n {
			report(n)
		}
	}
}

// noEnd reports loops from which no path leads to an end. Loops that were reported for another reason are left out.
func (c *checker) noEnd() {
	if c.partial {
		return
	}
	ends := NewSet(len(c.out))
	var todo []int
	for n := range c.spec.Nodes {
		if c.isEnd(n) {
			ends.Add(n)
			todo = append(todo, n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range c.in[n] {
			if from := c.edges[e].from; !ends.Has(from) {
				ends.Add(from)
				todo = append(todo, from)
			}
		}
	}
	stuck := func(l *link) bool { return !ends.Has(l.from) && !ends.Has(l.to) }
	for _, comp := range c.components(stuck) {
		if c.cyclic(comp, stuck) && !c.anyInCycle(comp) {
			path := c.cycleThrough(comp, stuck, func(*link) bool { return true })
			c.node(NoEnd, c.edges[path[0]].from,
				fmt.Sprintf("the loop %s has no way out: no path leads from it to an end", c.pathText(path)),
				"add an edge from one of its nodes to a node without outgoing edges")
			c.markCycle(comp)
		}
	}
}
