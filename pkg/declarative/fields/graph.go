package fields

func graphShapes() []Shape {
	return []Shape{
		{Family: Edge, Noun: "an edge", Fields: edgeFields(), Description: "Leads from one node to the next. An edge without a route is " +
			"always taken."},
		{Family: Var, Noun: "an entry of vars", Fields: varFields(), Description: "A value of a cel node that later expressions call " +
			"`vars.NAME`."},
		{Family: RouteRule, Noun: "an entry of routes", Fields: routeRuleFields(), Description: "A route and when it is given. The first " +
			"entry that is true counts; when none is, the DEFAULT edge is taken."},
		{Family: Retry, Noun: "retry", Fields: retryFields(), Description: "How often a node is tried again, and after what time. Without " +
			"`retry` a node is tried once."},
		{Family: OnDeadline, Noun: "on_deadline", Fields: onDeadlineFields(), OneOf: []string{"output", "route"},
			Description: "How a hitl node goes on when nobody answered in time."},
		{Family: Computed, Noun: "a computed text", Description: "A text that an expression computes.", Fields: []Field{
			{Name: "expr", Type: of(CEL), Required: true, Example: `"'Send ' + state.plan + '?'"`, Description: "The expression; a string."},
		}},
	}
}

// graphFields are those of a graph, which a Workflow agent must have, and a workflow node may have.
func graphFields(required bool) []Field {
	return []Field{
		{Name: "nodes", Type: listOf(object(Node)).notEmpty().longest(maxNodes), Required: required,
			Example: "[{ id: hello, type: cel, output: \"'hello'\" }]", Description: "The nodes of the graph, 1 to 1,000."},
		{Name: "edges", Type: listOf(object(Edge)), Required: required, Example: "[{ from: START, to: hello }]",
			Description: "The edges of the graph, at most 5,000. Their order is the order in which successors start."},
		maxConcurrencyField("How many nodes may run at once. Left out: as many as are ready."),
	}
}

func maxConcurrencyField(description string) Field {
	return Field{Name: "max_concurrency", Type: positive(), Example: "4", Description: description}
}

func edgeFields() []Field {
	end := of(Filled).or(listOf(of(Filled)).notEmpty().unique())
	return []Field{
		{Name: "from", Type: end, Required: true, Example: "classify",
			Description: "The node that the edge leaves, or `START`. A list stands for an edge from each."},
		{Name: "to", Type: end, Required: true, Example: "[reply, log]",
			Description: "The node that the edge leads to. A list stands for an edge to each."},
		{Name: "route", Type: of(Route).or(listOf(of(Route)).notEmpty()), Example: "BILLING",
			Description: "The route, or routes, that the edge waits for. `DEFAULT` is taken when no other route of the node matched, " +
				"`ERROR` when the node failed after its retries. Routes are compared as text."},
	}
}

func varFields() []Field {
	return []Field{
		{Name: "name", Type: pattern(varName), Required: true, Example: "text",
			Description: "The name, unique in its node: letters, digits and `_`."},
		{Name: "expr", Type: of(CEL), Required: true, Example: "input.lowerAscii()",
			Description: "The value. It may use the entries above."},
	}
}

func routeRuleFields() []Field {
	return []Field{
		{Name: "route", Type: of(Route), Required: true, Example: "BILLING", Description: "The route. `DEFAULT` and `ERROR` are taken."},
		{Name: "when", Type: of(CEL), Required: true, Example: "vars.text.contains('invoice')", Description: "Whether it is given; a boolean."},
	}
}

func retryFields() []Field {
	return []Field{
		{Name: "max_attempts", Type: positive(), Default: "5", Example: "3", Description: "How often it is tried, the first time included."},
		{Name: "initial_delay", Type: of(Duration), Default: "1s", Example: "200ms", Description: "The time before the second attempt."},
		{Name: "max_delay", Type: of(Duration), Default: "60s", Example: "10s", Description: "The longest time between two attempts."},
		{Name: "backoff_factor", Type: between(1, 1000), Default: "2", Example: "1.5",
			Description: "How much longer each delay is than the one before."},
		{Name: "jitter", Type: between(0, 1), Default: "1", Example: "0.2",
			Description: "Which part of a delay is random: 0 none, 1 all of it."},
		{Name: "when", Type: of(CEL), Example: "error.timeout || error.code == 'tool-error'",
			Description: "Whether an error is worth another attempt; a boolean over `error {message, type, timeout, code, attempt}`. Left " +
				"out: every error that isn't final."},
	}
}

func onDeadlineFields() []Field {
	return []Field{
		{Name: "output", Type: of(CEL), Example: "false", Description: "The output in the place of a reply. Exactly one of `output` and " +
			"`route` is given."},
		{Name: "route", Type: of(Route), Example: "LATE", Description: "The route that the node gives."},
	}
}
