package adkparity

import (
	"slices"
	"time"
)

// Difference is a row of the table of what may differ from ADK. It has a graph that shows it, or says why none can.
type Difference struct {
	// ID is D and a number for a defect of ADK, X and a number for a decision of ours.
	ID string
	// What says what is different.
	What string

	// Graph is run on both engines, and Look tells what is to be seen; that must be exactly ADK and Ours. Runs is how
	// often it is run, with all that was seen put together; 0 is once.
	Graph     *Graph
	Look      func(Outcome) string
	Runs      int
	Alone     bool // ADK runs in a process of its own
	ADK, Ours string

	// Why says why there is no graph.
	Why string
}

// Differences is the table.
func Differences() []Difference {
	return slices.Concat(joins(), attempts(), children(), people(), outputs(), values(), branching(), bounds(), agents(), elsewhere())
}

func joins() []Difference {
	behind := "START -> c -[A]-> a -> J -> end; c -[B]-> b -> J"
	routed := "START -> r -[go]-> J -> end; START -> s -> J"
	return []Difference{
		{ID: "D1", What: "a node is triggered while it runs", Look: calls("d"),
			Graph: Text("START -> a -[x]-> d; START -> b -[x]-> d").Routes("a", "x").
				Does("b", Act{Routes: []string{"x"}, Takes: time.Second / 2}).Does("d", Act{Takes: time.Second}),
			ADK: "d runs 2 times, hung", Ours: "d runs 2 times, completed"},
		{ID: "D18", What: "a join behind routes of which one is taken", Graph: Text(behind).Routes("c", "A"), Look: firings,
			ADK: "J never fires", Ours: "J fires with [a]"},
		{ID: "D19", What: "a routed edge into a join that isn't taken, its source first", Look: firings,
			Graph: Text(routed).Does("r", Act{Routes: []string{"other"}}).Does("s", Act{Takes: time.Second}),
			ADK:   "J fires with [r s]", Ours: "J fires with [s]"},
		{ID: "D19", What: "the same, its source last", Look: firings,
			Graph: Text(routed).Does("r", Act{Routes: []string{"other"}, Takes: time.Second}).Does("s", Act{}),
			ADK:   "J never fires", Ours: "J fires with [s]"},
		{ID: "D20", What: "a join of which one source is in a loop", Look: firings,
			Graph: Text("START -> x -> J -> gate -[again]-> y -> J; START -> y; gate -[done]-> end").Routes("gate", "again", "done"),
			ADK:   "J fires with [x y], J fires with [x y]", Ours: "J fires with [x y], J fires with [y]"},
		{ID: "D20", What: "a source of a join that gives nothing the second time", Look: missing,
			Graph: Text("START -> a -> b -> J; a -> c -> J -> gate -[again]-> a; gate -[done]-> end").
				Does("b", Act{}, Act{Silent: true}).Routes("gate", "again", "done"),
			ADK: "J got 0 values of nothing", Ours: "J got 1 values of nothing"},
		{ID: "D23", What: "START as the source of a join", Look: missing,
			Graph: Text("START -> J; START -> a -> J"),
			ADK:   "J got 1 values of nothing", Ours: "J got 0 values of nothing"},
		{ID: "X8", What: "two edges without a route into a node", Graph: Text("START -> a -> c -> d; a -> b -> d"), Look: calls("d"),
			ADK: "d runs 0 times, refused", Ours: "d runs 2 times, completed"},
	}
}

func attempts() []Difference {
	return []Difference{
		{ID: "D7", What: "an error that wraps context.Canceled", Graph: Text("START -> a -> b").Does("a", Act{Fails: Forever, How: Cancels}),
			Look: class, ADK: "completed", Ours: "failed"},
		{ID: "D8", What: "an item of a worker panics", Look: class, Alone: true,
			Graph: Text("START -> l -> w").Does("l", Act{List: new(2)}).With("w", Node{Item: "i"}).Does("i", Act{}, Act{Fails: 1, How: Panics}),
			ADK:   "the process died", Ours: "panicked"},
		{ID: "D9", What: "a node with a retry fails while others are being cancelled", Look: class,
			Graph: Text("START -> a; START -> b").Does("a", Act{Fails: 1, Takes: time.Second}).
				With("b", Node{Attempts: 2, Acts: []Act{{Fails: 2, Takes: 1100 * time.Millisecond, Deaf: true}}}),
			ADK: "engine panicked", Ours: "failed"},
		{ID: "D16", What: "two items fail, the later one first", Look: item,
			Graph: Text("START -> l -> w").Does("l", Act{List: new(3)}).With("w", Node{Item: "i"}).
				Does("i", Act{}, Act{Fails: 1, Takes: 2 * time.Second}, Act{Fails: 1, Takes: time.Second}),
			ADK: "item 2 is to blame", Ours: "item 1 is to blame"},
		{ID: "D25", What: "the error of a run", Graph: Text("START -> a").Does("a", Act{Fails: 1}), Look: names("a@1"),
			ADK: "the error doesn't name a@1", Ours: "the error names a@1"},
		{ID: "D27", What: "jitter and the longest pause, 64 pauses", Look: longest("a", 30*time.Second),
			Graph: Text("START -> a").With("a", Node{Attempts: 65, Pause: 30 * time.Second, Jitter: 1, Acts: []Act{{Fails: 64}}}),
			ADK:   "some pause is longer than 30s", Ours: "no pause is longer than 30s"},
		{ID: "D28", What: "an output that comes after the timeout, 64 runs", Runs: 64, Look: seen("a"),
			Graph: Text("START -> a").With("a", Node{Timeout: time.Second, Acts: []Act{{Takes: 2 * time.Second, Deaf: true}}}),
			ADK:   "a's output is not seen, a's output is seen", Ours: "a's output is not seen"},
		{ID: "X2", What: "an edge with the route ERROR", Graph: Text("START -> a -> b; a -[ERROR]-> fix").Does("a", Act{Fails: 1}),
			Look: calls("fix"), ADK: "fix runs 0 times, failed", Ours: "fix runs 1 times, completed"},
		{ID: "X4", What: "state written by an attempt that failed", Look: state,
			Graph: Text("START -> a").With("a", Node{Attempts: 2, Acts: []Act{{Fails: 1, Early: map[string]any{"k": 1}}}}),
			ADK:   "k is 1", Ours: "k is null"},
	}
}

func children() []Difference {
	return []Difference{
		{ID: "D2", What: "a dynamic node in a loop", Look: calls("c"),
			Graph: Text("START -> d -> g -[again]-> d; g -[done]-> e").With("d", Node{Children: []string{"c"}}).Routes("g", "again", "done"),
			ADK:   "c runs 1 times, completed", Ours: "c runs 2 times, completed"},
		{ID: "D13", What: "a child's output is to be that of its dynamic node", Look: output,
			Graph: Text("START -> d -> e").With("d", Node{Children: []string{"c"}, Delegated: true}),
			ADK:   `"e(null)"`, Ours: `"e(c(in))"`},
		{ID: "D14", What: "the retry of a child", Look: calls("c"),
			Graph: Text("START -> d").With("d", Node{Children: []string{"c"}}).With("c", Node{Attempts: 2, Acts: []Act{{Fails: 1}}}),
			ADK:   "c runs 1 times, failed", Ours: "c runs 2 times, completed"},
		{ID: "D14", What: "the timeout of a child", Look: class,
			Graph: Text("START -> d").With("d", Node{Children: []string{"c"}}).
				With("c", Node{Timeout: time.Second, Acts: []Act{{Takes: time.Minute}}}),
			ADK: "completed", Ours: "timed out"},
	}
}

func people() []Difference {
	ask := Act{Asks: true}
	return []Difference{
		{ID: "D3", What: "a join of a question and of a node that ended before the answer", Look: firings,
			Graph: Text("START -> ask -> J -> e; START -> work -> J").Does("ask", ask).Answered([]string{"ask"}),
			ADK:   "J never fires", Ours: "J fires with [ask work]"},
		{ID: "D4", What: "two questions before a join, answered in one message", Look: once("e"),
			Graph: Text("START -> a -> J -> e; START -> b -> J").Does("a", ask).Does("b", ask).Answered([]string{"a", "b"}),
			ADK:   "e runs twice, or the run hangs or fails", Ours: "e runs once, completed"},
		{ID: "D5", What: "a question in a nested workflow", Look: calls("y"),
			Graph: Text("START -> w -> e").With("w", Node{Inner: Text("START -> ask -> y").Does("ask", ask)}).Answered([]string{"ask"}),
			ADK:   "y runs 0 times, completed", Ours: "y runs 1 times, completed"},
		{ID: "D6", What: "a question in a loop of three laps", Look: calls("g"),
			Graph: Text("START -> a -> ask -> g -[again]-> a; g -[done]-> e").Does("ask", ask).Routes("g", "again", "again", "done").
				Answered([]string{"ask"}, []string{"ask"}, []string{"ask"}),
			ADK: "g runs 1 times, completed", Ours: "g runs 3 times, completed"},
		{ID: "D10", What: "an answer to a question that nobody asked", Look: calls("ask"),
			Graph: Text("START -> ask -> e").Does("ask", ask).Answered([]string{unasked}),
			ADK:   "ask runs 2 times, waiting", Ours: "ask runs 1 times, bad answer"},
		{ID: "D12", What: "a child asks after another one has ended", Look: calls("c"),
			Graph: Text("START -> d").With("d", Node{Children: []string{"c", "ask"}}).Does("ask", ask).Answered([]string{"ask"}),
			ADK:   "c runs 2 times, completed", Ours: "c runs 1 times, completed"},
		{ID: "X5", What: "a node that waits is triggered again", Look: calls("ask"),
			Graph: Text("START -> a -[x]-> ask; START -> b -[x]-> ask").Does("ask", ask).Routes("a", "x").
				Does("b", Act{Takes: time.Second, Routes: []string{"x"}}),
			ADK: "ask runs 2 times, waiting", Ours: "ask runs 1 times, waiting"},
	}
}

func outputs() []Difference {
	silent := Act{Silent: true}
	return []Difference{
		{ID: "D24", What: "a nested workflow that gives nothing, with a node named as the outer workflow", Look: output,
			Graph: Text("START -> v").With("v", Node{Inner: Text("START -> x -> wf").Does("wf", silent)}),
			ADK:   `"x(in)"`, Ours: "null"},
		{ID: "D24", What: "a nested workflow that ends in a dynamic node that gives nothing, of which a child gave something", Look: output,
			Graph: Text("START -> v").With("v", Node{Inner: Text("START -> d").With("d", Node{Children: []string{"a", "b"}}).Does("b", silent)}),
			ADK:   `"a(in)"`, Ours: "null"},
		{ID: "D26", What: "a route that no edge takes", Graph: Text("START -> a -[x]-> b").Routes("a", "y"), Look: notes,
			ADK: "no warning", Ours: "unmatched-route, no-output"},
		{ID: "X1", What: "two terminals give an output", Graph: Text("START -> a; START -> b"), Look: output,
			ADK: "several outputs", Ours: `{"a":"a(in)","b":"b(in)"}`},
		{ID: "X1", What: "two terminals of a nested workflow give an output", Look: calls("c"),
			Graph: Text("START -> v -> c").With("v", Node{Inner: Text("START -> a; START -> b")}),
			ADK:   "c runs 0 times, several outputs", Ours: "c runs 1 times, completed"},
	}
}

func values() []Difference {
	return []Difference{
		{ID: "D15", What: "state written by an item of a worker", Look: state,
			Graph: Text("START -> l -> w").Does("l", Act{List: new(1)}).With("w", Node{Item: "i"}).Does("i", Act{State: map[string]any{"k": 1}}),
			ADK:   "k is null", Ours: "k is 1"},
		{ID: "D15", What: "the timeout of the body of a worker", Look: class,
			Graph: Text("START -> l -> w").Does("l", Act{List: new(1)}).With("w", Node{Item: "i"}).
				With("i", Node{Timeout: time.Second, Acts: []Act{{Takes: time.Minute}}}),
			ADK: "completed", Ours: "timed out"},
		{ID: "D22", What: "state written through the context", Look: state,
			Graph: Text("START -> a").Does("a", Act{Direct: map[string]any{"k": 1}}),
			ADK:   "k is null", Ours: "k is 1"},
		{ID: "X9", What: "two write a key at once, the first triggered is slower", Look: state,
			Graph: Text("START -> a; START -> b").
				Does("a", Act{Silent: true, Takes: 2 * time.Second, State: map[string]any{"k": "a"}}).
				Does("b", Act{Silent: true, Takes: time.Second, State: map[string]any{"k": "b"}}),
			ADK: `k is "a"`, Ours: `k is "b"`},
	}
}

func branching() []Difference {
	list := "START -> l -> w"
	return []Difference{
		{ID: "X14", What: "the branches of a fan-out in a loop", Look: branches("b"),
			Graph: Text("START -> a -> b -> J -> g -[again]-> a; a -> c -> J; g -[done]-> end").Routes("g", "again", "done"),
			ADK:   "b on b@1, b on b@1", Ours: "b on b@1, b on b@2"},
		{ID: "X15", What: "the branches of the items of a list", Look: branches("i"),
			Graph: Text(list).Does("l", Act{List: new(2)}).With("w", Node{Item: "i"}),
			ADK:   "i on i@1, i on i@2", Ours: "i on w@1/1, i on w@1/2"},
		{ID: "X16", What: "the branch of the only item of a list", Look: branches("i"),
			Graph: Text(list).Does("l", Act{List: new(1)}).With("w", Node{Item: "i"}),
			ADK:   "i on i@1", Ours: "i on the trunk"},
		{ID: "X17", What: "the branch of a node beside a join that fires at once", Look: branches("b", "c"),
			Graph: Text("START -> a -> b; a -> J -> c").Does("c", Act{Silent: true}),
			ADK:   "b on b@1, c on the trunk", Ours: "b on the trunk, c on the trunk"},
		{ID: "X18", What: "a child that is to have a branch of its own", Look: branches("c"),
			Graph: Text("START -> d").With("d", Node{Children: []string{"c"}, Apart: true}),
			ADK:   "c on c@1", Ours: "c on the trunk"},
	}
}

func bounds() []Difference {
	wide := Text("START -> x -> J; START -> y -> J; START -> z -> J")
	for _, name := range []string{"x", "y", "z"} {
		wide.Does(name, Act{Takes: time.Second})
	}
	return []Difference{
		{ID: "X6", What: "a cap of 1 around a nested workflow", Graph: Text("START -> v").With("v", Node{Inner: wide}).Capped(1), Look: peak,
			ADK: "3 at once", Ours: "1 at once"},
		{ID: "D29", What: "a name that breaks paths", Graph: Text("START -> a/b -> c"), Look: class, ADK: "completed", Ours: "refused"},
		{ID: "D35", What: "two mistakes in one graph, 64 times", Runs: 64, Look: blamed("a", "c"),
			Graph: Text("START -> a -> b; a -[x]-> b; START -> c -> d; c -[x]-> d"),
			ADK:   "only a is told, only c is told", Ours: "all is told"},
		{ID: "X10", What: "a route on an edge from START", Graph: Text("START -[x]-> a"), Look: class, ADK: "completed", Ours: "refused"},
		{ID: "X11", What: "a loop that nothing can leave", Look: class,
			Graph: Text("START -> a -> b -[x]-> a").Routes("b", "x", "y"), ADK: "completed", Ours: "refused"},
		{ID: "X12", What: "a retry of the body of a worker", Look: calls("i"),
			Graph: Text("START -> l -> w").Does("l", Act{List: new(1)}).With("w", Node{Item: "i", Attempts: 2}).
				With("i", Node{Attempts: 2, Acts: []Act{{Fails: 1}}}),
			ADK: "i runs 0 times, refused", Ours: "i runs 2 times, completed"},
		{ID: "X13", What: "a node produces the route DEFAULT", Graph: Text("START -> a -[DEFAULT]-> b").Routes("a", "DEFAULT"), Look: class,
			ADK: "completed", Ours: "bad route"},
	}
}

// elsewhere lists what no graph of this package can show.
func elsewhere() []Difference {
	const (
		yaml = "is about ADK's YAML files, which we don't read; the tests of package declarative are about ours"
		cost = "is about cost, not about what happens: docs/benchmarks.md"

		transfers = "the random graphs have no agents that call or follow each other by their models' choice; the scenarios of package build do"
	)
	return []Difference{
		{ID: "D11", What: "YAML workflows can't resume", Why: yaml},
		{ID: "D17", What: "NodeConfig.ParallelWorker is ignored", Why: "we have no such field: a worker is made by NewParallelWorker alone"},
		{ID: "D30", What: "a function can't be named twice in YAML", Why: yaml},
		{ID: "D31", What: "some YAML paths may leave the directory", Why: yaml},
		{ID: "D32", What: "the cost of a fan-in is quadratic", Why: cost},
		{ID: "D33", What: "an output is told again at each level of nesting", Why: cost},
		{ID: "D34", What: "comments describe what doesn't exist", Why: "is about comments"},
		{ID: "X35", What: "the schema of a join is that of the map, not of each value in it", Why: "the one can be written as the other, which the comparison does"},
		{ID: "X43", What: "a transfer beside other calls of a turn waits until the agent has seen what they gave", Why: transfers},
		{ID: "X44", What: "the session of an agent that is called as a tool has no keys of the application and the user of its own, and no temporary ones",
			Why: transfers},
	}
}
