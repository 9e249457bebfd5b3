package fields

// The sizes of lists. The loader's own constants are compared with them by a test.
const (
	maxAgents  = 200
	maxServers = 200
	maxNodes   = 1000
)

// The patterns of names.
const (
	agentName  = `[A-Za-z_][A-Za-z0-9_-]{0,62}`
	serverName = `[A-Za-z][A-Za-z0-9-]{0,31}`
	envName    = `[A-Za-z_][A-Za-z0-9_]*`
	varName    = `[A-Za-z_][A-Za-z0-9_]*`
)

func documentShapes() []Shape {
	return []Shape{
		{Family: Document, Noun: "a document", Fields: documentFields(), Description: "An AgentSystem: agents, the graphs that lead " +
			"from one to the next, and the MCP servers that they use."},
		{Family: Metadata, Noun: "metadata", Fields: metadataFields(), Description: "What the document is called. It reaches the agent " +
			"card and has no effect on execution."},
		{Family: RunLimits, Noun: "limits of a document", Fields: runLimitFields(), Description: "Bounds of one run. Reaching one ends " +
			"the run with `limit-exceeded`, which no edge can catch."},
		{Family: Server, Noun: "an MCP server", Fields: serverFields(), OneOf: []string{"url", "url_env"}, Description: "A server of the " +
			"Model Context Protocol whose tools agents and tool nodes may call."},
		{Family: Header, Noun: "a header", Fields: headerFields(), OneOf: []string{"value", "env"}, Description: "The value of one HTTP " +
			"header. A string in its place is short for `{value: …}`."},
	}
}

func documentFields() []Field {
	return []Field{
		{Name: "apiVersion", Type: words("adk.declarative/v0.2"), Required: true, Example: "adk.declarative/v0.2",
			Description: "The version of the format."},
		{Name: "kind", Type: words("AgentSystem"), Required: true, Example: "AgentSystem", Description: "The kind of the document."},
		{Name: "metadata", Type: object(Metadata), Example: "{ name: support-triage }",
			Description: "What the document is called. It has no effect on execution."},
		{Name: "root_agent", Type: of(Filled), Example: "triage", Description: "The agent that runs start with. Left out, it is the " +
			"only agent that no other agent or node refers to; when there are none or several, it must be given."},
		{Name: "mcp_servers", Type: listOf(object(Server)).longest(maxServers), Example: "[{ name: crm, url: https://crm.example.com/mcp }]",
			Description: "The MCP servers that agents and tool nodes may use, at most 200."},
		{Name: "agents", Type: listOf(object(Agent)).notEmpty().longest(maxAgents), Required: true,
			Example: "[{ name: helper, instruction: You help. }]", Description: "The agents, 1 to 200. Their order doesn't matter."},
		{Name: "limits", Type: object(RunLimits), Example: "{ max_steps: 500, max_cost_usd: 1 }",
			Description: "Bounds of one run. A harness may set smaller ones."},
	}
}

func metadataFields() []Field {
	return []Field{
		{Name: "name", Type: of(Text), Example: "support-triage", Description: "The name of the system."},
		{Name: "description", Type: of(Text), Example: "Answers mails to the support team.", Description: "What it is for, in a sentence."},
		{Name: "labels", Type: mapOf(of(Text)), Example: "{ team: support }", Description: "Words to find it by. Values are strings."},
	}
}

func runLimitFields() []Field {
	return []Field{
		{Name: "max_steps", Type: positive(), Default: "10000", Example: "500",
			Description: "How many activations of nodes a run may have, items of workers and children included."},
		{Name: "max_visits", Type: positive(), Default: "1000", Example: "20",
			Description: "How often one node of one workflow instance may run. It is the bound of loops."},
		{Name: "max_duration", Type: of(Duration), Example: "30m",
			Description: "How long a run may execute. Waiting for a person doesn't count."},
		{Name: "max_tokens", Type: positive(), Example: "200000",
			Description: "Input and output tokens of all model calls together. It is looked at before each call."},
		costField("What all model calls of a run may cost"),
	}
}

func costField(what string) Field {
	return Field{Name: "max_cost_usd", Type: between(0, maxSafe), Example: "1.5",
		Description: what + ", in US dollars. The price of each model used must be known."}
}

// maxSafe is the largest integer up to which every integer has a double of its own; numbers of a document end there.
const maxSafe = 1 << 53

func serverFields() []Field {
	return []Field{
		{Name: "name", Type: pattern(serverName), Required: true, Example: "crm", Description: "The unique name of the server: letters, " +
			"digits and `-`, at most 32. `name/tool` is one of its tools."},
		{Name: "url", Type: of(Filled), Example: "https://crm.example.com/mcp",
			Description: "The http or https address. It holds no credentials. Exactly one of `url` and `url_env` is given."},
		{Name: "url_env", Type: pattern(envName), Example: "CRM_URL",
			Description: "The variable of the harness that holds the address. The harness must expose it to documents."},
		{Name: "headers", Type: mapOf(of(Text).or(object(Header))), Example: "{ Authorization: { env: CRM_TOKEN }, X-Team: support }",
			Description: "HTTP headers by name: a string, or `{env: NAME}` for a variable that the harness exposes. One whose " +
				"variable is empty isn't sent. `Host`, `Content-Length`, `Cookie` and `Mcp-*` can't be set."},
		{Name: "tools", Type: listOf(of(Filled)).unique(), Example: "[lookup_customer]",
			Description: "The tools that may be used. Left out: all that the server offers."},
		{Name: "timeout", Type: of(Duration), Example: "20s", Description: "How long one call may take."},
		{Name: "connect", Type: words("required", "lazy"), Default: "required", Example: "lazy",
			Description: "Whether a harness is ready only after the server has answered once (`required`), or connects when a tool " +
				"is first needed (`lazy`)."},
		{Name: "description", Type: of(Text), Example: "Customers and their plans.", Description: "What the server is for."},
	}
}

func headerFields() []Field {
	return []Field{
		{Name: "value", Type: of(Text), Example: "support", Description: "The value itself. Exactly one of `value` and `env` is given."},
		{Name: "env", Type: pattern(envName), Example: "CRM_TOKEN",
			Description: "The variable of the harness that holds the value. The harness must expose it to documents."},
	}
}
