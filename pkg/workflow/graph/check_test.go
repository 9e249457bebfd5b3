package graph_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// findings renders problems one a line: severity, rule, place, message, hint.
func findings(s graph.Spec) []string {
	var lines []string
	for _, p := range graph.Check(s) {
		line := "error "
		if p.Warning {
			line = "warning "
		}
		line += string(p.Rule)
		if p.Node >= 0 {
			line += " at " + s.Nodes[p.Node].ID
		}
		if p.Edge >= 0 {
			line += fmt.Sprintf(" at edge %d", p.Edge)
		}
		line += ": " + p.Message
		if p.Hint != "" {
			line += " (" + p.Hint + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

type checkCase struct {
	name, graph string
	want        []string
}

func runChecks(t *testing.T, cases []checkCase) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, findings(parse(tc.graph))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheck_names(t *testing.T) {
	runChecks(t, []checkCase{
		{name: "letters, digits, spaces and umlauts are fine", graph: "START -> a-1 -> my node -> größe"},
		{name: "path separators", graph: "START -> a@b -> c.d", want: []string{
			`error bad-name at a@b: "a@b" can't be a node id: '@' separates the parts of activation paths (use letters, digits, "_" and "-")`,
			`error bad-name at c.d: "c.d" can't be a node id: '.' separates the parts of activation paths (use letters, digits, "_" and "-")`,
		}},
	})
}

func TestCheckName(t *testing.T) {
	for id, want := range map[string]string{
		"":         "it is empty",
		"START":    "it is the entry of every graph",
		"DEFAULT":  "it is a route",
		"ERROR":    "it is a route",
		"a~b":      "'~' separates the parts of activation paths",
		"a/b":      "'/' separates the parts of activation paths",
		"a<b":      "'<' separates the parts of activation paths",
		"a\tb":     `'\t' is a control character`,
		"a\xffb":   "it isn't valid UTF-8",
		"start":    "",
		"a b-c_d1": "",
	} {
		if got := graph.CheckName(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

func TestCheck_duplicate_and_unknown_names(t *testing.T) {
	s := parse("START -> a -> b")
	s.Nodes = append(s.Nodes, graph.Node{ID: "a"})
	s.Edges = append(s.Edges, graph.Edge{From: "b", To: "c"}, graph.Edge{From: "b", To: "ERROR"}, graph.Edge{From: "x", To: "x"})
	want := []string{
		`error duplicate-name at a: "a" is the id of two nodes; ids are unique in a workflow`,
		`error unknown-reference at edge 2: "c" in the edge b -> c is no node of this workflow; its nodes: a, b, a`,
		`error unknown-reference at edge 3: "ERROR" in the edge b -> ERROR is no node of this workflow (ERROR is a route: write it as the edge's route)`,
		`error unknown-reference at edge 4: "x" in the edge x -> x is no node of this workflow; its nodes: a, b, a`,
	}
	if diff := cmp.Diff(want, findings(s)); diff != "" {
		t.Error(diff)
	}
}

// An edge that leads nowhere says nothing about what it might have reached.
func TestCheck_unknown_ends_hide_what_would_follow(t *testing.T) {
	s := parse("START -> a; b -> c -[x]-> b; J -> d; c -> J")
	s.Edges = append(s.Edges, graph.Edge{From: "a", To: "typo"})
	for _, line := range findings(s) {
		if line[:len("error unreachable")] == "error unreachable" || line[:len("error no-end")] == "error no-end" {
			t.Error(line)
		}
	}
}

func TestCheck_edges(t *testing.T) {
	runChecks(t, []checkCase{
		{name: "nothing begins", graph: "a -> b", want: []string{
			"error no-start: no edge leaves START, so nothing would ever run (add an edge from START to the first node)",
		}},
		{name: "an edge to START", graph: "START -> a -> START", want: []string{
			"error edge-to-start at edge 1: the edge a -> START points to START, which is only an entry (to loop, point the edge at the node that starts the lap)",
		}},
		{name: "routes from START", graph: "START -[x,y]-> a; START -[ERROR]-> b; START -[DEFAULT]-> c", want: []string{
			`error start-route at edge 0: the edge START -> a waits for "x", "y", but START produces no route and never fails (remove the route)`,
			`error start-route at edge 1: the edge START -> b waits for "ERROR", but START produces no route and never fails (remove the route)`,
		}},
		{name: "the same ends twice", graph: "START -> a -[x]-> b; a -[y]-> b; a -[DEFAULT]-> c", want: []string{
			"error duplicate-edge at edge 2: the edge a -> b stands twice (write one edge with a list of routes)",
		}},
		{name: "two defaults", graph: "START -> a -[DEFAULT]-> b -> d; a -[x,DEFAULT]-> c -> d", want: []string{
			`error several-defaults at edge 3: "a" already has a DEFAULT edge, to "b"; a node may have one (to fan out, lead DEFAULT to one node with several unconditional edges)`,
		}},
	})
}

func TestCheck_reachability(t *testing.T) {
	runChecks(t, []checkCase{
		{name: "only the first of a row is reported", graph: "START -> a; b -> c -> d; e -> d", want: []string{
			`error unreachable at b: "b" can't be reached: no path leads to it from START; the same goes for what follows it: c, d (add an edge to it, or remove it)`,
			`error unreachable at e: "e" can't be reached: no path leads to it from START (add an edge to it, or remove it)`,
		}},
		{name: "a loop that nothing leads into", graph: "START -> a; b -[x]-> c -> b; c -> d", want: []string{
			`error unreachable at b: "b" can't be reached: no path leads to it from START; the same goes for what follows it: c, d (add an edge to it, or remove it)`,
			`warning no-default at b: "b" has no DEFAULT edge: when no route matches, the branch ends there without an output (add an edge with the route DEFAULT)`,
		}},
		{name: "an ERROR edge reaches", graph: "START -> a -[ERROR]-> b"},
	})
}

func TestCheck_cycles(t *testing.T) {
	const noDefault = "when no route matches, the branch ends there without an output (add an edge with the route DEFAULT)"
	runChecks(t, []checkCase{
		{name: "a cycle from its earliest node", graph: "START -> draft -> review -> draft; review -[done]-> end", want: []string{
			"error unconditional-cycle at draft: cycle with no condition: draft -> review -> draft (give one of these edges a route)",
		}},
		{name: "to itself", graph: "START -> a -> a", want: []string{
			"error unconditional-cycle at a: cycle with no condition: a -> a (give one of these edges a route)",
		}},
		{name: "the shortest way round", graph: "START -> a -> b -> c -> d -> a; c -> a", want: []string{
			"error unconditional-cycle at a: cycle with no condition: a -> b -> c -> a (give one of these edges a route)",
		}},
		{name: "two cycles", graph: "START -> a -> b -> a; START -> c -> d -> c", want: []string{
			"error unconditional-cycle at a: cycle with no condition: a -> b -> a (give one of these edges a route)",
			"error unconditional-cycle at c: cycle with no condition: c -> d -> c (give one of these edges a route)",
		}},
		{name: "DEFAULT alone keeps it going", graph: "START -> g -> h -[DEFAULT]-> g", want: []string{
			"error default-cycle at g: cycle that never ends: g -> h -> g; no route leads out of it where it follows DEFAULT (add an edge with a route that leaves the cycle)",
		}},
		{name: "DEFAULT and a route that is never produced", graph: "h: x; START -> g -> h -[DEFAULT]-> g; h -[y]-> end", want: []string{
			"error default-cycle at h: cycle that never ends: h -> g -> h; no route leads out of it where it follows DEFAULT (add an edge with a route that leaves the cycle)",
			`warning unused-route at edge 3: the edge h -> end waits for the route "y", which "h" never produces; it produces "x"`,
		}},
		{name: "a route leads out", graph: "START -> g -> h -[DEFAULT]-> g; h -[done]-> end"},
		{name: "a loop with a condition", graph: "START -> g -> h -[again]-> g; h -[DEFAULT]-> end"},
		{name: "no way out", graph: "START -> a -[x]-> b -[y]-> a", want: []string{
			"error no-end at a: the loop a -> b -> a has no way out: no path leads from it to an end (add an edge from one of its nodes to a node without outgoing edges)",
			`warning no-default at a: "a" has no DEFAULT edge: ` + noDefault,
			`warning no-default at b: "b" has no DEFAULT edge: ` + noDefault,
		}},
		{name: "an ERROR edge leads out", graph: "START -> a -> b -[x]-> a; b -[DEFAULT]-> c -[y]-> b; c -[DEFAULT]-> a; b -[ERROR]-> d"},
	})
}
