package graph

import (
	"fmt"
	"slices"
)

// unusedRoutes reports, where the routes of a node are known, edges that nothing fires and routes that nothing takes.
func (c *checker) unusedRoutes() {
	for n := range c.out {
		routes, known := c.routesOf(n)
		if n != c.start {
			for _, e := range c.out[n] {
				c.neverFires(n, &c.edges[e], routes, known)
			}
		}
		if !known || c.hasFallback(n) || c.partial {
			continue
		}
		for _, r := range routes {
			if !c.takes(n, r) {
				msg := fmt.Sprintf("%q produces the route %q, but none of its edges takes it", c.id(n), r)
				c.warnNode(UnusedRoute, n, msg, "add an edge with this route, or a DEFAULT edge")
			}
		}
	}
}

func (c *checker) neverFires(n int, l *link, routes []string, known bool) {
	for _, r := range l.routes {
		if known && !slices.Contains(routes, r) {
			msg := fmt.Sprintf("the edge %s waits for the route %q, which %q never produces", c.arrow(l.spec), r, c.id(n))
			if 0 < len(routes) && len(routes) <= 8 {
				msg += "; it produces " + quoted(routes)
			}
			c.warnEdge(UnusedRoute, l.spec, msg, "")
		}
	}
	if l.fallback && c.allTaken(n) {
		c.warnEdge(UnusedRoute, l.spec,
			fmt.Sprintf("the DEFAULT edge %s never fires: %q always produces a route that another edge takes",
				c.arrow(l.spec), c.id(n)), "")
	}
	if l.failure && c.isJoin(n) {
		c.warnEdge(UnusedRoute, l.spec,
			fmt.Sprintf("the ERROR edge %s never fires: a join can't fail", c.arrow(l.spec)), "")
	}
}

// noDefault reports nodes after which a branch may end in silence: only routes lead on, and they may all miss.
func (c *checker) noDefault() {
	for n := range c.spec.Nodes {
		routed := false
		covered := c.allTaken(n)
		for _, e := range c.out[n] {
			l := &c.edges[e]
			routed = routed || len(l.routes) > 0
			covered = covered || l.always || l.fallback
		}
		if routed && !covered {
			msg := fmt.Sprintf("%q has no DEFAULT edge: when no route matches, the branch ends there without an output",
				c.id(n))
			c.warnNode(NoDefault, n, msg, "add an edge with the route DEFAULT")
		}
	}
}

// allTaken says that a node produces a route on every success and that each of them is taken by an edge of its own.
func (c *checker) allTaken(n int) bool {
	if n == c.start || c.isJoin(n) || !c.spec.Nodes[n].RoutesKnown || !c.spec.Nodes[n].AlwaysRoutes {
		return false
	}
	return !slices.ContainsFunc(c.spec.Nodes[n].Routes, func(r string) bool { return !c.takes(n, r) })
}

func (c *checker) takes(n int, route string) bool {
	return slices.ContainsFunc(c.out[n], func(e int) bool { return slices.Contains(c.edges[e].routes, route) })
}

func (c *checker) hasFallback(n int) bool {
	return slices.ContainsFunc(c.out[n], func(e int) bool { return c.edges[e].fallback })
}

func (c *checker) pointlessJoins() {
	for n := range c.spec.Nodes {
		if c.isJoin(n) && len(c.in[n]) == 1 && !c.partial {
			msg := fmt.Sprintf("the join %q has one incoming edge, so there is nothing to join", c.id(n))
			c.warnNode(PointlessJoin, n, msg, "remove it, or lead the other branches to it")
		}
	}
}
