package fields

import "slices"

// nodeBody is what one type of nodes adds to the fields of all.
type nodeBody struct {
	word, noun, description string
	timed                   bool // it may have timeout and retry
	inner                   bool // it may be the body of a parallel_worker
	fields                  []Field
	notBoth, whole          [][]string
	needs                   map[string]string
}

func nodeBodies() []nodeBody {
	return []nodeBody{
		{word: "function", noun: "a function node", timed: true, inner: true, fields: functionFields(),
			description: "Calls a Go function that the program has registered. It may return routes, state and an interrupt."},
		{word: "cel", noun: "a cel node", timed: true, inner: true, fields: celFields(), notBoth: [][]string{{"route", "routes"}},
			description: "Evaluates CEL: a value, a route, changes of the state. Without `output` its input passes through."},
		{word: "tool", noun: "a tool node", timed: true, inner: true, fields: toolFields(),
			description: "Calls one tool: of an MCP server when `server` is given, else a registered or a harness tool."},
		{word: "llm", noun: "an llm node", timed: true, inner: true, fields: llmFields(), notBoth: llmExclusions(),
			description: "Asks a model, with tools if it has any. Its output is the final text, or the value of its `output_schema`."},
		{word: "agent", noun: "an agent node", timed: true, inner: true, fields: agentNodeFields(),
			description: "Runs another agent of the document. A Workflow gets the input as it is, an LlmAgent as text."},
		{word: "join", noun: "a join node", description: "Waits until nothing more can arrive and gives a map of what came, by node."},
		{word: "workflow", noun: "a workflow node", timed: true, fields: subgraphFields(),
			notBoth:     [][]string{{"agent", "nodes"}, {"agent", "edges"}, {"agent", "max_concurrency"}},
			whole:       [][]string{{"nodes", "edges"}, {"agent"}},
			description: "A graph within the graph, with a START of its own: written here, or that of a Workflow agent."},
		{word: "parallel_worker", noun: "a parallel_worker node", timed: true, fields: workerFields(),
			description: "Runs a worker for each item of a list. Its output is the list of results, in the order of the items."},
		{word: "dynamic", noun: "a dynamic node", timed: true, fields: dynamicFields(),
			description: "A registered Go function that decides which of its children run, and with what."},
		{word: "hitl", noun: "a hitl node", fields: hitlFields(), needs: map[string]string{"on_deadline": "deadline"},
			description: "Asks a person and waits. The reply is its output."},
	}
}

func nodeShapes() []Shape {
	bodies := nodeBodies()
	var nodes, workers []Shape
	var all, inner []string
	for i := range bodies {
		all = append(all, bodies[i].word)
		if bodies[i].inner {
			inner = append(inner, bodies[i].word)
		}
	}
	for i := range bodies {
		b := &bodies[i]
		s := Shape{By: "type", Word: b.word, Noun: b.noun, Description: b.description, NotBoth: b.notBoth, Whole: b.whole, Needs: b.needs}
		s.Family, s.Fields = Node, slices.Concat(nodeFields(all, b), b.fields)
		nodes = append(nodes, s)
		if b.inner {
			s.Family, s.Fields = Worker, slices.Concat(innerFields(inner), b.fields)
			workers = append(workers, s)
		}
	}
	return append(nodes, workers...)
}

// nodeFields are those that nodes have whatever their type, and those of nodes that take time and may fail.
func nodeFields(types []string, b *nodeBody) []Field {
	all := []Field{
		{Name: "id", Type: of(Filled), Required: true, Example: "classify",
			Description: "The name of the node, unique in its graph. `@`, `/`, `~` and `.` can't be part of it."},
		typeField(types),
		descriptionField(),
		inputSchemaField(),
		nodeOutputSchemaField(),
		inputField(),
		{Name: "max_visits", Type: positive(), Example: "3",
			Description: "How often the node may run in one workflow instance. Left out: as the document's limits say."},
	}
	if b.timed {
		all = append(all, timeoutField(), Field{Name: "retry", Type: object(Retry), Example: "{ max_attempts: 3 }",
			Description: "How often a failed attempt is repeated. Left out: the node is tried once."})
	}
	return all
}

// innerFields are those of the body of a parallel_worker whatever its type.
func innerFields(types []string) []Field {
	return []Field{typeField(types), descriptionField(), timeoutField(), inputSchemaField(), nodeOutputSchemaField(), inputField()}
}

func typeField(types []string) Field {
	return Field{Name: "type", Type: words(types...), Required: true, Example: "cel",
		Description: "What the node does, which decides what other fields it has."}
}

func descriptionField() Field {
	return Field{Name: "description", Type: of(Text), Example: "Decides who answers.", Description: "What the node is for."}
}

func timeoutField() Field {
	return Field{Name: "timeout", Type: of(Duration), Example: "30s",
		Description: "How long one attempt may execute. Waiting for a person doesn't count."}
}

func inputSchemaField() Field {
	return Field{Name: "input_schema", Type: of(Schema), Example: "{ type: string }", Description: "What the input must be, as JSON Schema."}
}

func nodeOutputSchemaField() Field {
	return Field{Name: "output_schema", Type: of(Schema), Example: "{ type: object, required: [topic] }",
		Description: "What the output must be, as JSON Schema."}
}

func inputField() Field {
	return Field{Name: "input", Type: of(CEL), Example: "input.customer",
		Description: "Shapes what arrived into the node's input. Left out: what arrived."}
}

func functionFields() []Field {
	return []Field{
		{Name: "function", Type: of(Filled), Required: true, Example: "score", Description: "The name that the program registered it under."},
		{Name: "config", Type: of(JSON), Example: "{ threshold: 0.8 }", Description: "A value that the function gets."},
		{Name: "rerun_on_resume", Type: of(Bool), Example: "true",
			Description: "Whether the function starts again when a person has answered what it asked, or gets the reply as its output. " +
				"Left out: as it is registered."},
	}
}

func celFields() []Field {
	return []Field{
		{Name: "vars", Type: listOf(object(Var)), Example: "[{ name: text, expr: input.lowerAscii() }]",
			Description: "Values that the node's other expressions call `vars.NAME`, computed in order."},
		{Name: "output", Type: of(CEL), Example: "\"{'text': vars.text}\"",
			Description: "The output; null is none. Left out: the input passes through."},
		{Name: "route", Type: of(CEL), Example: "input.kind",
			Description: "The route: a string, an integer, a boolean or a list of them; null is none. It excludes `routes`."},
		{Name: "routes", Type: listOf(object(RouteRule)), Example: "[{ route: BILLING, when: vars.text.contains('invoice') }]",
			Description: "Routes with conditions, of which the first that is true counts. It excludes `route`."},
		{Name: "state_delta", Type: mapOf(of(CEL)), Example: "{ plan: input.plan }", Description: "Changes of the state, by key."},
		{Name: "escalate", Type: of(CEL), Example: "input.score > 0.9",
			Description: "Whether the innermost LoopAgent around the workflow ends; a boolean."},
	}
}

func toolFields() []Field {
	return []Field{
		{Name: "tool", Type: of(Filled), Required: true, Example: "lookup_customer", Description: "The name of the tool. `server/tool` is " +
			"short for both fields."},
		{Name: "server", Type: of(Filled), Example: "crm", Description: "The MCP server that has the tool. Left out: a registered or a " +
			"harness tool."},
		{Name: "args", Type: mapOf(of(CEL)), Example: "{ id: input.id }", Description: "The arguments by name. Left out: a map is used as " +
			"it is, and a string is the only required string parameter."},
		{Name: "approval", Type: words("always"), Example: "always", Description: "`always` asks a person before each call."},
		{Name: "on_unknown", Type: words("retry", "fail"), Default: "retry", Example: "fail", Description: "What happens when the process " +
			"died during the call and nobody knows whether it took place: it is called again with the same key, or the node fails."},
	}
}

func agentNodeFields() []Field {
	return []Field{
		{Name: "agent", Type: of(Filled), Required: true, Example: "writer", Description: "The name of an agent of the document."},
		isolationField(),
	}
}

func subgraphFields() []Field {
	return append(graphFields(false), Field{Name: "agent", Type: of(Filled), Example: "intake",
		Description: "A Workflow agent whose graph it is. It excludes `nodes`, `edges` and `max_concurrency`."})
}

func workerFields() []Field {
	return []Field{
		{Name: "worker", Type: object(Worker), Required: true, Example: "{ type: llm, instruction: Summarise. }",
			Description: "What is done with each item: a function, cel, tool, llm or agent node without an id."},
		{Name: "items", Type: of(CEL), Default: "input", Example: "input.pages", Description: "The list."},
		maxConcurrencyField("How many items are worked on at once. Left out: all."),
	}
}

func dynamicFields() []Field {
	return []Field{
		{Name: "function", Type: of(Filled), Required: true, Example: "plan", Description: "The name that the program registered it under."},
		{Name: "children", Type: listOf(of(Filled).or(object(Node))), Example: "[search, { id: note, type: cel }]",
			Description: "The nodes that it may run: ids of the same graph, or nodes written here."},
		{Name: "max_iters", Type: positive(), Default: "100", Example: "10", Description: "How many children it may run."},
	}
}

func hitlFields() []Field {
	return []Field{
		{Name: "message", Type: of(Filled).or(object(Computed)), Required: true, Example: "Send this answer?",
			Description: "What the person reads: a text, or `{expr: CEL}`."},
		{Name: "payload", Type: of(CEL), Example: "input.draft", Description: "A value that is shown with the message."},
		{Name: "response_schema", Type: of(Schema), Example: "{ type: boolean }", Description: "What the reply must be, as JSON Schema."},
		{Name: "deadline", Type: of(Duration), Example: "24h", Description: "How long the node waits, from the moment it asks. Left out: " +
			"as long as it takes."},
		{Name: "on_deadline", Type: object(OnDeadline), Example: "{ route: LATE }",
			Description: "How it goes on when nobody answered in time. Left out: the node fails."},
	}
}
