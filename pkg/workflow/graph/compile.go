package graph

import "slices"

// Graph is a checked graph with everything precomputed that an engine asks for at each step. Nodes are known by their
// index in the spec; START has the index [Graph.Start]. A Graph is immutable; its slices must not be changed.
type Graph struct {
	nodes     []Node
	index     map[string]int
	out       [][]Out
	sources   [][]int
	upstream  []Set
	terminals []int
}

// Out is an edge as its source sees it.
type Out struct {
	To int
	// Slot is the position of this edge among the edges into To, in declaration order.
	Slot int
	// Routes are the concrete routes that fire the edge.
	Routes []string
	// Always fires on every success, Fallback (DEFAULT) when no concrete edge of the node fired, Failure (ERROR) when
	// the node failed. Fallback and Failure may stand beside Routes.
	Always, Fallback, Failure bool
}

// Compile checks s and precomputes its adjacency. The graph is nil when a problem is an error.
func Compile(s Spec) (*Graph, []Problem) {
	problems := Check(s)
	if slices.ContainsFunc(problems, func(p Problem) bool { return !p.Warning }) {
		return nil, problems
	}
	v := newView(s)
	g := &Graph{nodes: slices.Clone(s.Nodes), index: v.index, out: make([][]Out, len(v.out)),
		sources: make([][]int, len(s.Nodes)), upstream: make([]Set, len(s.Nodes))}
	for i := range v.edges {
		l := &v.edges[i]
		g.out[l.from] = append(g.out[l.from], Out{To: l.to, Slot: len(g.sources[l.to]), Routes: l.routes,
			Always: l.always, Fallback: l.fallback, Failure: l.failure})
		g.sources[l.to] = append(g.sources[l.to], l.from)
	}
	for n := range s.Nodes {
		if v.isEnd(n) {
			g.terminals = append(g.terminals, n)
		}
		if v.isJoin(n) {
			g.upstream[n] = v.upstreamOf(n)
		}
	}
	return g, problems
}

// upstreamOf returns the nodes with a path of at least one edge to n.
func (v *view) upstreamOf(n int) Set {
	seen := NewSet(len(v.out))
	for todo := []int{n}; len(todo) > 0; {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range v.in[m] {
			if from := v.edges[e].from; !seen.Has(from) {
				seen.Add(from)
				todo = append(todo, from)
			}
		}
	}
	return seen
}

// Len is the number of nodes, START not counted.
func (g *Graph) Len() int { return len(g.nodes) }

// Start is the index that stands for START as the source of edges.
func (g *Graph) Start() int { return len(g.nodes) }

// Node returns a node of the spec.
func (g *Graph) Node(i int) Node { return g.nodes[i] }

// ID returns the id of a node, START included.
func (g *Graph) ID(i int) string {
	if i == len(g.nodes) {
		return Start
	}
	return g.nodes[i].ID
}

// Index finds a node by its id; START is found, too.
func (g *Graph) Index(id string) (int, bool) {
	i, ok := g.index[id]
	return i, ok
}

// Out returns the edges that leave a node or START, in declaration order.
func (g *Graph) Out(i int) []Out { return g.out[i] }

// Sources returns where the edges into a node come from; the position is the [Out.Slot].
func (g *Graph) Sources(i int) []int { return g.sources[i] }

// Upstream returns, for a join, the nodes with a path of at least one edge to it, routes ignored. It holds the join
// itself exactly when that lies on a cycle. For other nodes it is empty.
func (g *Graph) Upstream(join int) Set { return g.upstream[join] }

// Terminals returns the nodes whose output may be the graph's: those without an edge that fires on success.
func (g *Graph) Terminals() []int { return g.terminals }
