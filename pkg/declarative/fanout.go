package declarative

import (
	"math/big"
	"slices"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// fanOuts knows which nodes of a graph can be active at once: one outcome of a node fires two of its edges, and each of
// the two nodes lies behind another of them, with no join before it.
type fanOuts struct {
	sources []string // START and the nodes with edges, in the order of the edges
	out     map[string][]fanEdge
}

// fanEdge is an edge with the nodes that lie behind it.
type fanEdge struct {
	graph.Edge
	behind *big.Int // a set of indexes of nodes, one bit each
}

func newFanOuts(g *Graph) *fanOuts {
	f := &fanOuts{out: map[string][]fanEdge{}}
	index := map[string]int{}
	for i, n := range slices.Backward(g.Nodes) { // of several the first counts
		index[n.ID] = i
	}
	edges := g.Spec().Edges
	next := make([][]int, len(g.Nodes))
	for _, e := range edges {
		from, okFrom := index[e.From]
		to, okTo := index[e.To]
		if okFrom && okTo && !isJoin(&g.Nodes[to]) {
			next[from] = append(next[from], to)
		}
	}
	behind := map[int]*big.Int{}
	for _, e := range edges {
		to, ok := index[e.To]
		if !ok || isJoin(&g.Nodes[to]) {
			continue
		}
		if behind[to] == nil {
			behind[to] = reach(next, to)
		}
		if f.out[e.From] == nil {
			f.sources = append(f.sources, e.From)
		}
		f.out[e.From] = append(f.out[e.From], fanEdge{e, behind[to]})
	}
	return f
}

func isJoin(n *Node) bool {
	_, ok := n.Body.(*Join)
	return ok
}

func reach(next [][]int, from int) *big.Int {
	seen := new(big.Int).SetBit(new(big.Int), from, 1)
	for todo := []int{from}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, to := range next[n] {
			if seen.Bit(to) == 0 {
				seen.SetBit(seen, to, 1)
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// together finds two different nodes of a set that can be active at once.
func (f *fanOuts) together(nodes *big.Int) (a, b int, ok bool) {
	for _, source := range f.sources {
		edges := f.out[source]
		always := branches{nodes: nodes}
		for _, e := range edges {
			if len(e.Routes) == 0 && always.add(e.behind) {
				return always.found()
			}
		}
		for _, route := range routesOf(edges) {
			group := always
			if route == graph.Error {
				group = branches{nodes: nodes}
			}
			for _, e := range edges {
				if slices.Contains(e.Routes, route) && group.add(e.behind) {
					return group.found()
				}
			}
		}
	}
	return 0, 0, false
}

func routesOf(edges []fanEdge) []string {
	var all []string
	for _, e := range edges {
		all = append(all, e.Routes...)
	}
	return dedupe(all)
}

// branches collects edges that fire together until two different nodes of a set lie behind two of them.
type branches struct {
	nodes *big.Int
	seen  big.Int // up to two nodes of the set that lie behind the edges so far
	pair  [2]int
}

// add adds what lies behind an edge and reports whether two nodes were found.
func (b *branches) add(behind *big.Int) bool {
	var here big.Int
	firstTwo(here.And(b.nodes, behind))
	for _, n := range members(&here) {
		for _, other := range members(&b.seen) {
			if other != n {
				b.pair = [2]int{min(n, other), max(n, other)}
				return true
			}
		}
	}
	seen := here.Or(&here, &b.seen)
	firstTwo(seen)
	b.seen = *new(big.Int).Set(seen)
	return false
}

// firstTwo leaves in a set its two smallest members; two are enough to find one that differs from a third.
func firstTwo(set *big.Int) {
	all := members(set)
	set.SetInt64(0)
	for _, n := range all {
		set.SetBit(set, n, 1)
	}
}

// members returns the two smallest members of a set.
func members(set *big.Int) []int {
	if set.Sign() == 0 {
		return nil
	}
	first := int(set.TrailingZeroBits())
	rest := new(big.Int).SetBit(set, first, 0)
	if rest.Sign() == 0 {
		return []int{first}
	}
	return []int{first, int(rest.TrailingZeroBits())}
}

func (b *branches) found() (int, int, bool) { return b.pair[0], b.pair[1], true }

// onlyError reports whether an edge fires on failure alone.
func onlyError(e graph.Edge) bool { return slices.Equal(e.Routes, []string{graph.Error}) }
