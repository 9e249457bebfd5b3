package graph

import "slices"

// view is a spec with its names resolved. START has the index after the last node, so that it can be the source of
// edges like any node. Edges with an unknown end, to START, or with the ends of an earlier edge are left out.
type view struct {
	spec  Spec
	start int
	index map[string]int
	edges []link
	out   [][]int // by node: indexes into edges, in declaration order
	in    [][]int
	// partial says that an edge was left out because an end is unknown: what can be reached is not known then.
	partial bool
}

// link is an edge with resolved ends.
type link struct {
	spec     int // index into Spec.Edges
	from, to int
	routes   []string // the concrete ones
	// always fires on every success, fallback when no concrete edge fired, failure when the node failed.
	always, fallback, failure bool
}

func newView(s Spec) *view {
	v := &view{spec: s, start: len(s.Nodes), index: make(map[string]int, len(s.Nodes)+1)}
	v.index[Start] = v.start
	for i, n := range s.Nodes {
		if _, taken := v.index[n.ID]; !taken {
			v.index[n.ID] = i
		}
	}
	v.out = make([][]int, len(s.Nodes)+1)
	v.in = make([][]int, len(s.Nodes)+1)
	seen := make(map[[2]int]bool, len(s.Edges))
	for i, e := range s.Edges {
		from, okFrom := v.index[e.From]
		to, okTo := v.index[e.To]
		if !okFrom || !okTo {
			v.partial = true
			continue
		}
		ends := [2]int{from, to}
		if to == v.start || seen[ends] {
			continue
		}
		seen[ends] = true
		v.out[from] = append(v.out[from], len(v.edges))
		v.in[to] = append(v.in[to], len(v.edges))
		v.edges = append(v.edges, newLink(i, from, to, e.Routes))
	}
	return v
}

func newLink(spec, from, to int, routes []string) link {
	l := link{spec: spec, from: from, to: to, always: len(routes) == 0}
	for _, r := range routes {
		switch r {
		case Default:
			l.fallback = true
		case Error:
			l.failure = true
		default:
			l.routes = append(l.routes, r)
		}
	}
	return l
}

// onSuccess says that the edge can fire when its node succeeds.
func (l *link) onSuccess() bool { return l.always || l.fallback || len(l.routes) > 0 }

func (v *view) id(node int) string {
	if node == v.start {
		return Start
	}
	return v.spec.Nodes[node].ID
}

func (v *view) isJoin(node int) bool { return node != v.start && v.spec.Nodes[node].Join }

// isEnd says that the node has no edge that could fire on success.
func (v *view) isEnd(node int) bool {
	return node != v.start && !slices.ContainsFunc(v.out[node], func(e int) bool { return v.edges[e].onSuccess() })
}

// routesOf returns the routes that a node can produce, and whether they are known. START and joins never route.
func (v *view) routesOf(node int) (routes []string, known bool) {
	if node == v.start || v.isJoin(node) {
		return nil, true
	}
	n := v.spec.Nodes[node]
	return n.Routes, n.RoutesKnown
}

// reach returns the nodes that can be reached from the given ones, themselves included.
func (v *view) reach(from ...int) Set {
	seen := NewSet(len(v.out))
	for _, n := range from {
		seen.Add(n)
	}
	for todo := slices.Clone(from); len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range v.out[n] {
			if to := v.edges[e].to; !seen.Has(to) {
				seen.Add(to)
				todo = append(todo, to)
			}
		}
	}
	return seen
}
