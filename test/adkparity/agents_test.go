package adkparity_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	. "github.com/plait-dev/plait/test/adkparity"
)

// asks is an answer of a model that calls tools, each with the key k.
func asks(tools ...string) Reply {
	var r Reply
	for _, tool := range tools {
		r.Calls = append(r.Calls, Call{Tool: tool, Args: map[string]any{"key": "k"}})
	}
	return r
}

// says are the answers of a model, one after the other.
func says(texts ...string) []Reply {
	var all []Reply
	for _, text := range texts {
		all = append(all, Reply{Text: text})
	}
	return all
}

// late says them after some time: what an agent of ADK sees depends on whether another one was faster (D36).
func late(texts ...string) []Reply {
	all := says(texts...)
	for i := range all {
		all[i].Takes = time.Second
	}
	return all
}

func agent(a Agent) Node { return Node{Agent: &a} }

// toolbox gives a graph the tools that its agents and tool nodes use.
func toolbox(g *Graph) *Graph {
	g.Tools = map[string]Tool{
		"lookup": {}, "slow": {Takes: time.Minute}, "broken": {Fails: true}, "write": {State: map[string]any{"written": "w"}},
	}
	return g
}

// numberSchema is that of an object with a number n.
func numberSchema() map[string]any {
	return map[string]any{
		"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}, "required": []any{"n"},
	}
}

// agentScenarios are graphs of agents that do the same on both engines.
func agentScenarios() []scenario {
	helped := func(tools []string, says ...Reply) Node { return agent(Agent{Tools: tools, Says: says}) }
	done := Reply{Text: "done"}
	return []scenario{
		{name: "agent/an input of text", graph: Text("START -> a").With("a", agent(Agent{Instruction: "Be brief."}))},
		{name: "agent/without instruction", graph: Text("START -> a").With("a", agent(Agent{}))},
		{name: "agent/an input of a structure", graph: Text("START -> f -> a").With("a", agent(Agent{})).
			Does("f", Act{Output: map[string]any{"x": 1, "y": []any{"z", nil, true}}})},
		{name: "agent/an input of a number", graph: Text("START -> f -> a").Does("f", Act{Output: 7.5}).With("a", agent(Agent{}))},
		{name: "agent/an input of a list", graph: Text("START -> f -> a").Does("f", Act{List: new(2)}).With("a", agent(Agent{}))},
		{name: "agent/a chain of two", graph: Text("START -> a -> b -> f").With("a", agent(Agent{})).With("b", agent(Agent{}))},
		{name: "agent/thoughts are no output", graph: Text("START -> a -> f").With("a", agent(Agent{Says: []Reply{{Thinks: "hm", Text: "x"}}}))},
		{name: "agent/an empty answer", graph: Text("START -> a -> f").With("a", agent(Agent{Says: []Reply{{Thinks: "hm"}}}))},
		{name: "agent/failure", graph: Text("START -> a -> b").With("a", agent(Agent{Says: []Reply{{Fails: true}}})), class: Failed},
		{name: "agent/an input that doesn't fit its schema", graph: checked(Text("START -> a -> b").With("a", agent(Agent{})), "a",
			map[string]any{"type": "integer"}, nil), class: BadInput},
		{name: "agent/retry", graph: Text("START -> a -> f").With("a", Node{Attempts: 2, Pause: time.Second,
			Agent: &Agent{Says: []Reply{{Fails: true}, {Text: "x"}}}})},
		{name: "agent/timeout", graph: Text("START -> a -> f").With("a", Node{Timeout: time.Second,
			Agent: &Agent{Says: []Reply{{Text: "x", Takes: time.Minute}}}}), class: TimedOut},
		{name: "agent/in a loop", graph: Text("START -> a -> g -[again]-> a; g -[done]-> e").Routes("g", "again", "again", "done").
			With("a", agent(Agent{Says: says("one", "two", "three")}))},
		{name: "agent/in a nested workflow", graph: Text("START -> w -> f").With("w", Node{Inner: Text("START -> a -> b").
			With("a", agent(Agent{Key: "k"})).With("b", agent(Agent{Instruction: "{k}"}))})},
		{name: "agent/as a child", graph: Text("START -> d").With("d", Node{Children: []string{"a", "b"}}).
			With("a", agent(Agent{})).With("b", agent(Agent{Says: says("x")}))},
		{name: "agent/no input", graph: Text("START -> f -> a").Does("f", Act{Silent: true}).With("a", agent(Agent{Says: says("x")}))},
		{name: "agent/chat in a nested workflow", graph: Text("START -> w -> f").
			With("w", Node{Inner: Text("START -> a").With("a", agent(Agent{Chat: true}))})},

		{name: "prompt/a key that another agent wrote", graph: Text("START -> a -> b").
			With("a", agent(Agent{Key: "k"})).With("b", agent(Agent{Instruction: "It was {k}, {k}."}))},
		{name: "prompt/keys that are there", graph: Text("START -> f -> a").
			With("a", agent(Agent{Instruction: "{s} {b} {i} {x?} {app:s} {user:s} {temp:s} {s}"})).Knows(map[string]any{"s": "text", "b": true, "i": 7}).
			Does("f", Act{State: map[string]any{"app:s": "app", "user:s": "user", "temp:s": "temp"}})},
		{name: "prompt/an optional key that is missing", graph: Text("START -> a").With("a", agent(Agent{Instruction: "It was {k?}."}))},
		{name: "prompt/a key that is missing", graph: Text("START -> a").With("a", agent(Agent{Instruction: "It was {k}."})), class: BadPrompt},
		{name: "prompt/braces that are text", graph: Text("START -> a").
			With("a", agent(Agent{Instruction: `Give {"n": 1}, {a b}, {1}, {}, {{ k }} and { k }, {k-1}, {x:y}.`})).Knows(map[string]any{"k": "v"})},
		{name: "prompt/a value is text", graph: Text("START -> a").With("a", agent(Agent{Instruction: "{k}"})).
			Knows(map[string]any{"k": "{l}", "l": "x"})},
		{name: "prompt/a global instruction", graph: Text("START -> a").
			With("a", agent(Agent{Global: "All: {k}.", Instruction: "You."})).Knows(map[string]any{"k": "v"})},

		{name: "output/key", graph: Text("START -> a -> f").With("a", agent(Agent{Key: "k"}))},
		{name: "output/schema", graph: Text("START -> a -> f").With("a", agent(Agent{Schema: numberSchema(), Says: says("\n{\"n\": 1}\n")}))},
		{name: "output/schema and key", graph: Text("START -> a -> b").With("b", agent(Agent{})).
			With("a", agent(Agent{Key: "k", Schema: numberSchema(), Says: says(`{"n": 1}`)}))},
		{name: "output/schema and thoughts", graph: Text("START -> a -> f").
			With("a", agent(Agent{Schema: numberSchema(), Says: []Reply{{Thinks: "one", Text: `{"n": 1}`}}}))},

		{name: "tool/called", graph: toolbox(Text("START -> a -> f").With("a", helped([]string{"lookup"}, asks("lookup"), done)))},
		{name: "tool/called again and again", graph: toolbox(Text("START -> a -> f").
			With("a", helped([]string{"lookup"}, asks("lookup"), asks("lookup"), done)))},
		{name: "tool/two in one turn, the first slower", graph: toolbox(Text("START -> a -> f").
			With("a", helped([]string{"slow", "lookup"}, asks("slow", "lookup"), done)))},
		{name: "tool/the same twice in one turn", graph: toolbox(Text("START -> a -> f").
			With("a", helped([]string{"lookup"}, asks("lookup", "lookup"), done)))},
		{name: "tool/text beside a call", graph: toolbox(Text("START -> a -> f").With("a", helped([]string{"lookup"},
			Reply{Text: "let me see", Calls: asks("lookup").Calls}, done)))},
		{name: "tool/fails", graph: toolbox(Text("START -> a -> f").With("a", helped([]string{"broken"}, asks("broken"), done)))},
		{name: "tool/one of two fails", graph: toolbox(Text("START -> a -> f").
			With("a", helped([]string{"broken", "lookup"}, asks("broken", "lookup"), done)))},
		{name: "tool/unknown", graph: toolbox(Text("START -> a -> f").With("a", helped([]string{"write"}, asks("lookup"), done)))},
		{name: "tool/wrong arguments", graph: toolbox(Text("START -> a -> f").With("a", helped([]string{"lookup"},
			Reply{Calls: []Call{{Tool: "lookup", Args: map[string]any{"key": 7}}}}, done)))},
		{name: "tool/writes", graph: toolbox(Text("START -> a -> b").With("a", helped([]string{"write"}, asks("write"), done)).
			With("b", agent(Agent{Instruction: "{written}"})))},
		{name: "tool/key is the last answer", graph: toolbox(Text("START -> a").With("a", agent(Agent{Key: "k", Tools: []string{"lookup"},
			Says: []Reply{asks("lookup"), done}})))},
		{name: "tool/in a chat", graph: toolbox(Text("START -> a").With("a", agent(Agent{Chat: true, Tools: []string{"lookup"},
			Says: []Reply{asks("lookup"), {Text: "found"}, {Text: "again"}}})).Hears("and now?"))},

		{name: "history/a chat", graph: Text("START -> a").With("a", agent(Agent{Chat: true, Instruction: "Chat.", Says: says("hi", "bye")})).Hears("and?")},
		{name: "history/a chat of the current turn", graph: Text("START -> a").
			With("a", agent(Agent{Chat: true, Turn: true, Says: says("hi", "bye")})).Hears("and?")},
		{name: "history/a single turn has none", graph: Text("START -> a").With("a", agent(Agent{})).Hears("and?")},
		{name: "history/a chat and what others said", graph: Text("START -> a -> b").With("a", agent(Agent{Chat: true, Says: says("hi", "bye")})).
			With("b", agent(Agent{Says: says("well")})).Hears("and?")},
		{name: "history/a chat and tools of others", graph: toolbox(Text("START -> a -> b").With("a", agent(Agent{Chat: true, Says: says("hi", "bye")})).
			With("b", helped([]string{"lookup"}, asks("lookup"), done))).Hears("and?")},
		{name: "history/two chats side by side", graph: Text("START -> a -> J; START -> b -> J -> c").
			With("a", agent(Agent{Chat: true, Says: late("a1", "a2")})).With("b", agent(Agent{Chat: true, Says: late("b1", "b2")})).
			With("c", agent(Agent{Says: says("c1", "c2")})).Hears("and?")},
		{name: "history/two single turns side by side, and a third", graph: Text("START -> a -> J; START -> b -> J -> c").
			With("a", agent(Agent{Says: late("a1")})).With("b", agent(Agent{Says: late("b1")})).With("c", agent(Agent{Says: says("x")}))},
	}
}

func TestConformance_agents(t *testing.T) {
	for _, tc := range slices.Concat(agentScenarios(), teamScenarios()) {
		aspects := slices.DeleteFunc(Aspects(), func(a Aspect) bool { return slices.Contains(tc.but, a) })
		t.Run(tc.name, func(t *testing.T) {
			for schedule := range 4 {
				theirs := bubbles{t}.ADK(tc.graph, schedule)
				for _, apart := range []bool{false, true} {
					tc.graph.Apart = apart
					ours, _ := bubbles{t}.Document(tc.graph, schedule)
					want := cmp.Or(tc.class, Completed)
					if theirs.Class != want || ours.Class != want {
						t.Fatalf("ADK: %s, %v, ours: %s, %v; want %s", theirs.Class, theirs.Err, ours.Class, ours.Err, want)
					}
					if diffs := theirs.Diff(ours.AsADK(tc.graph), aspects...); len(diffs) > 0 {
						t.Fatalf("schedule %d, apart %v: %v\nADK: %v, ours: %v", schedule, apart, diffs, theirs.Err, ours.Err)
					}
				}
			}
		})
	}
}
