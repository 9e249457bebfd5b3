package adkparity_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/workflow"
	"github.com/plait-dev/plait/pkg/workflow/graph"
	adk "google.golang.org/adk/v2/workflow"

	. "github.com/plait-dev/plait/test/adkparity"
)

// scenario is a graph that does the same on both engines, and what both must be seen to do.
type scenario struct {
	name  string
	graph *Graph
	class Class // empty: completed
	// output is the run's, calls how often bodies run in all.
	output any
	calls  int
}

// ADK's own scenarios, as far as they are about graphs and no declared difference.
func scenarios() []scenario {
	list := func(n int) Act { return Act{List: &n} }
	silent, ask := Act{Silent: true}, Act{Asks: true}
	routing := "START -> r -[a]-> x; r -[b]-> y; r -> z; r -[DEFAULT]-> d"
	quiet := func(g *Graph) *Graph {
		for _, name := range []string{"x", "y", "z", "d"} {
			g.Does(name, silent)
		}
		return g
	}
	return []scenario{
		{name: "scheduler/linear chain", graph: Text("START -> a -> b -> c"), output: "c(b(a(in)))", calls: 3},
		{name: "scheduler/fan-out", graph: Text("START -> a; START -> b; START -> c").Does("a", silent).Does("b", silent), output: "c(in)", calls: 3},
		{name: "scheduler/a failure", graph: Text("START -> a -> b -> c").Does("b", Act{Fails: 1}), class: Failed, calls: 2},
		{name: "scheduler/a panic", graph: Text("START -> a -> b").Does("a", Act{Fails: 1, How: Panics}), class: Panicked, calls: 1},
		{name: "scheduler/a timeout", graph: Text("START -> a -> b").With("a", Node{Timeout: time.Minute, Acts: []Act{{Fails: 1, How: Exceeds}}}),
			class: TimedOut, calls: 1},
		{name: "scheduler/retry until it succeeds", graph: Text("START -> a -> b").
			With("a", Node{Attempts: 3, Pause: time.Second, Acts: []Act{{Fails: 2}}}), output: "b(a(in))", calls: 4},
		{name: "scheduler/retry exhausted", graph: Text("START -> a -> b").With("a", Node{Attempts: 3, Acts: []Act{{Fails: 3}}}),
			class: Failed, calls: 3},
		{name: "scheduler/retry of a panic and a timeout", graph: Text("START -> a -> b").
			With("a", Node{Attempts: 2, Acts: []Act{{Fails: 1, How: Panics}}}).
			With("b", Node{Attempts: 2, Timeout: time.Minute, Acts: []Act{{Fails: 1, How: Exceeds}}}), output: "b(a(in))", calls: 4},
		{name: "scheduler/retry in a loop", graph: Text("START -> a -[loop]-> a; a -[finish]-> end").
			With("a", Node{Attempts: 3, Acts: []Act{{Fails: 2, Routes: []string{"loop"}}, {Fails: 2, Routes: []string{"finish"}}}}),
			output: "end(a(a(in)))", calls: 7},
		{name: "scheduler/no output", graph: Text("START -> a -> b").Does("b", silent), calls: 2},
		{name: "scheduler/an output before a silent end is none", graph: Text("START -> a -> b -> c").Does("c", silent), calls: 3},
		{name: "scheduler/one of two ends", graph: Text("START -> a -[x]-> b; a -[y]-> c").Routes("a", "y"), output: "c(a(in))", calls: 2},
		{name: "scheduler/a loop", graph: Text("START -> a -> g -[again]-> a; g -[done]-> e").Routes("g", "again", "again", "done"), calls: 7,
			output: "e(g(a(g(a(g(a(in)))))))"},
		{name: "scheduler/state", graph: Text("START -> a -> b").Does("a", Act{State: map[string]any{"k": 1, "app:k": "v"}}).
			Does("b", Act{State: map[string]any{"k": 2}}), output: "b(a(in))", calls: 2},

		{name: "join/two", graph: Text("START -> a -> J; START -> b -> J"), output: map[string]any{"a": "a(in)", "b": "b(in)"}, calls: 2},
		{name: "join/three, one slow", graph: Text("START -> a -> J -> end; START -> b -> J; START -> c -> J").
			Does("b", Act{Takes: time.Minute, Output: 1}).Does("end", silent), calls: 4},
		{name: "join/a source without output", graph: Text("START -> a -> J; START -> b -> J").Does("b", silent),
			output: map[string]any{"a": "a(in)", "b": nil}, calls: 2},
		{name: "join/in a loop of all its sources", graph: Text("START -> a -> b -> J -> g -[again]-> a; a -> c -> J; g -[done]-> e").
			Routes("g", "again", "again", "done").Does("e", silent), calls: 13},
		{name: "join/both routes taken", graph: Text("START -> c -[A]-> a -> J; c -[B]-> b -> J").Routes("c", "A,B"),
			output: map[string]any{"a": "a(c(in))", "b": "b(c(in))"}, calls: 3},
		{name: "join/of joins", graph: Text("START -> a -> J; START -> b -> J; J -> K; START -> c -> K"),
			output: map[string]any{"J": map[string]any{"a": "a(in)", "b": "b(in)"}, "c": "c(in)"}, calls: 3},

		{name: "routing/one matches", graph: quiet(Text(routing).Routes("r", "a")), calls: 3},
		{name: "routing/several match", graph: quiet(Text(routing).Routes("r", "a,b")), calls: 4},
		{name: "routing/none matches, with a default", graph: quiet(Text(routing).Routes("r", "other")), calls: 3},
		{name: "routing/no route, with a default", graph: quiet(Text(routing)), calls: 3},
		{name: "routing/numbers and truth", graph: Text("START -> r -[7]-> x -[true]-> y").Routes("r", "7").Routes("x", "true"),
			output: "y(x(r(in)))", calls: 3},
		{name: "routing/an edge with several routes", graph: Text("START -> r -[a,b]-> x").Routes("r", "a,b"), output: "x(r(in))", calls: 2},
		{name: "routing/no match ends the branch", graph: Text("START -> r -[a]-> x").Routes("r", "b"), calls: 1},

		{name: "nested/its end is its output", graph: Text("START -> w -> b").With("w", Node{Inner: Text("START -> x -> y")}),
			output: "b(y(x(in)))", calls: 3},
		{name: "nested/a silent end", graph: Text("START -> w -> b").With("w", Node{Inner: Text("START -> x -> y").Does("y", silent)}),
			output: "b(null)", calls: 3},
		{name: "nested/a failure", graph: Text("START -> w -> b").With("w", Node{Inner: Text("START -> x -> y").Does("x", Act{Fails: 1})}),
			class: Failed, calls: 1},
		{name: "nested/state", graph: Text("START -> w -> b").
			With("w", Node{Inner: Text("START -> x").Does("x", Act{State: map[string]any{"k": 1}})}), output: "b(x(in))", calls: 2},
		{name: "nested/three deep", graph: Text("START -> u").With("u", Node{Inner: Text("START -> v").
			With("v", Node{Inner: Text("START -> w").With("w", Node{Inner: Text("START -> x")})})}), output: "x(in)", calls: 1},
		{name: "nested/in a loop", graph: Text("START -> w -> g -[again]-> w; g -[done]-> e").
			With("w", Node{Inner: Text("START -> x -> J; START -> y -> J")}).Routes("g", "again", "done").Does("e", silent), calls: 7},

		{name: "worker/results in order", graph: Text("START -> l -> w").Does("l", list(3)).With("w", Node{Item: "i"}).
			Does("i", Act{Takes: 3 * time.Second}, Act{Takes: time.Second}, Act{}),
			output: []any{"i(l(in).0)", "i(l(in).1)", "i(l(in).2)"}, calls: 4},
		{name: "worker/an empty list", graph: Text("START -> l -> w").Does("l", list(0)).With("w", Node{Item: "i"}), output: []any{}, calls: 1},
		{name: "worker/no list", graph: Text("START -> w").With("w", Node{Item: "i"}), class: BadInput},
		{name: "worker/an item without output", graph: Text("START -> l -> w").Does("l", list(2)).With("w", Node{Item: "i"}).
			Does("i", Act{}, silent), output: []any{"i(l(in).0)", nil}, calls: 3},
		{name: "worker/an item fails", graph: Text("START -> l -> w").Does("l", list(2)).With("w", Node{Item: "i"}).
			Does("i", Act{Fails: 1}, Act{}), class: Failed, calls: 3},
		{name: "worker/retry is that of the item", graph: Text("START -> l -> w").Does("l", list(3)).
			With("w", Node{Item: "i", Attempts: 3, Pause: time.Second}).Does("i", Act{}, Act{Fails: 2}, Act{}),
			output: []any{"i(l(in).0)", "i(l(in).1)", "i(l(in).2)"}, calls: 6},
		{name: "worker/items are workflows", graph: Text("START -> l -> w").Does("l", list(2)).With("w", Node{Item: "i", Max: 1}).
			With("i", Node{Inner: Text("START -> x -> y")}), output: []any{"y(x(l(in).0))", "y(x(l(in).1))"}, calls: 5},

		{name: "people/the answer is what the successor gets", graph: Text("START -> a -> ask -> b").Does("ask", ask).
			Answered([]string{"ask"}), output: "b(ask(answer))", calls: 3},
		{name: "people/no answer", graph: Text("START -> a -> ask -> b").Does("ask", ask), class: Waiting, calls: 2},
		{name: "people/others go on", graph: Text("START -> ask -> b; START -> c -> d").Does("ask", ask).Does("d", silent).
			Answered([]string{"ask"}), output: "b(ask(answer))", calls: 4},
		{name: "people/one of two is answered", graph: Text("START -> x -> a; START -> y -> b").Does("x", ask).Does("y", ask).
			Answered([]string{"y"}), class: Waiting, calls: 3},
		{name: "people/two before a join, answered one after the other", graph: Text("START -> x -> J; START -> y -> J").
			Does("x", ask).Does("y", ask).Answered([]string{"x"}, []string{"y"}),
			output: map[string]any{"x": "x(answer)", "y": "y(answer)"}, calls: 2},

		{name: "dynamic/one child after the other", graph: Text("START -> d -> e").With("d", Node{Children: []string{"a", "b"}}),
			output: "e(b(a(in)))", calls: 3},
		{name: "dynamic/a child fails", graph: Text("START -> d -> e").With("d", Node{Children: []string{"a", "b"}}).
			Does("a", Act{Fails: 1}), class: Failed, calls: 1},
		{name: "dynamic/a child writes", graph: Text("START -> d").With("d", Node{Children: []string{"a"}}).
			Does("a", Act{State: map[string]any{"k": 1}}), output: "a(in)", calls: 1},
		{name: "dynamic/a child is a workflow", graph: Text("START -> d").With("d", Node{Children: []string{"w", "b"}}).
			With("w", Node{Inner: Text("START -> x -> y")}), output: "b(y(x(in)))", calls: 3},

		{name: "cap/two of four", graph: Text("START -> a -> J; START -> b -> J; START -> c -> J; START -> d -> J -> e").Capped(2).
			Does("e", silent), calls: 5},
		{name: "cap/a retry passes it", graph: Text("START -> a -> J; START -> b -> J -> e").Capped(1).
			With("a", Node{Attempts: 3, Pause: time.Second, Acts: []Act{{Fails: 2}}}).Does("e", silent), calls: 5},
	}
}

func TestConformance(t *testing.T) {
	for _, tc := range scenarios() {
		t.Run(tc.name, func(t *testing.T) {
			for schedule := range 10 {
				ours, _ := bubbles{t}.Ours(tc.graph, schedule)
				theirs := bubbles{t}.ADK(tc.graph, schedule)
				if diffs := theirs.Diff(ours.AsADK(tc.graph), Aspects()...); len(diffs) > 0 {
					t.Fatalf("schedule %d: %v\nADK: %v, ours: %v", schedule, diffs, theirs.Err, ours.Err)
				}
				doc, _ := bubbles{t}.Document(tc.graph, schedule)
				if diffs := ours.Diff(doc, Aspects()...); len(diffs) > 0 {
					t.Fatalf("schedule %d, as a document: %v\n%v", schedule, diffs, doc.Err)
				}
				want := Outcome{Output: tc.output, Class: tc.class}
				if tc.class == "" {
					want.Class = Completed
				}
				if diffs := want.Diff(ours, OutputAspect, ErrorAspect); tc.output != nil && len(diffs) > 0 || want.Class != ours.Class {
					t.Fatalf("not what the scenario says: %v", diffs)
				}
				calls := 0
				for _, n := range ours.Calls {
					calls += n
				}
				if calls != tc.calls {
					t.Fatalf("%d executions, want %d: %v", calls, tc.calls, ours.Calls)
				}
			}
		})
	}
}

// No more than the cap allows executes at once, on either engine.
func TestConformance_caps_hold(t *testing.T) {
	g := Text("START -> a -> J; START -> b -> J; START -> c -> J; START -> d -> J").Capped(2)
	for _, name := range []string{"a", "b", "c", "d"} {
		g.Does(name, Act{Takes: time.Second})
	}
	ours, _ := bubbles{t}.Ours(g, 0)
	if theirs := (bubbles{t}).ADK(g, 0); theirs.Peak != 2 || ours.Peak != 2 {
		t.Errorf("ADK ran %d at once, ours %d, want 2", theirs.Peak, ours.Peak)
	}
}

// What one refuses the other refuses for the same reason, and what one takes the other takes. Where that is not so, a
// row of the table says so.
func TestConformance_validation(t *testing.T) {
	for _, tc := range []struct {
		name, graph string
		adk         error
		ours        graph.Rule
	}{
		{"start is absent", "a -> b", adk.ErrNoStartNode, graph.NoStart},
		{"an edge into start", "START -> a -> START", adk.ErrNodePointsToStart, graph.EdgeToStart},
		{"two edges with the same ends", "START -> a -> b; a -> b", adk.ErrDuplicateEdge, graph.DuplicateEdge},
		{"the same with routes", "START -> a -[x]-> b; a -[y]-> b", adk.ErrDuplicateEdge, graph.DuplicateEdge},
		{"two defaults", "START -> a -[DEFAULT]-> b; a -[DEFAULT]-> c", adk.ErrMultipleDefaultRoutes, graph.SeveralDefaults},
		{"unreachable", "START -> a; b -> c", adk.ErrNodesNotReachable, graph.Unreachable},
		{"a cycle without a route", "START -> a -> b -> a; b -[x]-> c", adk.ErrUnconditionalCycle, graph.UnconditionalCycle},
		{"a diamond with a join", "START -> a -> b -> J; a -> c -> J", nil, ""},
		{"a cycle with a route", "START -> a -> b -[x]-> a; b -[y]-> c", nil, ""},
		{"a cycle with a default way out", "START -> a -> b -[x]-> a; b -[DEFAULT]-> c", nil, ""},
		{"fan-in by routes", "START -> a -[x]-> b -[z]-> d; a -[y]-> c -[z]-> d", nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			theirs := bubbles{t}.ADK(Text(tc.graph), 0)
			ours, _ := bubbles{t}.Ours(Text(tc.graph), 0)
			if (theirs.Class == Refused) != (tc.adk != nil) || !errors.Is(theirs.Err, tc.adk) {
				t.Errorf("ADK: %v, want %v", theirs.Err, tc.adk)
			}
			definition, refused := errors.AsType[*workflow.DefinitionError](ours.Err)
			if refused != (tc.ours != "") {
				t.Fatalf("ours: %v, want %q", ours.Err, tc.ours)
			}
			if refused && !slices.ContainsFunc(definition.Problems, func(p workflow.Problem) bool { return p.Rule == tc.ours }) {
				t.Errorf("ours: %v, want %q", ours.Err, tc.ours)
			}
		})
	}
}
