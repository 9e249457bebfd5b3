package fields

import "slices"

func agentShapes() []Shape {
	agent := func(word, noun, description string, fields ...Field) Shape {
		return Shape{Family: Agent, By: "agent_class", Word: word, Assumed: word == "LlmAgent", Noun: noun, Description: description,
			Fields: slices.Concat(agentFields(), fields)}
	}
	llm := agent("LlmAgent", "an LlmAgent", "An agent that a model drives. Its output is the final text, or the value of its "+
		"`output_schema`.", slices.Concat(llmFields(), []Field{outputSchemaField(), subAgentsOfLLM()})...)
	llm.NotBoth = llmExclusions()
	return []Shape{
		llm,
		agent("Workflow", "a Workflow", "An agent that is a graph of nodes. Its output is that of the nodes at the ends of the graph.",
			append(graphFields(true), stateSchemaField())...),
		agent("SequentialAgent", "a SequentialAgent", "Runs its sub-agents one after the other, each with the agent's own input. Its "+
			"output is the last one's.", subAgentsField()),
		agent("ParallelAgent", "a ParallelAgent", "Runs its sub-agents at once, each in a branch of its own. Its output is a map of "+
			"theirs by name.", subAgentsField()),
		agent("LoopAgent", "a LoopAgent", "Runs its sub-agents in turn until one escalates or `max_iterations` is reached. Its output is "+
			"that of the sub-agent that ran last.", subAgentsField(), maxIterationsField()),
		{Family: SubAgent, Noun: "a sub-agent", Description: "An agent below another one. A string in its place is short for `{name: …}`.",
			Fields: []Field{
				{Name: "name", Type: of(Filled), Required: true, Example: "writer", Description: "The name of an agent of the document."},
				isolationField(),
			}},
	}
}

func agentFields() []Field {
	return []Field{
		{Name: "name", Type: pattern(agentName), Required: true, Example: "triage", Description: "The unique name: letters, digits, `_` " +
			"and `-`, at most 63. `START`, `DEFAULT`, `ERROR` and `user` are taken."},
		{Name: "description", Type: of(Text), Example: "Answers questions about invoices.",
			Description: "What the agent is good for. Models read it to decide whom to ask."},
		{Name: "agent_class", Type: words("LlmAgent", "Workflow", "SequentialAgent", "ParallelAgent", "LoopAgent"), Default: "LlmAgent",
			Example: "Workflow", Description: "The class of the agent, which decides what other fields it has."},
	}
}

func outputSchemaField() Field {
	return Field{Name: "output_schema", Type: of(Schema), Example: "{ type: object, properties: { topic: { type: string } } }",
		Description: "What the output must be, as JSON Schema 2020-12 without references to other documents."}
}

func stateSchemaField() Field {
	return Field{Name: "state_schema", Type: of(Schema), Example: "{ type: object, properties: { plan: { type: string } } }",
		Description: "What the state may hold. With `properties`, other keys can't be written unless `additionalProperties` opens them."}
}

func subAgentType() Type { return of(Filled).or(object(SubAgent)) }

func subAgentsField() Field {
	return Field{Name: "sub_agents", Type: listOf(subAgentType()).notEmpty(), Required: true, Example: "[writer, critic]",
		Description: "The agents below this one, by name or as `{name, isolation}`."}
}

func subAgentsOfLLM() Field {
	return Field{Name: "sub_agents", Type: listOf(subAgentType()), Example: "[billing, { name: search, isolation: Isolated }]",
		Description: "Agents that the model may transfer to (`Shared`) or call as tools (`Isolated`)."}
}

func maxIterationsField() Field {
	return Field{Name: "max_iterations", Type: positive(), Example: "3",
		Description: "How often the loop runs at most. It may be left out only when something below can escalate."}
}

func isolationField() Field {
	return Field{Name: "isolation", Type: words("Shared", "Isolated"), Default: "Shared", Example: "Isolated",
		Description: "`Shared` works in the session of the caller. `Isolated` opens a session with a copy of the state for each call " +
			"and gives back nothing but the result."}
}
