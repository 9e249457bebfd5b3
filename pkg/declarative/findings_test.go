package declarative_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// onNode puts fields into a node of a workflow in which nothing else is wrong.
func onNode(fields string) string {
	return "agents:\n" + workflow("main", "      - { id: a, "+fields+" }\n", "      - { from: START, to: a }\n")
}

// onSchema puts a schema into such a node.
func onSchema(schema string) string { return onNode("type: cel, input_schema: " + schema) }

// onEdge puts an edge behind a node that gives routes nobody knows.
func onEdge(fields string) string {
	return "agents:\n" + workflow("main", "      - { id: a, type: function, function: score }\n      - { id: b, type: cel }\n",
		"      - { from: START, to: a }\n      - { from: a, to: b, route: DEFAULT }\n      - { "+fields+" }\n")
}

func onAgent(fields string) string { return "agents:\n  - { name: a, " + fields + " }\n" }

func onServer(fields string) string {
	return "mcp_servers:\n  - { name: crm, " + fields + " }\nagents:\n  - { name: a }\n"
}

// The one finding about each document, as "code path: message; hint".
func TestFindings(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"limits of an agent on a document": {"limits: { max_turns: 3 }\n" + onAgent("description: x"),
			`unknown-field limits.max_turns: "max_turns" is no field of limits of a document; max_turns is a limit of agents and llm nodes`},
		"limits of a document on an agent": {onAgent("limits: { max_steps: 3 }"),
			`unknown-field agents[a].limits.max_steps: "max_steps" is no field of limits of an agent or llm node; max_steps is a limit of the document`},
		"limits that are no map":   {onAgent("limits: 3"), `wrong-type agents[a].limits: "limits" is an integer; expected limits of an agent or llm node (a map)`},
		"metadata that is no map":  {"metadata: x\n" + onAgent("model: fast"), `wrong-type metadata: "metadata" is a string; expected metadata (a map)`},
		"a label that is a number": {"metadata: { labels: { a: 1 } }\n" + onAgent("model: fast"), `wrong-type metadata.labels.a: "a" is an integer; expected a string; put it in quotes: "1"`},
		"no agents":                {"agents: []\n", `missing-field agents: "agents" is empty; a document has at least one agent`},
		"an empty root_agent":      {"root_agent: ''\n" + onAgent("model: fast"), `missing-field root_agent: "root_agent" is empty`},

		"URL without a host":       {onServer("url: \"http://\""), `bad-value mcp_servers[crm].url: "http://" has no host; expected something like https://host/mcp`},
		"URL with a fragment":      {onServer("url: \"http://crm-mcp/#x\""), `bad-value mcp_servers[crm].url: "http://crm-mcp/#x" has a fragment, which isn't sent to a server; expected something like https://host/mcp`},
		"URL that isn't one":       {onServer("url: \"http://a b/\""), `bad-value mcp_servers[crm].url: "http://a b/" is no URL; expected something like https://host/mcp`},
		"a variable with a dash":   {onServer("url_env: CRM-URL"), `bad-name mcp_servers[crm].url_env: "CRM-URL" can't be the name of a variable; it consists of letters, digits and _`},
		"a tool twice":             {onServer("url: \"http://crm-mcp/\", tools: [a, a]"), `duplicate-name mcp_servers[crm].tools[1]: "a" stands twice in "tools"; remove one of them`},
		"a header that is a list":  {onServer("url: \"http://crm-mcp/\", headers: { X: [] }"), `wrong-type mcp_servers[crm].headers.X: "X" is a list; expected a string, {value: TEXT} or {env: NAME}`},
		"a header without a value": {onServer("url: \"http://crm-mcp/\", headers: { X: {} }"), `exclusive mcp_servers[crm].headers.X: a header needs one of the fields value, env`},

		"a class that is a number":      {onAgent("agent_class: 1"), `wrong-type agents[a].agent_class: "agent_class" is an integer; expected one of LlmAgent, Workflow, SequentialAgent, ParallelAgent, LoopAgent; put it in quotes: "1"`},
		"a sub-agent without a name":    {onAgent("sub_agents: [{ isolation: Shared }]"), `missing-field agents[a].sub_agents[0]: a sub-agent needs the field "name"`},
		"a sub-agent twice":             {onAgent("sub_agents: [b, b]") + "  - { name: b }\n", `duplicate-name agents[a].sub_agents[1]: "b" stands twice in "sub_agents"; remove one of them`},
		"an isolation with a small s":   {onAgent("sub_agents: [{ name: b, isolation: shared }]") + "  - { name: b }\n", `bad-value agents[a].sub_agents[b].isolation: "isolation" is "shared"; expected Shared or Isolated; did you mean "Shared"?`},
		"a prompt without a source":     {onAgent("instruction_from: {}"), `missing-field agents[a].instruction_from: a source of a prompt needs the field "config_map"`},
		"a prompt without a key":        {onAgent("instruction_from: { config_map: { name: x } }"), `missing-field agents[a].instruction_from.config_map: a key of a ConfigMap needs the field "key"`},
		"an empty tool":                 {onAgent("tools: ['']"), `missing-field agents[a].tools[0]: the name of a tool is empty`},
		"a tool without an agent":       {onAgent("tools: [{}]"), `missing-field agents[a].tools[0]: an agent as a tool needs the field "agent"`},
		"generate that is no map":       {onAgent("generate: warm"), `wrong-type agents[a].generate: "generate" is a string; expected generate (a map)`},
		"ask where nothing is to ask":   {onAgent("after_tool: [{ ask: Why? }]"), `unknown-field agents[a].after_tool[0].ask: "ask" is no field of a rule; ask belongs in before_tool`},
		"a rule that doesn't accept":    {onAgent("before_tool: [{ accept: false }]"), `bad-value agents[a].before_tool[0].accept: "accept" is false; a rule either accepts or isn't there; remove the rule`},
		"config of a rule without hook": {onAgent("before_tool: [{ accept: true, config: 1 }]"), `exclusive agents[a].before_tool[0].config: "config" is for rules with "hook"`},
		"a computed text without text":  {onAgent("before_tool: [{ reject: {} }]"), `missing-field agents[a].before_tool[0].reject: a computed text needs the field "expr"`},
		"an empty text":                 {onAgent("before_tool: [{ reject: '' }]"), `missing-field agents[a].before_tool[0].reject: "reject" is empty`},
		"a mode that is a default":      {onAgent("include_contents: all"), `bad-value agents[a].include_contents: "include_contents" is "all"; expected default or none`},
		"approval of a server":          {"mcp_servers: [{ name: crm, url: \"http://crm-mcp/\" }]\n" + onAgent("tools: [crm], approval: [crm]"), `bad-value agents[a].approval[0]: "crm" is a server; approval names tools; name them one by one: crm/TOOL, or write approval: always`},
		"an isolated agent and a tool":  {onAgent("tools: [geocode], sub_agents: [{ name: geocode, isolation: Isolated }]") + "  - { name: geocode }\n", `ambiguous-tool agents[a].sub_agents[geocode]: the model would see "geocode" and "the agent geocode" under one name: geocode`},

		"a node that is text":             {"agents:\n" + workflow("main", "      - a\n", "      - { from: START, to: a }\n"), `wrong-type agents[main].nodes[0]: an item of "nodes" is a string; expected a node (a map)`},
		"no nodes":                        {"agents:\n  - { name: main, agent_class: Workflow, nodes: [], edges: [] }\n", `missing-field agents[main].nodes: "nodes" is empty; a workflow has at least one node`},
		"no edges":                        {"agents:\n  - { name: main, agent_class: Workflow, nodes: [{ id: a, type: cel }] }\n", `missing-field agents[main]: a Workflow needs the field "edges"`},
		"a type that is a list":           {onNode("type: [cel]"), `wrong-type agents[main].nodes[a].type: "type" is a list; expected one of function, cel, tool, llm, agent, join, workflow, parallel_worker, dynamic, hitl`},
		"a worker that is a join":         {onNode("type: parallel_worker, worker: { type: join }"), `bad-value agents[main].nodes[a].worker.type: "join" is no type of nodes here; there are function, cel, tool, llm, agent`},
		"a worker with a retry":           {onNode("type: parallel_worker, worker: { type: cel, retry: {} }"), `unknown-field agents[main].nodes[a].worker.retry: "retry" is no field of a cel node; retry is a field of the parallel_worker itself, and means each item`},
		"a worker with an id":             {onNode("type: parallel_worker, worker: { type: cel, id: x }"), `unknown-field agents[main].nodes[a].worker.id: "id" is no field of a cel node; the worker has no place of its own in the graph; id is a field of the parallel_worker`},
		"a worker with another's field":   {onNode("type: parallel_worker, worker: { type: cel, tool: x }"), `unknown-field agents[main].nodes[a].worker.tool: "tool" is no field of a cel node; tool is a field of nodes of type tool`},
		"a worker without a type":         {onNode("type: parallel_worker, worker: { output: input }"), `missing-field agents[main].nodes[a].worker: a node needs the field "type"; it is one of function, cel, tool, llm, agent`},
		"a retry that is a number":        {onNode("type: cel, retry: 3"), `wrong-type agents[main].nodes[a].retry: "retry" is an integer; expected retry (a map)`},
		"a factor below one":              {onNode("type: cel, retry: { backoff_factor: 0.5 }"), `bad-value agents[main].nodes[a].retry.backoff_factor: "backoff_factor" is 0.5; it must be between 1 and 1000`},
		"an empty expression":             {onNode("type: cel, output: ' '"), `missing-field agents[main].nodes[a].output: "output" is empty; expected a CEL expression`},
		"a hole for an expression":        {onNode("type: cel, output: "), `wrong-type agents[main].nodes[a].output: "output" has no value; expected a CEL expression; give it a value, or remove it`},
		"a var twice":                     {onNode("type: cel, vars: [{ name: x, expr: input }, { name: x, expr: input }]"), `duplicate-name agents[main].nodes[a].vars[x].name: "x" is the name of two vars; the first is at 7:44`},
		"an empty state key":              {onNode("type: cel, state_delta: { '': input }"), `bad-name agents[main].nodes[a].state_delta[""]: a key of "state_delta" is empty`},
		"a route that is a list":          {onNode("type: cel, routes: [{ route: [A], when: true }]"), `wrong-type agents[main].nodes[a].routes[0].route: "route" is a list; expected a string, an integer or a boolean`},
		"a join as a child":               {onNode("type: dynamic, function: plan, children: [{ id: x, type: join }]"), `bad-value agents[main].nodes[a].children[x].type: a join can't be a child of a dynamic node; nothing leads to it`},
		"a child with a bad name":         {onNode("type: dynamic, function: plan, children: [{ id: x.y, type: cel }]"), `bad-name agents[main].nodes[a].children[0].id: "x.y" can't be a node id: '.' separates the parts of activation paths; use letters, digits, "_" and "-"`},
		"a child twice":                   {onNode("type: dynamic, function: plan, children: [a, a]"), `duplicate-name agents[main].nodes[a].children[1]: "a" is the name of two children`},
		"a deadline without an end":       {onNode("type: hitl, message: OK?, on_deadline: { output: input }"), `missing-field agents[main].nodes[a].on_deadline: "on_deadline" needs "deadline" beside it; without one it never happens`},
		"on_deadline that is text":        {onNode("type: hitl, message: OK?, deadline: 1h, on_deadline: X"), `wrong-type agents[main].nodes[a].on_deadline: "on_deadline" is a string; expected on_deadline (a map)`},
		"on_deadline without an outcome":  {onNode("type: hitl, message: OK?, deadline: 1h, on_deadline: {}"), `exclusive agents[main].nodes[a].on_deadline: on_deadline needs one of the fields output, route`},
		"a server for a tool":             {"mcp_servers: [{ name: crm, url: \"http://crm-mcp/\" }]\n" + onNode("type: tool, tool: crm, args: {}"), `bad-value agents[main].nodes[a].tool: "crm" is a server, not a tool; write server: crm, and its tool as tool`},
		"a workflow node named like main": {"agents:\n" + workflow("main", "      - { id: main, type: workflow, nodes: [{ id: b, type: cel }], edges: [{ from: START, to: b }] }\n", "      - { from: START, to: main }\n"), `duplicate-name agents[main].nodes[main].id: "main" is the name of the Workflow that this workflow node is part of`},
		"chat as a child":                 {onNode("type: dynamic, function: plan, children: [{ id: x, type: llm, mode: chat }]"), `chat-after-start agents[main].nodes[a].children[x].mode: an LLM in chat mode stands directly after START, as it talks with the user; "x" is a child of a dynamic node; use single_turn`},

		"an edge from nowhere":      {onEdge("from: '', to: b"), `missing-field agents[main].edges[2].from: "from" is empty; expected the id of a node`},
		"an edge to nobody":         {onEdge("from: a, to: []"), `missing-field agents[main].edges[2].to: "to" is empty; expected the id of a node, or several`},
		"an edge with no routes":    {onEdge("from: START, to: b, route: []"), `bad-value agents[main].edges[2].route: "route" is an empty list; leave it out for an unconditional edge`},
		"an edge with empty route":  {onEdge("from: START, to: b, route: ''"), `bad-value agents[main].edges[2].route: a route is empty; DEFAULT is the route of what matches no other`},
		"an edge with half a route": {onEdge("from: START, to: b, route: 1.5"), `wrong-type agents[main].edges[2].route: "route" is a number; expected a string, an integer or a boolean; put it in quotes: "1.5"`},
		"an edge with a route twice": {"agents:\n" + workflow("main", "      - { id: a, type: function, function: score }\n      - { id: b, type: cel }\n", "      - { from: START, to: a }\n      - { from: a, to: b, route: [1, 0x1, DEFAULT] }\n"),
			`duplicate-name agents[main].edges[1].route[1]: the route "1" stands twice on this edge; remove one of them`},

		"schema: type":               {onSchema("{ type: [string, nil] }"), `bad-schema agents[main].nodes[a].input_schema.type[1]: "nil" is no type of JSON Schema; one of: null, boolean, object, array, number, string, integer`},
		"schema: schema":             {onSchema("{ not: string }"), `wrong-type agents[main].nodes[a].input_schema.not: "not" is a string; expected a JSON Schema (a map, true or false)`},
		"schema: list of schemas":    {onSchema("{ anyOf: { type: string } }"), `wrong-type agents[main].nodes[a].input_schema.anyOf: "anyOf" is a map; expected a list of schemas; each item of a list starts with a dash: - …`},
		"schema: in a list":          {onSchema("{ allOf: [1] }"), `wrong-type agents[main].nodes[a].input_schema.allOf[0]: an item of "allOf" is an integer; expected a JSON Schema (a map, true or false)`},
		"schema: map of schemas":     {onSchema("{ properties: [a] }"), `wrong-type agents[main].nodes[a].input_schema.properties: "properties" is a list; expected a map of schemas`},
		"schema: count":              {onSchema("{ minLength: x }"), `wrong-type agents[main].nodes[a].input_schema.minLength: "minLength" is a string; expected an integer`},
		"schema: number":             {onSchema("{ maximum: '1' }"), `wrong-type agents[main].nodes[a].input_schema.maximum: "maximum" is a string; expected a number`},
		"schema: flag":               {onSchema("{ uniqueItems: yes }"), `wrong-type agents[main].nodes[a].input_schema.uniqueItems: "uniqueItems" is a string; expected true or false`},
		"schema: text":               {onSchema("{ title: 1 }"), `wrong-type agents[main].nodes[a].input_schema.title: "title" is an integer; expected a string; put it in quotes: "1"`},
		"schema: required":           {onSchema("{ required: [1] }"), `wrong-type agents[main].nodes[a].input_schema.required[0]: an item of "required" is an integer; expected a string; put it in quotes: "1"`},
		"schema: dependent names":    {onSchema("{ dependentRequired: { a: b } }"), `wrong-type agents[main].nodes[a].input_schema.dependentRequired.a: "a" is a string; expected a list of names; a list of one is [b]`},
		"schema: values":             {onSchema("{ enum: a }"), `wrong-type agents[main].nodes[a].input_schema.enum: "enum" is a string; expected a list; a list of one is [a]`},
		"schema: name of a pattern":  {onSchema("{ patternProperties: { '(': true } }"), "bad-schema agents[main].nodes[a].input_schema.patternProperties[\"(\"]: \"(\" is no regular expression (RE2): missing closing ): `(`"},
		"schema: long pattern":       {onSchema("{ pattern: " + longText + " }"), `bad-schema agents[main].nodes[a].input_schema.pattern: a regular expression of 1001 bytes; it may have 1000`},
		"schema: of the state":       {"agents:\n" + workflow("main", "      - { id: a, type: cel }\n", "      - { from: START, to: a }\n    state_schema: { $ref: x.json }\n"), `bad-schema agents[main].state_schema["$ref"]: "x.json" refers to another document; a schema here stands for itself; copy it into $defs and refer to #/$defs/NAME`},
		"schema: of an agent":        {onAgent("output_schema: { $dynamicRef: \"http://x\" }"), `bad-schema agents[a].output_schema["$dynamicRef"]: "http://x" refers to another document; a schema here stands for itself; copy it into $defs and refer to #/$defs/NAME`},
		"schema: integers, floating": {onSchema("{ maximum: 1.5, minLength: 1, multipleOf: 2 }"), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, list := check("x.yaml", []byte(header+tt.text), harness())
			got := ""
			for i, d := range list {
				if i > 0 {
					got += "\n"
				}
				got += fmt.Sprintf("%s %s: %s", d.Code, d.Path, d.Message)
				if d.Hint != "" {
					got += "; " + d.Hint
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// longText is one byte longer than a regular expression may be.
var longText = strings.Repeat("a", 1001)
