package workflow_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/workflow"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// randomGraph is a graph with joins, routes, failures and loops, and what its nodes do.
type randomGraph struct {
	edges []string
	// routes are what each activation of a node produces, in turn; fails are the nodes that always fail.
	routes map[string][]string
	fails  map[string]bool
	// inner are the graphs of nodes that are nested workflows, lists how many items those have that are lists.
	inner map[string]randomGraph
	lists map[string]int
	// parents are how many children those have that are dynamic; the last one is a graph.
	parents map[string]int
	// teams are those that are teams of an ordinary node, a graph and a node that escalates in the second lap.
	teams map[string]string
	// asks are the nodes that ask a person.
	asks map[string]bool
	// isolated are the nodes that have sessions of their own, members, items and children among them.
	isolated map[string]bool
}

func (g randomGraph) String() string {
	return fmt.Sprintf("%s\nroutes %v\nfails %v\ninner %v\nlists %v\nparents %v\nteams %v\nasks %v\nisolated %v", strings.Join(g.edges, "\n"), g.routes, g.fails, g.inner, g.lists,
		g.parents, g.teams, g.asks, g.isolated)
}

func (g randomGraph) lab() *lab {
	l := newLab()
	for node, each := range g.routes {
		l.routes(node, each...)
	}
	for node := range g.fails {
		l.does(node, fails("broken"))
	}
	for node, inner := range g.inner {
		in := inner.lab()
		maps.Copy(l.bodies, in.bodies)
		l.inner[node] = strings.Join(inner.edges, "\n")
	}
	for node, n := range g.lists {
		l.items[node] = worker{body: node + "item", max: n % 3}
		l.config[node] = workflow.NodeConfig{Input: func(ctx *workflow.Context) (any, error) {
			list := make([]any, n)
			for i := range list {
				list[i] = fmt.Sprint(ctx.Path(), i)
			}
			return list, nil
		}}
	}
	for node := range g.asks {
		l.does(node, asks(workflow.Question{}))
	}
	for node, team := range g.teams {
		l.teams[node] = team
		l.does(node+"last", escalates(2))
	}
	for node, n := range g.parents {
		l.schedules(node, func(run runChild) (any, error) {
			var last any
			for i := range n {
				var err error
				if last, err = run(node+"child", fmt.Sprint(last, i)); err != nil {
					return nil, err
				}
			}
			return run(node+"graph", last)
		})
	}
	l.isolate(slices.Collect(maps.Keys(g.isolated))...)
	l.otherwise = staysInside
	return l
}

// nest makes some nodes of the graph, which nothing else is said of, graphs, lists and teams.
func (g *randomGraph) nest(t *rapid.T) {
	g.inner, g.lists, g.parents, g.teams = map[string]randomGraph{}, map[string]int{}, map[string]int{}, map[string]string{}
	g.isolate(t)
	for i := range 10 {
		node := fmt.Sprintf("n%d", i)
		if g.routes[node] != nil || g.fails[node] {
			continue
		}
		switch rapid.IntRange(0, 5).Draw(t, "kind of "+node) {
		case 0:
			inner := drawGraph(t, false, rapid.Bool().Draw(t, "loops"))
			g.inner[node] = inner.renamed("in" + node)
		case 1:
			g.lists[node] = rapid.IntRange(0, 4).Draw(t, "items")
		case 2:
			g.parents[node] = rapid.IntRange(0, 3).Draw(t, "children")
			g.inner[node+"graph"] = drawGraph(t, false, false).renamed("in" + node)
		case 3:
			way := rapid.SampledFrom([]string{"seq", "par", "loop 0", "loop 3"}).Draw(t, "way")
			g.teams[node] = fmt.Sprintf("%s %[2]sfirst %[2]sgraph %[2]slast", way, node)
			g.inner[node+"graph"] = drawGraph(t, false, false).renamed("in" + node)
		}
	}
}

// isolate gives some nodes, and parts of nodes, sessions of their own.
func (g *randomGraph) isolate(t *rapid.T) {
	g.isolated = map[string]bool{}
	var all []string
	for i := range 10 {
		for _, part := range []string{"", "item", "child", "graph", "first"} {
			all = append(all, fmt.Sprintf("n%d%s", i, part))
		}
	}
	for _, node := range rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, 15, rapid.ID).Draw(t, "isolated") {
		g.isolated[node] = true
	}
}

// ask makes some nodes that nothing else is said of ask a person, children of dynamic nodes and items of lists among them.
func (g *randomGraph) ask(t *rapid.T) {
	g.asks = map[string]bool{}
	for i := range 10 {
		node := fmt.Sprintf("n%d", i)
		if g.routes[node] != nil || g.fails[node] || g.inner[node].edges != nil || rapid.IntRange(0, 2).Draw(t, "asks "+node) > 0 {
			continue
		}
		switch {
		case g.lists[node] > 0:
			g.asks[node+"item"] = true
		case g.parents[node] > 0:
			g.asks[node+"child"] = true
		case g.teams[node] != "":
			g.asks[node+"first"] = true
		default:
			g.asks[node] = true
		}
	}
}

// renamed is the graph with other names of ordinary nodes and joins.
func (g randomGraph) renamed(suffix string) randomGraph {
	r := randomGraph{routes: map[string][]string{}, fails: map[string]bool{}}
	rename := func(node string) string {
		if node == "START" {
			return node
		}
		return node + suffix
	}
	for _, e := range g.edges {
		ends := strings.Fields(e)
		r.edges = append(r.edges, rename(ends[0])+" "+ends[1]+" "+rename(ends[2]))
	}
	for node, routes := range g.routes {
		r.routes[rename(node)] = routes
	}
	for node := range g.fails {
		r.fails[rename(node)] = true
	}
	return r
}

// drawGraph draws a graph whose ordinary nodes have one forward edge into them, or with fanIn several.
func drawGraph(t *rapid.T, fanIn, loops bool) randomGraph {
	g := randomGraph{routes: map[string][]string{}, fails: map[string]bool{}}
	names := []string{"START"}
	defaults := map[string]bool{}
	for i := range rapid.IntRange(5, 10).Draw(t, "nodes") {
		name := fmt.Sprintf("n%d", i)
		sources := 1
		if rapid.IntRange(0, 2).Draw(t, "join") == 0 && i > 0 {
			name = fmt.Sprintf("J%d", i)
			sources = rapid.IntRange(2, 4).Draw(t, "sources")
		} else if fanIn {
			sources = rapid.IntRange(1, 2).Draw(t, "sources")
		}
		from := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, min(sources, len(names)), rapid.ID).Draw(t, "from")
		for _, source := range from {
			g.edges = append(g.edges, source+" "+g.drawArrow(t, source, defaults)+" "+name)
		}
		names = append(names, name)
	}
	if loops {
		g.drawLoops(t, names, fanIn)
	}
	g.edges = rapid.Permutation(g.edges).Draw(t, "order")
	return g
}

// drawArrow draws when an edge fires, and with it what its source does.
func (g *randomGraph) drawArrow(t *rapid.T, source string, defaults map[string]bool) string {
	if source == "START" || source[0] == 'J' {
		return "->"
	}
	switch rapid.IntRange(0, 5).Draw(t, "arrow") {
	case 0:
		g.drawRoutes(t, source)
		return "-[a]->"
	case 1:
		g.drawRoutes(t, source)
		return "-[b]->"
	case 2:
		if defaults[source] {
			return "->"
		}
		defaults[source] = true
		return "-[DEFAULT]->"
	case 3:
		if rapid.Bool().Draw(t, "fails") {
			g.fails[source] = true
		}
		return "-[ERROR]->"
	default:
		return "->"
	}
}

func (g *randomGraph) drawRoutes(t *rapid.T, node string) {
	if g.routes[node] == nil {
		g.routes[node] = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "a,b", ""}), 4, 4).Draw(t, "routes")
	}
}

// drawLoops adds edges back, each taken a few times: one, or with fanIn up to two, as two loops that turn at the same
// time meet in the nodes that they share.
func (g *randomGraph) drawLoops(t *rapid.T, names []string, fanIn bool) {
	most := 1
	if fanIn {
		most = 2
	}
	for i := range rapid.IntRange(1, most).Draw(t, "loops") {
		gate := names[rapid.IntRange(1, len(names)-1).Draw(t, "gate")]
		back := rapid.SampledFrom(g.ancestors(gate)).Draw(t, "back")
		end := fmt.Sprintf("e%d", i)
		node := fmt.Sprintf("g%d", i)
		laps := rapid.IntRange(1, 3).Draw(t, "laps")
		g.edges = append(g.edges, gate+" -> "+node, node+" -[again]-> "+back, node+" -[done]-> "+end)
		g.routes[node] = append(slices.Repeat([]string{"again"}, laps), slices.Repeat([]string{"done"}, 30)...)
	}
}

// ancestors lists a node and those that lead to it, by forward edges.
func (g *randomGraph) ancestors(node string) []string {
	list := []string{node}
	for i := 0; i < len(list); i++ {
		for _, e := range g.edges {
			ends := strings.Fields(e)
			if source := ends[0]; ends[2] == list[i] && source != "START" && !slices.Contains(list, source) && source[0] != 'g' {
				list = append(list, source)
			}
		}
	}
	return list
}

// signature is what a run did, but for the order: each activation and what it was given.
func signature(o outcome) []string {
	var all []string
	for _, e := range o.events {
		if e.Kind == workflow.NodeCompleted || e.Kind == workflow.NodeFailed {
			all = append(all, fmt.Sprintf("%s %s %v", e.Kind, e.Path, e.Output))
		}
	}
	slices.Sort(all)
	return all
}

// Without plain fan-in what happens is the same under every schedule; with it the run still ends, with one result.
func TestJoins_random_graphs_under_random_schedules(t *testing.T) {
	for _, kind := range []struct{ fanIn, loops bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		t.Run(fmt.Sprintf("fanIn=%v/loops=%v", kind.fanIn, kind.loops), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				g := drawGraph(rt, kind.fanIn, kind.loops)
				if rapid.Bool().Draw(rt, "nested") {
					g.nest(rt)
				}
				var first outcome
				for schedule := range 4 {
					got := g.runScheduled(t, rt, schedule)
					switch {
					case codeOf(got.err) == workflow.CodeLimit:
						return // too large to follow
					case got.err != nil || got.last().Kind != workflow.RunCompleted:
						rt.Fatalf("schedule %d: ended with %s, %v\n%s", schedule, got.last().Kind, got.err, g)
					case schedule == 0:
						first = got
					case kind.fanIn:
					default:
						if diff := cmp.Diff(signature(first), signature(got)); diff != "" {
							rt.Fatalf("schedule %d differs from schedule 0:\n%s\n%s", schedule, diff, g)
						}
						if diff := cmp.Diff(first.output, got.output); diff != "" {
							rt.Fatalf("schedule %d has another output:\n%s\n%s", schedule, diff, g)
						}
					}
				}
			})
		})
	}
}

func (g randomGraph) runScheduled(t *testing.T, rt *rapid.T, schedule int) (got outcome) {
	l := g.lab()
	w, err := workflow.New("test", l.edges(strings.Join(g.edges, "\n")))
	if err != nil {
		rt.Fatalf("%v\n%s", err, g)
	}
	l.delay = scheduled(schedule)
	synctest.Test(t, func(*testing.T) {
		got = run(w, workflow.RunRequest{Env: workflow.Env{Limits: workflow.Limits{MaxSteps: 300}}})
	})
	return got
}

// The warning fan-in-before-join is complete: where it isn't given, joins of several sources fire with the same values
// under every schedule. It knows nothing of nodes that produce several routes at once, and little of loops.
func TestJ12_the_warning_is_complete(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGraph(rt, true, false)
		if slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(g.routes))...), func(r string) bool { return r == "a,b" }) {
			rt.Skip("several routes at once")
		}
		w := g.lab().build(t, strings.Join(g.edges, "\n"))
		if slices.ContainsFunc(w.Warnings(), func(p workflow.Problem) bool { return p.Rule == graph.FanInBeforeJoin }) {
			return
		}
		var first []string
		for schedule := range 4 {
			got := firings(g.runScheduled(t, rt, schedule))
			slices.Sort(got)
			if schedule == 0 {
				first = got
			} else if diff := cmp.Diff(first, got); diff != "" {
				rt.Fatalf("schedule %d differs:\n%s\n%s", schedule, diff, g)
			}
		}
	})
}

// A deterministic run tells the same in the same order, whatever the schedule.
func TestE5_deterministic_mode_random_graphs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGraph(rt, true, true)
		g.nest(rt)
		var first []string
		for schedule := range 4 {
			l := g.lab()
			l.delay = scheduled(schedule)
			w, err := workflow.New("test", l.edges(strings.Join(g.edges, "\n")))
			if err != nil {
				rt.Fatal(err)
			}
			var got outcome
			synctest.Test(t, func(*testing.T) {
				got = run(w, workflow.RunRequest{Env: workflow.Env{Deterministic: true, Limits: workflow.Limits{MaxSteps: 300}}})
			})
			var told []string
			for _, e := range got.events {
				told = append(told, fmt.Sprint(e.Kind, e.Path, e.Output))
			}
			if schedule == 0 {
				first = told
			} else if diff := cmp.Diff(first, told); diff != "" {
				rt.Fatalf("schedule %d tells another story:\n%s\n%s", schedule, diff, g)
			}
		}
	})
}
