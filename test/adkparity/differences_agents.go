package adkparity

import (
	"slices"
	"time"
)

// agents are the rows about agents, tools and schemas.
func agents() []Difference {
	return slices.Concat(prompts(), teams(), answers(), tools(), checks())
}

// node makes a node of an agent.
func node(a Agent) Node { return Node{Agent: &a} }

// withTools gives a graph its tools.
func (g *Graph) withTools(tools map[string]Tool) *Graph {
	g.Tools = tools
	return g
}

func texts(all ...string) (replies []Reply) {
	for _, text := range all {
		replies = append(replies, Reply{Text: text})
	}
	return replies
}

func prompts() []Difference {
	one := "START -> a"
	return []Difference{
		{ID: "X19", What: "the system prompt of a chat", Graph: Text(one).With("a", node(Agent{Chat: true, Instruction: "Chat."})),
			Look: system, ADK: `"Chat.\n\nYou are an agent. Your internal name is \"a\"."`, Ours: `"Chat."`},
		{ID: "X20", What: "how a chat is told what another agent said", Look: sees,
			Graph: Text("START -> a -> b").With("a", node(Agent{Chat: true, Says: texts("hi")})).With("b", node(Agent{Says: texts("well")})).Hears("and?"),
			ADK:   "a sees user: in / model: hi / user: For context: / user: [b] said: well / user: and?",
			Ours:  "a sees user: in / model: hi / user: For context, the agent b said:\nwell / user: and?"},
		{ID: "X21", What: "what a chat sees of a run that ended in something else than an agent", Look: sees,
			Graph: Text("START -> a -> f").With("a", node(Agent{Chat: true, Says: texts("hi")})).Hears("and?"),
			ADK:   "a sees user: in / model: hi / user: and?",
			Ours:  "a sees user: in / model: hi / user: For context, the agent wf said:\nf(hi) / user: and?"},
		{ID: "X22", What: "markup in a structure that is an agent's input", Look: sees,
			Graph: Text("START -> f -> a").Does("f", Act{Output: map[string]any{"x": "<b>"}}).With("a", node(Agent{})),
			ADK:   `a sees user: {"x":"\u003cb\u003e"}`, Ours: `a sees user: {"x":"<b>"}`},
		{ID: "X28", What: "a structure and a big number in a placeholder", Look: system,
			Graph: Text(one).With("a", node(Agent{Instruction: "{m} {l} {n}"})).
				Knows(map[string]any{"m": map[string]any{"x": "y"}, "l": []any{"x", true}, "n": 15e9}),
			ADK: `"map[x:y] [x true] 1.5e+10"`, Ours: `"{\"x\":\"y\"} [\"x\",true] 15000000000"`},
		{ID: "X29", What: "white space around an instruction", Graph: Text(one).With("a", node(Agent{Instruction: "\n Be brief.\n"})),
			Look: system, ADK: `"\n Be brief.\n"`, Ours: `"Be brief."`},
		{ID: "X31", What: "a chat as the child of a dynamic node", Look: class,
			Graph: Text("START -> d").With("d", Node{Children: []string{"a"}}).With("a", node(Agent{Chat: true})),
			ADK:   "completed", Ours: "refused"},
	}
}

// members makes a team of agents, which are nodes of the graph.
func (g *Graph) members(name string, way Team, laps int, members ...string) *Graph {
	return g.With(name, Node{Team: way, Members: members, Laps: laps})
}

func teams() []Difference {
	line, says := "START -> t -> e", func(text string) Node { return node(Agent{Says: texts(text)}) }
	exits := node(Agent{Tools: []string{exitLoop}, Says: []Reply{{Calls: []Call{{Tool: exitLoop}}}, {Text: "enough"}}})
	pair := func(way Team) *Graph {
		return Text(line).members("t", way, 1, "b", "a").With("a", says("a1")).With("b", says("b1"))
	}
	return []Difference{
		{ID: "D21", What: "a Workflow agent as a node", Look: output,
			Graph: Text("START -> w -> e").With("w", Node{Inner: Text("START -> x"), Ref: true}), ADK: `"e(null)"`, Ours: `"e(x(in))"`},
		{ID: "D21", What: "a SequentialAgent as a node", Graph: pair(Sequence), Look: output, ADK: `"e(null)"`, Ours: `"e(a1)"`},
		{ID: "D21", What: "a ParallelAgent as a node", Graph: pair(Parallel), Look: output, ADK: `"e(null)"`, Ours: `"e({\"a\":\"a1\",\"b\":\"b1\"})"`},
		{ID: "D21", What: "a LoopAgent as a node", Graph: pair(Loop), Look: output, ADK: `"e(null)"`, Ours: `"e(a1)"`},
		{ID: "X40", What: "a member of a SequentialAgent that says no mode", Graph: pair(Sequence), Look: sees,
			ADK: "a sees user: in / user: For context: / user: [b] said: b1", Ours: "a sees user: in"},
		{ID: "X41", What: "the branches of the members of a ParallelAgent", Graph: pair(Parallel), Look: said,
			ADK: "a on t.a model: a1, b on t.b model: b1", Ours: "a on a@1 model: a1, b on b@1 model: b1"},
		{ID: "X42", What: "an agent that ends its loop", Look: asked, Graph: Text("START -> t").members("t", Loop, 3, "a").With("a", exits),
			ADK: "asked 1 times, completed", Ours: "asked 2 times, completed"},
		{ID: "X7", What: "a loop in a loop, of which the inner one is ended", Look: asked,
			Graph: Text("START -> t").members("t", Loop, 2, "u", "a").members("u", Loop, 3, "x").With("x", exits).With("a", says("a1")),
			ADK:   "asked 0 times, completed", Ours: "asked 2 times, completed"},
	}
}

func answers() []Difference {
	line := "START -> a -> f"
	number := map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}, "required": []any{"n"}}
	return []Difference{
		{ID: "X24", What: "an answer that doesn't fit the schema", Look: asked,
			Graph: Text(line).With("a", node(Agent{Schema: number, Says: texts("one", `{"n":1}`)})),
			ADK:   "asked 1 times, bad output", Ours: "asked 2 times, completed"},
		{ID: "X25", What: "an answer with more than what the schema names", Look: class,
			Graph: Text(line).With("a", node(Agent{Schema: number, Says: texts(`{"n":1,"m":2}`)})), ADK: "bad output", Ours: "completed"},
		{ID: "X26", What: "an answer that is to be a list", Look: class,
			Graph: Text(line).With("a", node(Agent{Schema: map[string]any{"type": "array", "items": map[string]any{"type": "integer"}}, Says: texts("[1,2]")})),
			ADK:   "bad output", Ours: "completed"},
		{ID: "D15", What: "what an item says that is an agent", Look: said,
			Graph: Text("START -> l -> w").Does("l", Act{List: new(1)}).With("w", Node{Item: "a"}).With("a", node(Agent{Says: texts("hi")})),
			ADK:   "nothing is said", Ours: "w on  model: hi"},
		{ID: "D15", What: "the output key of an item that is an agent", Look: state,
			Graph: Text("START -> l -> w").Does("l", Act{List: new(1)}).With("w", Node{Item: "a"}).With("a", node(Agent{Key: "k", Says: texts("hi")})),
			ADK:   "k is null", Ours: `k is "hi"`},
		{ID: "D15", What: "a question of an item", Look: calls("e"),
			Graph: Text("START -> l -> w -> e").Does("l", Act{List: new(1)}).With("w", Node{Item: "i"}).Does("i", Act{Asks: true}),
			ADK:   "e runs 1 times, waiting", Ours: "e runs 0 times, waiting"},
		{ID: "D38", What: "the caller ends a run in which a child executes", Look: class,
			Graph: stopped(Text("START -> d").With("d", Node{Children: []string{"c"}}).Does("c", Act{Takes: time.Minute}), time.Second),
			ADK:   "other", Ours: "stopped"},
		{ID: "X39", What: "the paths of activations", Graph: Text("START -> a -> w").With("w", Node{Inner: Text("START -> x")}),
			Look: paths, ADK: "wf@1/a@1, wf@1/w@1", Ours: "a@1, w@1, w@1/x@1"},
		{ID: "X34", What: "an attempt that fails when its caller has ended the run", Look: class,
			Graph: stopped(Text("START -> a").Does("a", Act{Fails: 1, Takes: 1500 * time.Millisecond, Deaf: true}), time.Second),
			ADK:   "failed", Ours: "stopped"},
	}
}

// stopped ends the run after some time.
func stopped(g *Graph, after time.Duration) *Graph {
	g.Stop = after
	return g
}

func tools() []Difference {
	box := map[string]Tool{"find": {}, "slow": {Takes: time.Minute}}
	find := func(tool string) Reply { return Reply{Calls: []Call{{Tool: tool, Args: map[string]any{"key": "k"}}}} }
	helped := func(tool string, says ...Reply) Node { return node(Agent{Tools: []string{tool}, Says: says}) }
	found := `model: calls find {"key":"k"} / tool: find gives {"found":"find(k)"}`
	return []Difference{
		{ID: "D36", What: "an agent that called a tool, when another one beside it has said something meanwhile", Look: sees,
			Graph: Text("START -> a -> J; START -> b -> J").withTools(box).With("a", helped("slow", find("slow"), Reply{Text: "done"})).
				With("b", node(Agent{Says: []Reply{{Text: "hi", Takes: time.Second}}})),
			ADK:  `a sees tool: slow gives {"found":"slow(k)"}`,
			Ours: `a sees user: in / model: calls slow {"key":"k"} / tool: slow gives {"found":"slow(k)"}`},
		{ID: "D37", What: "an item that is an agent and has called a tool", Look: sees,
			Graph: Text("START -> l -> w").withTools(box).Does("l", Act{List: new(1)}).With("w", Node{Item: "a"}).
				With("a", helped("find", find("find"), Reply{Text: "done"})),
			ADK: "a sees user: l(in).0", Ours: "a sees user: l(in).0 / " + found},
		{ID: "X27", What: "another attempt of an agent that has called a tool", Look: sees,
			Graph: Text("START -> a").withTools(box).With("a", Node{Attempts: 2, Agent: &Agent{
				Tools: []string{"find"}, Says: []Reply{find("find"), {Fails: true}, {Text: "done"}}}}),
			ADK: "a sees user: in", Ours: "a sees user: in / " + found},
		{ID: "X23", What: "what a model reads when it calls a tool that it doesn't have", Look: sees,
			Graph: Text("START -> a").withTools(box).With("a", helped("slow", find("find"), Reply{Text: "done"})),
			ADK: `a sees user: in / model: calls find {"key":"k"} / tool: find fails, tool 'find' not found.` + "\nAvailable tools: slow\n\n" +
				"Possible causes:\n  1. LLM hallucinated the function name - review agent instruction clarity\n" +
				"  2. Tool not registered - verify agent.tools list\n  3. Name mismatch - check for typos\n\nSuggested fixes:\n" +
				"  - Review agent instruction to ensure tool usage is clear\n  - Verify tool is included in agent.tools list\n" +
				"  - Check for typos in function name",
			Ours: `a sees user: in / model: calls find {"key":"k"} / tool: find fails, there is no tool "find"; the tools are: slow`},
		{ID: "X23", What: "what a model reads when arguments don't fit the tool", Look: sees,
			Graph: Text("START -> a").withTools(box).With("a", helped("find", Reply{Calls: []Call{{Tool: "find"}}}, Reply{Text: "done"})),
			ADK:   `a sees user: in / model: calls find {} / tool: find fails, validating root: required: missing properties: ["key"]`,
			Ours: "a sees user: in / model: calls find {} / tool: find fails, not run: the arguments of find don't fit its schema: " +
				`validating root: required: missing properties: ["key"]`},
		{ID: "X38", What: "a tool that gives text, as a node", Look: output,
			Graph: Text("START -> f -> t").withTools(map[string]Tool{"talk": {Says: "hi"}}).
				Does("f", Act{Output: map[string]any{"key": "k"}}).With("t", Node{Tool: "talk"}),
			ADK: `{"result":"hi"}`, Ours: `{"output":"hi"}`},
		{ID: "X38", What: "the same, called by an agent", Look: sees,
			Graph: Text("START -> a").withTools(map[string]Tool{"talk": {Says: "hi"}}).With("a", helped("talk", find("talk"), Reply{Text: "done"})),
			ADK:   `a sees user: in / model: calls talk {"key":"k"} / tool: talk gives {"result":"hi"}`,
			Ours:  `a sees user: in / model: calls talk {"key":"k"} / tool: talk gives hi`},
		{ID: "X3", What: "text for a tool node whose tool takes a text", Graph: Text("START -> t").withTools(box).With("t", Node{Tool: "find"}),
			Look: used, ADK: "bad input", Ours: `find called with {"key":"in"}, completed`},
		{ID: "X3", What: "the same with text that is JSON", Look: used,
			Graph: Text("START -> f -> t").withTools(box).Does("f", Act{Output: `{"key":"k"}`}).With("t", Node{Tool: "find"}),
			ADK:   `find called with {"key":"k"}, completed`, Ours: `find called with {"key":"{\"key\":\"k\"}"}, completed`},
	}
}

func checks() []Difference {
	number := map[string]any{"type": "integer"}
	given := func(v any, in map[string]any) *Graph {
		return Text("START -> f -> a").Does("f", Act{Output: v, Silent: v == nil}).With("a", Node{In: in})
	}
	return []Difference{
		{ID: "X30", What: "text that is JSON, where the schema of an input wants something else than text", Look: output,
			Graph: given("7", number), ADK: `"a(7)"`, Ours: "bad input"},
		{ID: "X30", What: "the same with the schema of an output", Look: output,
			Graph: Text("START -> a -> b").With("a", Node{Out: number, Acts: []Act{{Output: "7"}}}), ADK: `"b(7)"`, Ours: "bad output"},
		{ID: "X30", What: "the same with the output of an agent node", Look: output,
			Graph: func() *Graph {
				g := Text("START -> a -> b").With("a", Node{Agent: &Agent{Says: texts("7")}, Out: number})
				g.Apart = true
				return g
			}(),
			ADK: `"b(7)"`, Ours: "bad output"},
		{ID: "X32", What: "no input, where the schema wants one", Graph: given(nil, number), Look: output, ADK: `"a(null)"`, Ours: "bad input"},
		{ID: "X33", What: "another attempt after an output that doesn't fit its schema", Look: calls("a"),
			Graph: Text("START -> a").With("a", Node{Attempts: 2, Out: map[string]any{"type": "integer"}}),
			ADK:   "a runs 1 times, bad output", Ours: "a runs 2 times, bad output"},
		{ID: "X36", What: "two ends of an edge with different schemas, when the graph is made in Go", Look: class,
			Graph: Text("START -> a -> b").With("a", Node{Out: map[string]any{"type": "string"}}).With("b", Node{In: number}),
			ADK:   "refused", Ours: "bad input"},
		{ID: "X37", What: "a nested workflow that is named as its own, when the graph is made in Go", Look: class,
			Graph: Text("START -> wf").With("wf", Node{Inner: Text("START -> x")}), ADK: "refused", Ours: "completed"},
	}
}
