package adkparity_test

import (
	"testing"
	"time"

	. "github.com/plait-dev/plait/test/adkparity"
)

// agentScenarios are graphs of agents, with what both engines must come to.
func agentScenarios() []scenario {
	agent := func(a Agent) Node { return Node{Agent: &a} }
	say := func(texts ...string) []Reply {
		var all []Reply
		for _, text := range texts {
			all = append(all, Reply{Text: text})
		}
		return all
	}
	look := Reply{Calls: []Call{{Tool: "lookup", Args: map[string]any{"key": "k"}}}}
	_ = look
	tools := func(g *Graph) *Graph {
		g.Tools = map[string]Tool{"lookup": {}, "broken": {Fails: true}, "write": {State: map[string]any{"written": "w"}}}
		return g
	}
	_ = time.Second
	return []scenario{
		{name: "agent/an input of text", graph: Text("START -> a").With("a", agent(Agent{Instruction: "Be brief."}))},
		{name: "agent/no instruction", graph: Text("START -> a").With("a", agent(Agent{}))},
		{name: "agent/an input of a structure", graph: Text("START -> f -> a").Does("f", Act{Output: map[string]any{"x": 1, "y": []any{"<z>"}}}).With("a", agent(Agent{}))},
		{name: "agent/an input of a number", graph: Text("START -> f -> a").Does("f", Act{Output: 7}).With("a", agent(Agent{}))},
		{name: "agent/no input", graph: Text("START -> f -> a").Does("f", Act{Silent: true}).With("a", agent(Agent{Says: say("x")}))},
		{name: "agent/chain", graph: Text("START -> a -> b -> f").With("a", agent(Agent{})).With("b", agent(Agent{}))},
		{name: "agent/key", graph: Text("START -> a -> b").With("a", agent(Agent{Key: "k"})).With("b", agent(Agent{Instruction: "It was {k}."}))},
		{name: "agent/optional placeholder", graph: Text("START -> a").With("a", agent(Agent{Instruction: "It was {k?}."}))},
		{name: "agent/missing placeholder", graph: Text("START -> a").With("a", agent(Agent{Instruction: "It was {k}."}))},
		{name: "agent/fails", graph: Text("START -> a -> b").With("a", agent(Agent{Says: []Reply{{Fails: true}}}))},
		{name: "agent/chat", graph: Text("START -> a -> f").With("a", agent(Agent{Chat: true, Instruction: "Chat."}))},
		{name: "agent/tool", graph: tools(Text("START -> a -> f").With("a", agent(Agent{Tools: []string{"lookup"}, Says: []Reply{look, {Text: "done"}}})))},
		{name: "agent/unknown tool", graph: tools(Text("START -> a -> f").With("a", agent(Agent{Tools: []string{"write"}, Says: []Reply{look, {Text: "done"}}})))},
		{name: "agent/broken tool", graph: tools(Text("START -> a -> f").With("a", agent(Agent{Tools: []string{"broken"}, Says: []Reply{{Calls: []Call{{Tool: "broken", Args: map[string]any{"key": "k"}}}}, {Text: "done"}}})))},
		{name: "agent/schema", graph: Text("START -> a -> f").With("a", agent(Agent{Schema: map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}, "required": []any{"n"}}, Says: say(`{"n": 1}`)}))},
		{name: "agent/fan-out", graph: Text("START -> a -> J; START -> b -> J; J -> c").With("a", agent(Agent{})).With("b", agent(Agent{})).With("c", agent(Agent{}))},
		{name: "tool/node", graph: tools(Text("START -> f -> t -> g").Does("f", Act{Output: map[string]any{"key": "k"}}).With("t", Node{Tool: "lookup"}))},
	}
}

func TestConformance_agents(t *testing.T) {
	for _, tc := range agentScenarios() {
		t.Run(tc.name, func(t *testing.T) {
			theirs := bubbles{t}.ADK(tc.graph, 0)
			for _, apart := range []bool{false, true} {
				tc.graph.Apart = apart
				ours, _ := bubbles{t}.Document(tc.graph, 0)
				if diffs := theirs.Diff(ours.AsADK(tc.graph), Aspects()...); len(diffs) > 0 {
					t.Errorf("apart %v: %v\nADK: %v, ours: %v", apart, diffs, theirs.Err, ours.Err)
				}
			}
		})
	}
}
