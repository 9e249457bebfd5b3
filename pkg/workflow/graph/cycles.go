package graph

import (
	"fmt"
	"slices"
	"strings"
)

// unconditionalCycles reports cycles of edges that fire on every success: whatever other edges leave them, they never
// end.
func (c *checker) unconditionalCycles() {
	keep := func(l *link) bool { return l.always }
	for _, comp := range c.components(keep) {
		if !c.cyclic(comp, keep) {
			continue
		}
		path := c.cycleThrough(comp, keep, func(*link) bool { return true })
		c.node(UnconditionalCycle, c.edges[path[0]].from, "cycle with no condition: "+c.pathText(path),
			"give one of these edges a route")
		c.markCycle(comp)
	}
}

// defaultCycles reports cycles that DEFAULT edges close although no route of their nodes can ever prevent it.
func (c *checker) defaultCycles() {
	keep := func(l *link) bool { return l.always || c.alwaysFallsBack(l) }
	for _, comp := range c.components(keep) {
		path := c.cycleThrough(comp, keep, func(l *link) bool { return !l.always })
		if path == nil {
			continue
		}
		c.node(DefaultCycle, c.edges[path[0]].from,
			fmt.Sprintf("cycle that never ends: %s; no route leads out of it where it follows DEFAULT", c.pathText(path)),
			"add an edge with a route that leaves the cycle")
		c.markCycle(comp)
	}
}

// alwaysFallsBack says that a DEFAULT edge fires on every success: no other edge of its node can fire by a route.
func (c *checker) alwaysFallsBack(l *link) bool {
	if !l.fallback {
		return false
	}
	routes, known := c.routesOf(l.from)
	for _, e := range c.out[l.from] {
		other := &c.edges[e]
		if other == l {
			continue
		}
		for _, r := range other.routes {
			if !known || slices.Contains(routes, r) {
				return false
			}
		}
	}
	return true
}

// components returns the strongly connected components of the kept edges, each in declaration order, ordered by their
// earliest node (Tarjan).
func (c *checker) components(keep func(*link) bool) [][]int {
	t := tarjan{checker: c, keep: keep, order: make([]int, len(c.out)), low: make([]int, len(c.out)),
		onStack: make([]bool, len(c.out))}
	for n := range c.spec.Nodes {
		if t.order[n] == 0 {
			t.visit(n)
		}
	}
	for _, comp := range t.found {
		slices.Sort(comp)
	}
	slices.SortFunc(t.found, func(a, b []int) int { return a[0] - b[0] })
	return t.found
}

type tarjan struct {
	*checker
	keep       func(*link) bool
	clock      int
	order, low []int
	stack      []int
	onStack    []bool
	found      [][]int
}

func (t *tarjan) visit(n int) {
	t.clock++
	t.order[n], t.low[n] = t.clock, t.clock
	t.stack = append(t.stack, n)
	t.onStack[n] = true
	for _, e := range t.out[n] {
		l := &t.edges[e]
		switch {
		case !t.keep(l):
		case t.order[l.to] == 0:
			t.visit(l.to)
			t.low[n] = min(t.low[n], t.low[l.to])
		case t.onStack[l.to]:
			t.low[n] = min(t.low[n], t.order[l.to])
		}
	}
	if t.low[n] != t.order[n] {
		return
	}
	at := slices.Index(t.stack, n)
	comp := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, m := range comp {
		t.onStack[m] = false
	}
	t.found = append(t.found, comp)
}

// cyclic says that a component holds a cycle: several nodes, or one with an edge to itself.
func (c *checker) cyclic(comp []int, keep func(*link) bool) bool {
	return len(comp) > 1 || slices.ContainsFunc(c.out[comp[0]], func(e int) bool {
		l := &c.edges[e]
		return l.to == comp[0] && keep(l)
	})
}

// cycleThrough returns the edges of a shortest cycle within comp that uses a wanted edge, turned so that it begins at
// its earliest node; nil when there is none.
func (c *checker) cycleThrough(comp []int, keep, wanted func(*link) bool) []int {
	for _, n := range comp {
		for _, e := range c.out[n] {
			l := &c.edges[e]
			if !keep(l) || !wanted(l) || !slices.Contains(comp, l.to) {
				continue
			}
			cycle := append([]int{e}, c.shortest(l.to, n, comp, keep)...)
			return c.turned(cycle)
		}
	}
	return nil
}

// shortest returns the edges of a shortest path within comp, breadth first in declaration order; none when from is to.
func (c *checker) shortest(from, to int, comp []int, keep func(*link) bool) []int {
	came := map[int]int{from: -1}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == to {
			break
		}
		for _, e := range c.out[todo[0]] {
			l := &c.edges[e]
			if _, seen := came[l.to]; !seen && keep(l) && slices.Contains(comp, l.to) {
				came[l.to] = e
				todo = append(todo, l.to)
			}
		}
	}
	var path []int
	for n := to; came[n] >= 0; n = c.edges[came[n]].from {
		path = append(path, came[n])
	}
	slices.Reverse(path)
	return path
}

func (c *checker) turned(cycle []int) []int {
	first := 0
	for i, e := range cycle {
		if c.edges[e].from < c.edges[cycle[first]].from {
			first = i
		}
	}
	return append(slices.Clone(cycle[first:]), cycle[:first]...)
}

// pathText prints a cycle as the nodes on it, the first one again at its end.
func (c *checker) pathText(path []int) string {
	var b strings.Builder
	for _, e := range path {
		b.WriteString(c.id(c.edges[e].from))
		b.WriteString(" -> ")
	}
	b.WriteString(c.id(c.edges[path[0]].from))
	return b.String()
}

func (c *checker) markCycle(comp []int) {
	for _, n := range comp {
		c.inCycle[n] = true
	}
}

func (c *checker) anyInCycle(comp []int) bool {
	return slices.ContainsFunc(comp, func(n int) bool { return c.inCycle[n] })
}
