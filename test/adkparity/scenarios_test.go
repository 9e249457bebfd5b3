package adkparity_test

import (
	"slices"
	"time"

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
	// timed is set when it matters how long things take: the scenario has its own times then, and no other schedules.
	timed bool
	// but are aspects that a declared difference is about.
	but []Aspect
	// onlyGo is set when no document can say it.
	onlyGo bool
}

// scenarios are ADK's own, as far as they are about graphs and no declared difference.
func scenarios() []scenario {
	return slices.Concat(chains(), failures(), callers(), schemas(), toolNodes(), joins(), routing(), nested(), workers(), people(), dynamic(), caps())
}

// chains are runs without failures.
func chains() []scenario {
	silent := Act{Silent: true}
	return []scenario{
		{name: "scheduler/linear chain", graph: Text("START -> a -> b -> c"), output: "c(b(a(in)))", calls: 3},
		{name: "scheduler/fan-out", graph: Text("START -> a; START -> b; START -> c").Does("a", silent).Does("b", silent), output: "c(in)", calls: 3},
		{name: "scheduler/no output", graph: Text("START -> a -> b").Does("b", silent), calls: 2},
		{name: "scheduler/an output before a silent end is none", graph: Text("START -> a -> b -> c").Does("c", silent), calls: 3},
		{name: "scheduler/one of two ends", graph: Text("START -> a -[x]-> b; a -[y]-> c").Routes("a", "y"), output: "c(a(in))", calls: 2},
		{name: "scheduler/a loop", graph: Text("START -> a -> g -[again]-> a; g -[done]-> e").Routes("g", "again", "again", "done"), calls: 7,
			output: "e(g(a(g(a(g(a(in)))))))"},
		{name: "scheduler/state", graph: Text("START -> a -> b").Does("a", Act{State: map[string]any{"k": 1, "app:k": "v"}}).
			Does("b", Act{State: map[string]any{"k": 2}}), output: "b(a(in))", calls: 2},
		{name: "scheduler/progress before the output", graph: Text("START -> a -> b").Does("a", Act{Shows: 3}), output: "b(a(in))", calls: 2},
	}
}

// failures are failures and retries.
func failures() []scenario {
	hour := Act{Takes: time.Hour / 2}
	return []scenario{
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
		{name: "scheduler/a failure cancels what runs beside it", graph: Text("START -> a; START -> b -> c; START -> d").
			Does("a", Act{Fails: 1, Takes: time.Second}).Does("b", hour).Does("d", hour), class: Failed, calls: 3, timed: true},
		{name: "scheduler/a failure cancels the other items of a list", class: Failed, calls: 4, timed: true,
			graph: Text("START -> l -> w").Does("l", Act{List: new(3)}).With("w", Node{Item: "i"}).
				Does("i", Act{Fails: 1, Takes: time.Second}, hour, hour)},
	}
}

// callers are runs that their caller ends.
func callers() []scenario {
	stop := func(g *Graph, after time.Duration) *Graph {
		g.Stop = after
		return g
	}
	deadline := stop(Text("START -> a -> b").Does("a", Act{Takes: time.Minute}), time.Second)
	deadline.Deadline = true
	left, busy := Text("START -> a -> b"), Text("START -> a -> b; START -> c").Does("a", Act{Takes: time.Second}).Does("c", Act{Takes: time.Minute})
	nested := Text("START -> a -> w; START -> b").Does("b", Act{Takes: time.Second}).
		With("w", Node{Inner: Text("START -> x -> y").Does("x", Act{Takes: time.Minute})})
	left.Leave, busy.Leave, nested.Leave = "a", "a", "b"
	return []scenario{
		{name: "caller/cancels", graph: stop(Text("START -> a -> b").Does("a", Act{Takes: time.Minute}), time.Second), class: Stopped, calls: 1, timed: true},
		{name: "caller/has a deadline", graph: deadline, class: Stopped, calls: 1, timed: true},
		{name: "caller/cancels while a retry is pending", class: Stopped, calls: 1, timed: true,
			graph: stop(Text("START -> a -> b").With("a", Node{Attempts: 2, Pause: time.Minute, Acts: []Act{{Fails: 2}}}), time.Second)},
		{name: "caller/cancels after a node failed", class: Failed, calls: 2, timed: true,
			graph: stop(Text("START -> a; START -> b").Does("a", Act{Fails: 1, Takes: time.Second / 10}).Does("b", Act{Takes: 800 * time.Millisecond, Deaf: true}), time.Second/2)},
		{name: "caller/cancels what succeeds all the same", class: Stopped, calls: 1, timed: true,
			graph: stop(Text("START -> a -> b").Does("a", Act{Takes: 1500 * time.Millisecond, Deaf: true}), time.Second)},
		{name: "caller/cancels a list", class: Stopped, calls: 4, timed: true,
			graph: stop(Text("START -> l -> w").Does("l", Act{List: new(3)}).With("w", Node{Item: "i"}).Does("i", Act{Takes: time.Minute}), time.Second)},
		{name: "caller/cancels a nested workflow", class: Stopped, calls: 1, timed: true,
			graph: stop(Text("START -> w -> b").With("w", Node{Inner: Text("START -> x -> y").Does("x", Act{Takes: time.Minute})}), time.Second)},
		{name: "caller/leaves while a nested workflow runs", graph: nested, class: Left, calls: 3, timed: true},
		{name: "caller/leaves", graph: left, class: Left, calls: 1, timed: true},
		{name: "caller/leaves while another node runs", graph: busy, class: Left, calls: 2, timed: true},
	}
}

// checked gives a node schemas.
func checked(g *Graph, name string, in, out map[string]any) *Graph {
	n := g.Nodes[name]
	n.In, n.Out = in, out
	return g.With(name, n)
}

// schemas are inputs and outputs that are checked.
func schemas() []scenario {
	text, whole := map[string]any{"type": "string"}, map[string]any{"type": "integer"}
	enum := map[string]any{"type": "string", "enum": []any{"in", "out"}}
	gives := func(v any) *Graph { return Text("START -> f -> a").Does("f", Act{Output: v}) }
	pair := Text("START -> a -> J; START -> b -> J")
	return []scenario{
		{name: "schema/an input that fits", graph: checked(Text("START -> a"), "a", text, nil), output: "a(in)", calls: 1},
		{name: "schema/an input that doesn't", graph: checked(Text("START -> a"), "a", whole, nil), class: BadInput},
		{name: "schema/an input that doesn't isn't tried again", class: BadInput,
			graph: checked(Text("START -> a").With("a", Node{Attempts: 3}), "a", whole, nil)},
		{name: "schema/a value of a list", graph: checked(Text("START -> a"), "a", enum, nil), output: "a(in)", calls: 1},
		{name: "schema/a structure", graph: checked(gives(map[string]any{"n": 1}), "a", numberSchema(), nil), output: `a({"n":1})`, calls: 2},
		{name: "schema/a structure that lacks something", class: BadInput, calls: 1,
			graph: checked(gives(map[string]any{"m": 1}), "a", numberSchema(), nil)},
		{name: "schema/text that is JSON stays text", graph: checked(gives(`{"n": 1}`), "a", text, nil), output: `a({"n": 1})`, calls: 2},
		{name: "schema/an output that fits", graph: checked(Text("START -> a -> b"), "a", nil, text), output: "b(a(in))", calls: 2},
		{name: "schema/an output that doesn't", graph: checked(Text("START -> a -> b"), "a", nil, whole), class: BadOutput, calls: 1},
		{name: "schema/one of several types", graph: checked(Text("START -> a -> b").Does("a", Act{Output: 7}), "a", nil,
			map[string]any{"type": []any{"string", "integer"}}), output: "b(7)", calls: 2},
		{name: "schema/text that is too short", graph: checked(Text("START -> a -> b").Does("a", Act{Output: "x"}), "a", nil,
			map[string]any{"type": "string", "minLength": 3}), class: BadOutput, calls: 1},
		{name: "schema/no output", graph: checked(Text("START -> a -> b").Does("a", Act{Silent: true}), "a", nil, whole), output: "b(null)", calls: 2},
		{name: "schema/what joins take, and something else", class: BadInput, calls: 2,
			graph: checked(Text("START -> a -> J; START -> b -> J").Does("a", Act{Output: 7}), "J", text, nil)},
		{name: "schema/what joins take, and nothing", graph: checked(Text("START -> a -> J; START -> b -> J").Does("a", Act{Silent: true}), "J", text, nil),
			output: map[string]any{"a": nil, "b": "b(in)"}, calls: 2},
		{name: "schema/what joins take", graph: checked(pair, "J", text, nil), output: map[string]any{"a": "a(in)", "b": "b(in)"}, calls: 2},
	}
}

// toolNodes are nodes that call a tool.
func toolNodes() []scenario {
	gives := func(v any) *Graph {
		return toolbox(Text("START -> f -> t").Does("f", Act{Output: v, Silent: v == nil}))
	}
	key := map[string]any{"key": "k"}
	return []scenario{
		{name: "toolnode/in a chain", graph: toolbox(Text("START -> f -> t -> g").Does("f", Act{Output: key}).With("t", Node{Tool: "lookup"})),
			output: `g({"found":"lookup(k)"})`, calls: 3},
		{name: "toolnode/a structure", graph: gives(key).With("t", Node{Tool: "lookup"}), output: map[string]any{"found": "lookup(k)"}, calls: 2},
		{name: "toolnode/wrong arguments", graph: gives(map[string]any{"other": "k"}).With("t", Node{Tool: "lookup"}), class: BadInput, calls: 1},
		{name: "toolnode/no arguments", graph: gives(nil).With("t", Node{Tool: "lookup"}), class: BadInput, calls: 1},
		{name: "toolnode/a number", graph: gives(7).With("t", Node{Tool: "lookup"}), class: BadInput, calls: 1},
		{name: "toolnode/fails", graph: gives(key).With("t", Node{Tool: "broken"}), class: Failed, calls: 2},
		{name: "toolnode/is tried again", graph: gives(key).With("t", Node{Tool: "broken", Attempts: 3}), class: Failed, calls: 4},
		{name: "toolnode/writes", graph: gives(key).With("t", Node{Tool: "write"}), output: map[string]any{"found": "write(k)"}, calls: 2},
	}
}

// joins are joins.
func joins() []scenario {
	silent := Act{Silent: true}
	return []scenario{
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
	}
}

// routing are edges with routes.
func routing() []scenario {
	silent := Act{Silent: true}
	routing := "START -> r -[a]-> x; r -[b]-> y; r -> z; r -[DEFAULT]-> d"
	quiet := func(g *Graph) *Graph {
		for _, name := range []string{"x", "y", "z", "d"} {
			g.Does(name, silent)
		}
		return g
	}
	return []scenario{
		{name: "routing/one matches", graph: quiet(Text(routing).Routes("r", "a")), calls: 3},
		{name: "routing/several match", graph: quiet(Text(routing).Routes("r", "a,b")), calls: 4},
		{name: "routing/none matches, with a default", graph: quiet(Text(routing).Routes("r", "other")), calls: 3},
		{name: "routing/no route, with a default", graph: quiet(Text(routing)), calls: 3},
		{name: "routing/numbers and truth", graph: Text("START -> r -[7]-> x -[true]-> y").Routes("r", "7").Routes("x", "true"),
			output: "y(x(r(in)))", calls: 3},
		{name: "routing/an edge with several routes", graph: Text("START -> r -[a,b]-> x").Routes("r", "a,b"), output: "x(r(in))", calls: 2},
		{name: "routing/no match ends the branch", graph: Text("START -> r -[a]-> x").Routes("r", "b"), calls: 1},
		{name: "routing/without routed edges all fire", graph: quiet(Text("START -> r -> x; r -> y").Does("r", Act{})), calls: 3},
		{name: "routing/an unconditional edge beside one that matches", graph: quiet(Text("START -> r -> x; r -[a]-> y").Routes("r", "a")), calls: 3},
		{name: "routing/an unconditional edge beside one that doesn't", graph: quiet(Text("START -> r -> x; r -[a]-> y").Routes("r", "b")), calls: 2},
		{name: "routing/a route and a number fan out", graph: quiet(Text("START -> r -[s]-> x; r -[7]-> y; r -[8]-> z").Routes("r", "s,7")), calls: 3},
		{name: "routing/an edge with several routes, none matches", graph: quiet(Text("START -> r -[a,b]-> x; r -[c]-> y").Routes("r", "d")), calls: 1},
		{name: "routing/an empty list of routes", graph: quiet(Text("START -> r -[a]-> x; r -[DEFAULT]-> d").Does("r", Act{Routes: []string{}})), calls: 2},
		{name: "routing/route and output one after the other", graph: Text("START -> r -[a]-> x").Does("r", Act{Routes: []string{"a"}, Split: true}),
			output: "x(r(in))", calls: 2},
		{name: "routing/a number", graph: quiet(Text("START -> r -[7]-> x; r -[8]-> y").Typed("int").Routes("r", "7")), calls: 2},
		{name: "routing/a number that doesn't match", graph: quiet(Text("START -> r -[7]-> x; r -[8]-> y").Typed("int").Routes("r", "07")), calls: 1},
		{name: "routing/true", graph: quiet(Text("START -> r -[true]-> x; r -[false]-> y").Typed("bool").Routes("r", "true")), calls: 2},
		{name: "routing/false", graph: quiet(Text("START -> r -[true]-> x; r -[false]-> y").Typed("bool").Routes("r", "false")), calls: 2},
		{name: "routing/neither", graph: quiet(Text("START -> r -[true]-> x; r -[false]-> y").Typed("bool").Routes("r", "TRUE")), calls: 1},
		{name: "routing/several numbers", graph: quiet(Text("START -> r -[7,8]-> x; r -[9]-> y").Typed("int").Routes("r", "8")), calls: 2},
	}
}

// nested are workflows in workflows.
func nested() []scenario {
	silent := Act{Silent: true}
	return []scenario{
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
	}
}

// workers are lists.
func workers() []scenario {
	silent := Act{Silent: true}
	list := func(n int) Act { return Act{List: &n} }
	return []scenario{
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
	}
}

// people are questions.
func people() []scenario {
	ask := Act{Asks: true}
	silent := Act{Silent: true}
	return []scenario{
		{name: "people/the answer is what the successor gets", graph: Text("START -> a -> ask -> b").Does("ask", ask).
			Answered([]string{"ask"}), output: "b(ask(answer))", calls: 3},
		{name: "people/a body that runs again with the answer", graph: Text("START -> ask -> b").With("ask", Node{Rerun: true, Acts: []Act{ask}}).
			Answered([]string{"ask"}), output: "b(ask again(ask(answer)))", calls: 2, onlyGo: true},
		{name: "people/the same answer twice", graph: Text("START -> ask -> b; START -> other -> d").Does("ask", ask).Does("other", ask).
			Answered([]string{"ask"}, []string{"ask!"}), class: BadAnswer, calls: 3},
		{name: "people/an answer to a run that is over", graph: Text("START -> ask -> b").Does("ask", ask).
			Answered([]string{"ask"}, []string{"ask!"}), class: BadAnswer, calls: 2},
		{name: "people/an answer that fits", graph: Text("START -> ask -> b").Does("ask", Act{Asks: true, Wants: map[string]any{"type": "string"}}).
			Answered([]string{"ask"}), output: "b(ask(answer))", calls: 2},
		{name: "people/an answer that doesn't", graph: Text("START -> ask -> b").Does("ask", Act{Asks: true, Wants: map[string]any{"type": "integer"}}).
			Answered([]string{"ask"}), class: BadAnswer, calls: 1},
		{name: "people/a message while a question is open", graph: Text("START -> ask -> b").Does("ask", ask).Hears("more"), class: Waiting, calls: 2},
		{name: "people/no answer", graph: Text("START -> a -> ask -> b").Does("ask", ask), class: Waiting, calls: 2},
		{name: "people/others go on", graph: Text("START -> ask -> b; START -> c -> d").Does("ask", ask).Does("d", silent).
			Answered([]string{"ask"}), output: "b(ask(answer))", calls: 4},
		{name: "people/one of two is answered", graph: Text("START -> x -> a; START -> y -> b").Does("x", ask).Does("y", ask).
			Answered([]string{"y"}), class: Waiting, calls: 3},
		{name: "people/two before a join, answered one after the other", graph: Text("START -> x -> J; START -> y -> J").
			Does("x", ask).Does("y", ask).Answered([]string{"x"}, []string{"y"}),
			output: map[string]any{"x": "x(answer)", "y": "y(answer)"}, calls: 2},
	}
}

// dynamic are nodes with children.
func dynamic() []scenario {
	return []scenario{
		{name: "dynamic/one child after the other", graph: Text("START -> d -> e").With("d", Node{Children: []string{"a", "b"}}),
			output: "e(b(a(in)))", calls: 3},
		{name: "dynamic/a child gets a structure", graph: Text("START -> d -> e").With("d", Node{Children: []string{"a", "b"}}).
			Does("a", Act{Output: map[string]any{"n": 1}}), output: "e(b({\"n\":1}))", calls: 3},
		{name: "dynamic/a child fails", graph: Text("START -> d -> e").With("d", Node{Children: []string{"a", "b"}}).
			Does("a", Act{Fails: 1}), class: Failed, calls: 1},
		{name: "dynamic/a child writes", graph: Text("START -> d").With("d", Node{Children: []string{"a"}}).
			Does("a", Act{State: map[string]any{"k": 1}}), output: "a(in)", calls: 1},
		{name: "dynamic/a child is a workflow", graph: Text("START -> d").With("d", Node{Children: []string{"w", "b"}}).
			With("w", Node{Inner: Text("START -> x -> y")}), output: "b(y(x(in)))", calls: 3},
	}
}

// busy has three nodes that take a while.
func busy(bound int) *Graph {
	g := Text("START -> a -> J; START -> b -> J; START -> c -> J").Capped(bound)
	for _, name := range []string{"a", "b", "c"} {
		g.Does(name, Act{Takes: time.Second})
	}
	return g
}

// caps are bounds of what executes at once.
func caps() []scenario {
	silent := Act{Silent: true}
	return []scenario{
		{name: "cap/none, three at once", graph: busy(0), calls: 3, timed: true},
		{name: "cap/two at once", graph: busy(2), calls: 3, timed: true},
		{name: "cap/one at a time", graph: busy(1), calls: 3, timed: true},
		{name: "cap/of a list", calls: 5, timed: true,
			graph: Text("START -> l -> w").Does("l", Act{List: new(4)}).With("w", Node{Item: "i", Max: 2}).Does("i", Act{Takes: time.Second})},
		{name: "cap/two of four", graph: Text("START -> a -> J; START -> b -> J; START -> c -> J; START -> d -> J -> e").Capped(2).
			Does("e", silent), calls: 5},
		{name: "cap/a retry passes it", graph: Text("START -> a -> J; START -> b -> J -> e").Capped(1).
			With("a", Node{Attempts: 3, Pause: time.Second, Acts: []Act{{Fails: 2}}}).Does("e", silent), calls: 5},
	}
}
