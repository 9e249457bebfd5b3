package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

func TestCompile(t *testing.T) {
	g, problems := graph.Compile(parse("START -> a -[x,DEFAULT]-> J; START -> b -> J; a -[ERROR]-> c; J -> d"))
	if g == nil {
		t.Fatal(problems)
	}
	a, _ := g.Index("a")
	j, _ := g.Index("J")
	c, _ := g.Index("c")
	want := []graph.Out{{To: j, Slot: 0, Routes: []string{"x"}, Fallback: true}, {To: c, Failure: true}}
	if diff := cmp.Diff(want, g.Out(a)); diff != "" {
		t.Errorf("edges of a: %s", diff)
	}
	if start := g.Out(g.Start()); len(start) != 2 || !start[0].Always || start[0].To != a {
		t.Errorf("edges of START: %v", start)
	}
	var sources, terminals []string
	for _, s := range g.Sources(j) {
		sources = append(sources, g.ID(s))
	}
	for _, n := range g.Terminals() {
		terminals = append(terminals, g.Node(n).ID)
	}
	if !slices.Equal(sources, []string{"a", "b"}) || !slices.Equal(terminals, []string{"c", "d"}) {
		t.Errorf("sources of J %v, terminals %v", sources, terminals)
	}
	if g.Len() != 5 || g.ID(g.Start()) != "START" {
		t.Errorf("%d nodes, START is %s", g.Len(), g.ID(g.Start()))
	}
}

func TestCompile_refuses_errors_and_passes_warnings(t *testing.T) {
	if g, problems := graph.Compile(parse("START -> a -> a")); g != nil || len(problems) == 0 {
		t.Errorf("compiled a graph with %v", problems)
	}
	if g, problems := graph.Compile(parse("START -> a -> J -> b")); g == nil || len(problems) != 1 {
		t.Errorf("did not compile a graph with %v", problems)
	}
}

// drawSpec draws a graph with all kinds of mistakes.
func drawSpec(t *rapid.T) graph.Spec {
	var s graph.Spec
	ids := []string{"a", "b", "c", "d", "e", "f", "g"}
	n := rapid.IntRange(0, len(ids)).Draw(t, "nodes")
	for _, id := range ids[:n] {
		s.Nodes = append(s.Nodes, graph.Node{ID: id, Join: rapid.Bool().Draw(t, "join"), RoutesKnown: rapid.Bool().Draw(t, "known"),
			Routes: rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y"}), 0, 2).Draw(t, "routes"), AlwaysRoutes: rapid.Bool().Draw(t, "always")})
	}
	if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
		s.Nodes = append(s.Nodes, graph.Node{ID: rapid.SampledFrom([]string{"a", "", "START", "x@y"}).Draw(t, "id")})
	}
	ends := append(slices.Clone(ids[:n]), "START")
	if rapid.IntRange(0, 4).Draw(t, "typo") == 0 {
		ends = append(ends, "typo")
	}
	routes := rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", "DEFAULT", "ERROR"}), 0, 2)
	for range rapid.IntRange(0, 14).Draw(t, "edges") {
		s.Edges = append(s.Edges, graph.Edge{From: rapid.SampledFrom(ends).Draw(t, "from"),
			To: rapid.SampledFrom(ends).Draw(t, "to"), Routes: routes.Draw(t, "route")})
	}
	return s
}

// drawSound draws a graph in which every node can be reached, and most reach an end.
func drawSound(t *rapid.T) graph.Spec {
	var s graph.Spec
	for i := range rapid.IntRange(1, 9).Draw(t, "nodes") {
		id := fmt.Sprint("n", i)
		from := graph.Start
		if i > 0 && rapid.IntRange(0, 3).Draw(t, "entry") > 0 {
			from = fmt.Sprint("n", rapid.IntRange(0, i-1).Draw(t, "from"))
		}
		s.Nodes = append(s.Nodes, graph.Node{ID: id, Join: rapid.Bool().Draw(t, "join")})
		s.Edges = append(s.Edges, graph.Edge{From: from, To: id})
	}
	node := rapid.IntRange(0, len(s.Nodes)-1)
	for range rapid.IntRange(0, 5).Draw(t, "more") {
		e := graph.Edge{From: s.Nodes[node.Draw(t, "from")].ID, To: s.Nodes[node.Draw(t, "to")].ID, Routes: []string{"x"}}
		if !slices.ContainsFunc(s.Edges, func(o graph.Edge) bool { return o.From == e.From && o.To == e.To }) {
			s.Edges = append(s.Edges, e)
		}
	}
	return s
}

// reaches says by plain search whether a path of at least one kept edge leads from one node to another.
func reaches(s graph.Spec, from, to string, keep func(graph.Edge) bool) bool {
	seen := map[string]bool{}
	for todo := []string{from}; len(todo) > 0; todo = todo[1:] {
		for _, e := range s.Edges {
			if e.From == todo[0] && keep(e) && !seen[e.To] {
				seen[e.To] = true
				todo = append(todo, e.To)
			}
		}
	}
	return seen[to]
}

func anyEdge(graph.Edge) bool { return true }

// Whatever the graph, the findings are the same each time, name places that exist, and agree with a plain search.
func TestCheck_random_graphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		problems := graph.Check(s)
		if diff := cmp.Diff(problems, graph.Check(s)); diff != "" {
			t.Fatalf("not the same twice: %s", diff)
		}
		rules := map[graph.Rule]bool{}
		warned := false
		for _, p := range problems {
			rules[p.Rule] = true
			if p.Node < -1 || p.Node >= len(s.Nodes) || p.Edge < -1 || p.Edge >= len(s.Edges) || p.Message == "" {
				t.Fatalf("out of place: %+v", p)
			}
			if warned && !p.Warning {
				t.Fatalf("an error after a warning: %v", problems)
			}
			warned = p.Warning
		}
		known := func(id string) bool {
			return slices.ContainsFunc(s.Nodes, func(n graph.Node) bool { return n.ID == id })
		}
		unconditional := func(e graph.Edge) bool {
			return known(e.From) && known(e.To) && e.To != "START" && unconditionalFirst(s, e)
		}
		cyclic := slices.ContainsFunc(s.Nodes, func(n graph.Node) bool { return reaches(s, n.ID, n.ID, unconditional) })
		if cyclic != rules[graph.UnconditionalCycle] {
			t.Fatalf("unconditional cycle: %v, found %v\n%+v", cyclic, rules[graph.UnconditionalCycle], s)
		}
	})
}

// unconditionalFirst says that the first edge with the ends of e has no route: it is the one that counts.
func unconditionalFirst(s graph.Spec, e graph.Edge) bool {
	i := slices.IndexFunc(s.Edges, func(o graph.Edge) bool { return o.From == e.From && o.To == e.To })
	return len(s.Edges[i].Routes) == 0
}

// A graph without errors compiles, and its reachability agrees with a plain search.
func TestCompile_random_graphs(t *testing.T) {
	compiled := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawSound(t)
		g, _ := graph.Compile(s)
		if g == nil {
			return
		}
		compiled++
		for i, n := range s.Nodes {
			if !reaches(s, "START", n.ID, anyEdge) {
				t.Fatalf("%s can't be reached", n.ID)
			}
			end := slices.ContainsFunc(g.Terminals(), func(e int) bool { return g.ID(e) == n.ID || reaches(s, n.ID, g.ID(e), anyEdge) })
			if !end {
				t.Fatalf("%s reaches no end", n.ID)
			}
			if !n.Join {
				continue
			}
			for j, m := range s.Nodes {
				if want, got := reaches(s, m.ID, n.ID, anyEdge), g.Upstream(i).Has(j); want != got {
					t.Fatalf("%s upstream of %s: %v, want %v", m.ID, n.ID, got, want)
				}
			}
		}
	})
	if compiled == 0 {
		t.Error("no drawn graph was sound")
	}
}

// A graph as large and as dense as the format allows is checked in a fraction of a second.
func BenchmarkCheck_largest(b *testing.B) {
	var s graph.Spec
	for i := range 1000 {
		s.Nodes = append(s.Nodes, graph.Node{ID: fmt.Sprint("n", i), Join: i%10 == 9})
		for d := 1; d <= 5; d++ {
			from := graph.Start
			if i-d >= 0 {
				from = fmt.Sprint("n", i-d)
			} else if d > 1 {
				continue
			}
			s.Edges = append(s.Edges, graph.Edge{From: from, To: fmt.Sprint("n", i)})
		}
	}
	for b.Loop() {
		graph.Check(s)
	}
}
