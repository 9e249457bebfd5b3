package adkparity_test

import (
	. "github.com/plait-dev/plait/test/adkparity"
)

// team is a graph of a team of the agents a and b.
func team(way Team, n Node, a, b Agent) *Graph {
	n.Team, n.Members = way, []string{"a", "b"}
	return Text("START -> t").With("t", n).With("a", agent(a)).With("b", agent(b))
}

// teamScenarios are agents of agents. What they give ADK doesn't know (D21), and it has other names for the branches of
// those that work side by side (X41).
func teamScenarios() []scenario {
	chat := func(texts ...string) Agent { return Agent{Chat: true, Says: late(texts...)} }
	output := []Aspect{OutputAspect}
	behind := team(Sequence, Node{}, chat("a1"), chat("b1"))
	behind.Edges = Text("START -> f -> t").Edges
	broken := Agent{Chat: true, Says: []Reply{{Fails: true}}}
	return []scenario{
		{name: "team/a sequence", graph: team(Sequence, Node{}, chat("a1"), chat("b1")), but: output},
		{name: "team/a sequence in the next turn", graph: team(Sequence, Node{}, chat("a1", "a2"), chat("b1", "b2")).Hears("and?"), but: output},
		{name: "team/a sequence behind a function", graph: behind, but: output},
		{name: "team/a sequence that tells by the state", but: output,
			graph: team(Sequence, Node{}, Agent{Chat: true, Key: "k", Says: late("x")}, Agent{Chat: true, Instruction: "It was {k}.", Says: late("y")})},
		{name: "team/a loop", graph: team(Loop, Node{Laps: 2}, chat("a1", "a2"), chat("b1", "b2")), but: output},
		{name: "team/side by side", graph: team(Parallel, Node{}, chat("a1"), chat("b1")), but: []Aspect{OutputAspect, SaidAspect}},
		{name: "team/the first of a sequence fails", graph: team(Sequence, Node{}, broken, chat("b1")), class: Failed},
		{name: "team/one of those side by side fails", graph: team(Parallel, Node{}, broken, chat("b1")), class: Failed},
	}
}
