package fields

func llmShapes() []Shape {
	return []Shape{
		{Family: AgentTool, Noun: "an agent as a tool", Description: "An agent that a model may call like a tool.", Fields: agentNodeFields()},
		{Family: PromptSource, Noun: "a source of a prompt", Description: "Where a prompt comes from. Its text becomes part of the revision, " +
			"so that neither a Secret nor a variable can hold it.", Fields: []Field{
			{Name: "config_map", Type: object(ConfigMapKey), Required: true, Example: "{ name: prompts, key: triage.md }",
				Description: "A key of a ConfigMap."},
		}},
		{Family: ConfigMapKey, Noun: "a key of a ConfigMap", Description: "Names a text in the namespace of the document.", Fields: []Field{
			{Name: "name", Type: of(Filled), Required: true, Example: "prompts", Description: "The name of the ConfigMap."},
			{Name: "key", Type: of(Filled), Required: true, Example: "triage.md", Description: "The key of the text."},
		}},
		{Family: Generate, Noun: "generate", Fields: generateFields(), Description: "How the model samples. What it isn't given is left to " +
			"the provider; what a provider can't take is reported."},
		{Family: Limits, Noun: "limits of an agent or llm node", Fields: limitFields(), Description: "Bounds of one agent or llm node over all its activations of a run. " +
			"Reaching one fails the activation, which an ERROR edge can catch."},
		{Family: Rule, Noun: "a rule", Fields: ruleFields(false), OneOf: []string{"hook", "reject", "accept"},
			NotBoth: ruleExclusions(), Needs: ruleNeeds(), Description: "A rule of `before_model`, `after_model` or `after_tool`."},
		{Family: ToolRule, Noun: "a rule", Fields: ruleFields(true), OneOf: []string{"hook", "reject", "accept", "ask"},
			NotBoth: ruleExclusions(), Needs: ruleNeeds(), Description: "A rule of `before_tool`."},
	}
}

// llmFields are those that llm nodes and LlmAgents have in common.
func llmFields() []Field {
	return []Field{
		{Name: "model", Type: of(Filled), Default: "default", Example: "fast",
			Description: "A name that the template or the run file maps to a model."},
		{Name: "mode", Type: words("single_turn", "chat"), Example: "chat", Description: "`chat` sees the conversation, `single_turn` its " +
			"input alone. Left out: an llm node is `single_turn`; an LlmAgent is `chat` as root or as a sub-agent of an LlmAgent, else " +
			"`single_turn`. An llm node in chat mode stands directly after START."},
		{Name: "instruction", Type: of(Text), Example: "Answer {topic?} in one sentence.", Description: "The prompt. `{key}` is replaced by " +
			"the state, `{key?}` also when there is no such key, `{artifact.name}` by an artifact."},
		{Name: "instruction_from", Type: object(PromptSource), Example: "{ config_map: { name: prompts, key: triage.md } }",
			Description: "Where the prompt comes from. It excludes `instruction`."},
		{Name: "global_instruction", Type: of(Text), Example: "Be kind.", Description: "A text before the prompt."},
		{Name: "global_instruction_from", Type: object(PromptSource), Example: "{ config_map: { name: prompts, key: tone.md } }",
			Description: "Where that text comes from. It excludes `global_instruction`."},
		{Name: "tools", Type: listOf(of(Filled).or(object(AgentTool))).unique(), Example: "[crm, crm/open_ticket, read_file, { agent: helper }]",
			Description: "What the model may call: an MCP server (all its tools), `server/tool`, a registered tool, a harness tool, or " +
				"an agent."},
		{Name: "approval", Type: words("always").or(listOf(of(Filled)).unique()), Example: "[crm/open_ticket]",
			Description: "The tools that a person must approve, or `always` for all of them."},
		{Name: "generate", Type: object(Generate), Example: "{ temperature: 0.2 }", Description: "How the model samples."},
		{Name: "output_key", Type: of(Filled), Example: "answer", Description: "The state key that gets the output, too."},
		{Name: "include_contents", Type: words("default", "none"), Default: "default", Example: "none",
			Description: "Whether the model sees what was said before (`default`) or not (`none`)."},
		ruleListField("before_model", Rule, "[{ when: request.messages.size() > 100, reject: Too long. }]", "before a model call"),
		ruleListField("after_model", Rule, "[{ when: response.text.contains('secret'), reject: I can't say that. }]",
			"after a model call. With one, the text isn't streamed before the verdict"),
		ruleListField("before_tool", ToolRule, "[{ when: tool.server == 'crm', ask: Open a ticket? }]", "before a tool call"),
		ruleListField("after_tool", Rule, "[{ when: result == null, reject: Nothing was found. }]", "after a tool call"),
		{Name: "limits", Type: object(Limits), Example: "{ max_turns: 10 }", Description: "Bounds over all activations of a run."},
	}
}

func llmExclusions() [][]string {
	return [][]string{{"instruction", "instruction_from"}, {"global_instruction", "global_instruction_from"}}
}

func ruleListField(name string, rule Family, example, when string) Field {
	return Field{Name: name, Type: listOf(object(rule)), Example: example, Description: "Rules " + when + ". The first that matches decides."}
}

func ruleExclusions() [][]string { return [][]string{{"hook", "when"}} }

func ruleNeeds() map[string]string { return map[string]string{"config": "hook"} }

func ruleFields(mayAsk bool) []Field {
	text := of(Filled).or(object(Computed))
	all := []Field{
		{Name: "when", Type: of(CEL), Example: "tool.name == 'crm__open_ticket'",
			Description: "Whether the rule matches; a boolean. Left out: always. One that can't be evaluated blocks."},
		{Name: "config", Type: of(JSON), Example: "{ level: 2 }", Description: "A value that the hook gets."},
		{Name: "hook", Type: of(Filled), Example: "audit", Description: "A registered Go hook, which decides by itself."},
		{Name: "reject", Type: text, Example: "I can't do that.", Description: "Refuses with a text, or `{expr: CEL}`. Before a model " +
			"call and after it the text is the reply; before a tool call the model sees it as an error, after it as the result."},
		{Name: "accept", Type: Type{Kind: Bool, Words: []string{"true"}}, Example: "true", Description: "No objection from this list. Approval and policy still apply."},
	}
	if mayAsk {
		all = append(all, Field{Name: "ask", Type: text, Example: "{ expr: \"'Call ' + tool.name + '?'\" }",
			Description: "Lets a person decide. The text, or `{expr: CEL}`, is what the person reads."})
	}
	return all
}

func generateFields() []Field {
	return []Field{
		{Name: "temperature", Type: between(0, maxSafe), Example: "0.2", Description: "How much chance there is in the choice of words."},
		{Name: "top_p", Type: between(0, 1), Example: "0.9", Description: "The share of likely words that is chosen from."},
		{Name: "max_output_tokens", Type: positive(), Example: "400", Description: "How long an answer may be."},
		{Name: "stop", Type: listOf(of(Filled)), Example: "[END]", Description: "Texts at which the answer ends."},
		{Name: "thinking", Type: of(Filled), Example: "low", Description: "How much the model thinks first, in the provider's words."},
		{Name: "seed", Type: of(Int), Example: "7", Description: "Makes the choice repeatable where a provider can."},
	}
}

func limitFields() []Field {
	return []Field{
		{Name: "max_duration", Type: of(Duration), Example: "2m", Description: "How long it may execute. Waiting for a person doesn't count."},
		{Name: "max_tokens", Type: positive(), Example: "5000",
			Description: "Input and output tokens together, sub-agents included. It is looked at before each model call."},
		costField("What its model calls may cost, sub-agents included"),
		{Name: "max_turns", Type: positive(), Default: "50", Example: "10",
			Description: "How many model calls one activation may make."},
	}
}
