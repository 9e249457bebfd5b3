package adkparity_test

import (
	"cmp"
	"context"
	"flag"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plait-dev/plait/pkg/workflow"
	"pgregory.net/rapid"

	. "github.com/plait-dev/plait/test/adkparity"
)

var graphs = flag.Int("graphs", 500, "how many random graphs are compared")

// bubbles runs graphs in bubbles of time, where an hour is long enough for everything that ends. Every other schedule is
// one of our deterministic mode, but for graphs with timeouts: there that mode counts the time until a completion is
// taken as time of the attempt.
type bubbles struct{ t *testing.T }

func (b bubbles) ADK(g *Graph, schedule int) (o Outcome) {
	synctest.Test(b.t, func(*testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		o = RunADK(ctx, g, "in", Delays(schedule))
	})
	return o
}

func (b bubbles) Ours(g *Graph, schedule int) (o Outcome, trace Trace) {
	if g.NeedsDocument() {
		return b.Document(g, schedule)
	}
	synctest.Test(b.t, func(*testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		o, trace = RunOurs(ctx, g, "in", Delays(schedule), workflow.Env{Deterministic: schedule%2 == 1})
	})
	return o, trace
}

// Document runs the graph as a document.
func (b bubbles) Document(g *Graph, schedule int) (o Outcome, trace Trace) {
	synctest.Test(b.t, func(*testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		o, trace = RunDocument(ctx, g, "in", Delays(schedule), workflow.Env{Deterministic: schedule%2 == 1})
	})
	return o, trace
}

// Random graphs do the same on both engines, unless a run shows that a declared difference must appear. A tenth of them
// runs under ten schedules on ours.
func TestRandom_graphs(t *testing.T) {
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(*graphs), "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	kinds, shown, compared, n := map[string]int{}, map[string]int{}, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		g := DrawGraph(rt)
		schedules := 4
		if n++; n%10 == 0 {
			schedules = 10
		}
		v := Judge(g, bubbles{t}, schedules)
		if v.Trouble != "" {
			rt.Fatalf("%s\n%s", v.Trouble, g)
		}
		kinds[v.Kind]++
		if v.Shown {
			shown[v.Kind]++
		}
		if len(v.Compared) > 0 {
			compared++
		}
	})
	t.Logf("%d graphs, %d compared with ADK; the others by what they may show, and how many of them did show it", n, compared)
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(kinds[b]-kinds[a], strings.Compare(a, b))
	}) {
		t.Logf("%6d %6d  %s", kinds[kind], shown[kind], kind)
	}
}

// planted is an engine with a bug.
type planted struct {
	bubbles

	bug func(name string, n *Node, g *Graph)
}

func (p planted) Ours(g *Graph, schedule int) (Outcome, Trace) {
	return p.bubbles.Ours(p.spoil(g), schedule)
}

func (p planted) Document(g *Graph, schedule int) (Outcome, Trace) {
	return p.Ours(g, schedule) // the same engine
}

// spoil makes a copy of the graph that behaves as the graph does on an engine with the bug.
func (p planted) spoil(g *Graph) *Graph {
	bad := &Graph{Edges: slices.Clone(g.Edges), Nodes: map[string]Node{}, Cap: g.Cap}
	for name, n := range g.Nodes {
		n.Acts = slices.Clone(n.Acts)
		if n.Inner != nil {
			n.Inner = p.spoil(n.Inner)
		}
		p.bug(name, &n, bad)
		bad.Nodes[name] = n
	}
	return bad
}

// bugs are ways in which an engine can be wrong, as changes of nodes and graphs.
func bugs() map[string]func(name string, n *Node, g *Graph) {
	acts := func(change func(*Act)) func(string, *Node, *Graph) {
		return func(_ string, n *Node, _ *Graph) {
			for i := range n.Acts {
				change(&n.Acts[i])
			}
		}
	}
	defaults := func(on ...string) func(string, *Node, *Graph) {
		return func(_ string, _ *Node, g *Graph) {
			for i, e := range g.Edges {
				if slices.Equal(e.On, []string{Default}) {
					g.Edges[i].On = on
				}
			}
		}
	}
	return map[string]func(string, *Node, *Graph){
		"DEFAULT edges always fire":    defaults(),
		"DEFAULT edges never fire":     defaults("never"),
		"an attempt too few":           func(_ string, n *Node, _ *Graph) { n.Attempts-- },
		"state is lost":                acts(func(a *Act) { a.State = nil }),
		"several routes are one":       acts(func(a *Act) { a.Routes = a.Routes[:min(1, len(a.Routes))] }),
		"what is silent has an output": acts(func(a *Act) { a.Silent = false }),
		"a panic ends a run that could go on": acts(func(a *Act) {
			if a.How == Panics {
				a.Fails = Forever
			}
		}),
		"the last child is left out": func(_ string, n *Node, _ *Graph) {
			n.Children = n.Children[:max(min(1, len(n.Children)), len(n.Children)-1)]
		},
	}
}

// The comparison finds bugs: each of these is found in some of the first graphs.
func TestRandom_finds_bugs(t *testing.T) {
	for what, bug := range bugs() {
		t.Run(what, func(t *testing.T) {
			found := 0
			for seed := range 200 {
				g := rapid.Custom(DrawGraph).Example(seed)
				if v := Judge(g, planted{bubbles{t}, bug}, 1); v.Trouble != "" {
					found++
				}
			}
			t.Logf("found in %d of 200 graphs", found)
			if found == 0 {
				t.Error("not found")
			}
		})
	}
}

// A source of a join that goes round again and doesn't lead to it may do so before or after the join fires: no order of
// ours proves that ADK has the same one.
func TestJudge_a_source_that_goes_round(t *testing.T) {
	g := Text("START -> s -> J -> q; START -> r -[b]-> J; r -> g -[again]-> r; g -[done]-> e").
		Routes("r", "b", "a").Routes("g", "again", "done").Does("q", Act{Silent: true}).Capped(1)
	v := Judge(g, bubbles{t}, 4)
	if v.Trouble != "" || !strings.Contains(v.Kind, "D19") {
		t.Errorf("%s, want D19: %s", v.Kind, v.Trouble)
	}
}
