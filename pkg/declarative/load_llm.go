package declarative

import (
	"fmt"
	"math"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// The modes of an LLM.
const (
	ModeChat       = "chat"
	ModeSingleTurn = "single_turn"
)

// ApprovalAlways stands for all tools in [LLM.Approval].
const ApprovalAlways = "always"

func (l *loader) llm(o source.Object) *LLM {
	l.atMostOne(o, "instruction", "instruction_from")
	l.atMostOne(o, "global_instruction", "global_instruction_from")
	return &LLM{
		Model:                 o.NonEmpty("model"),
		Mode:                  o.Enum("mode", ModeSingleTurn, ModeChat),
		Instruction:           o.String("instruction"),
		InstructionFrom:       l.promptRef(o.Field("instruction_from")),
		GlobalInstruction:     o.String("global_instruction"),
		GlobalInstructionFrom: l.promptRef(o.Field("global_instruction_from")),
		Tools:                 l.tools(o),
		Approval:              l.approval(o),
		Generate:              l.generate(o.Field("generate")),
		OutputKey:             o.NonEmpty("output_key"),
		IncludeContents:       o.Enum("include_contents", "default", "none"),
		BeforeModel:           l.hooks(o, "before_model"),
		AfterModel:            l.hooks(o, "after_model"),
		BeforeTool:            l.hooks(o, "before_tool"),
		AfterTool:             l.hooks(o, "after_tool"),
		Limits:                l.agentLimits(o.Field("limits")),
	}
}

// promptRef reads {config_map: {name, key}}.
func (l *loader) promptRef(p source.Place) *PromptRef {
	if !p.Exists() {
		return nil
	}
	for _, e := range p.Entries() {
		if why := refusedPromptSource(e.Key()); why != "" {
			l.report.Key(e, diag.PromptSource, fmt.Sprintf("%q can't be the source of a prompt: %s", e.Key(), why),
				"put the text in a ConfigMap: {config_map: {name: NAME, key: KEY}}")
			l.report.Break(p)
			return nil
		}
	}
	const noun, mapNoun = "a source of a prompt", "a key of a ConfigMap"
	o, ok := l.object(p, fields.PromptSource, nil)
	if !ok || !o.Require(noun, "config_map") {
		return nil
	}
	m, ok := l.object(o.Field("config_map"), fields.ConfigMapKey, nil)
	if !ok || !m.Require(mapNoun, "name", "key") {
		return nil
	}
	return &PromptRef{Name: m.NonEmpty("name"), Key: m.NonEmpty("key")}
}

// refusedPromptSource says why a prompt can't come from a place that people ask for.
func refusedPromptSource(field string) string {
	switch field {
	case "secret", "secret_key_ref", "secretKeyRef":
		return "the text becomes part of the revision, which is no place for a secret"
	case "env":
		return "a variable isn't part of the revision, so a change to it would go unnoticed"
	}
	return ""
}

// tools reads names and {agent, isolation}.
func (l *loader) tools(o source.Object) []ToolRef {
	const noun = "an agent as a tool"
	var all []ToolRef
	seen := map[ToolRef]bool{}
	for _, p := range o.List("tools", "a list of tools") {
		var t ToolRef
		if p.Node().Kind() == source.Map {
			if entry, _ := l.object(p, fields.AgentTool, nil); entry.Require(noun, "agent") {
				t = ToolRef{Agent: entry.NonEmpty("agent"), Isolation: l.isolation(entry)}
			}
		} else if t.Name = l.report.Text(p, "the name of a tool or {agent, isolation}"); t.Name == "" {
			l.report.Value(p, diag.MissingField, "the name of a tool is empty", "")
		}
		named := ToolRef{Name: t.Name, Agent: t.Agent}
		if t != (ToolRef{}) && seen[named] {
			l.report.Value(p, diag.DuplicateName, fmt.Sprintf("%q stands twice in \"tools\"", t.Name+t.Agent), "remove one of them")
		}
		seen[named] = true
		all = append(all, t)
	}
	return all
}

// approval reads "always" or a list of tools.
func (l *loader) approval(o source.Object) []string {
	p := o.Field("approval")
	if p.Node().Kind() != source.String {
		return l.unique(o, "approval")
	}
	if text := p.Node().Text(); text != ApprovalAlways {
		l.report.Value(p, diag.BadValue, fmt.Sprintf(`"approval" is %q; expected always or a list of tools`, text),
			fmt.Sprintf("write approval: [%s] for one tool", text))
		return nil
	}
	return []string{ApprovalAlways}
}

func (l *loader) generate(p source.Place) (g Generate) {
	if !p.Exists() {
		return g
	}
	o, ok := l.object(p, fields.Generate, nil)
	if !ok {
		return g
	}
	g = Generate{
		Temperature:     o.Float("temperature", 0, math.Inf(1)),
		TopP:            o.Float("top_p", 0, 1),
		MaxOutputTokens: int(o.Int("max_output_tokens", 1)),
		Stop:            o.Strings("stop"),
		Thinking:        o.NonEmpty("thinking"),
	}
	if o.Has("seed") {
		seed := o.Int("seed", math.MinInt64)
		g.Seed = &seed
	}
	return g
}

func (l *loader) hooks(o source.Object, list string) []HookRule {
	family := fields.Rule
	if list == "before_tool" {
		family = fields.ToolRule
	}
	var all []HookRule
	for _, p := range o.List(list, "a list of rules") {
		all = append(all, l.hook(p, l.format.Shape(family, "")))
	}
	return all
}

func (l *loader) hook(p source.Place, shape *fields.Shape) (h HookRule) {
	o, ok := l.shape(p, shape, func(field string) string {
		if field == "ask" {
			return "ask belongs in before_tool"
		}
		return ""
	})
	if !ok {
		return h
	}
	switch l.exactlyOne(o, shape.Noun, shape.OneOf...) {
	case "hook":
		h.Hook, h.Config = o.NonEmpty("hook"), o.JSON("config")
		l.atMostOne(o, "hook", "when")
		return h
	case "reject":
		text := l.text(o.Field("reject"))
		h.Reject = &text
	case "ask":
		text := l.text(o.Field("ask"))
		h.Ask = &text
	case "accept":
		value := o.Bool("accept")
		h.Accept = value != nil && *value
		if value != nil && !*value {
			l.report.Value(o.Field("accept"), diag.BadValue, `"accept" is false; a rule either accepts or isn't there`, "remove the rule")
		}
	}
	if o.Has("config") {
		l.report.Key(o.Field("config"), diag.Exclusive, `"config" is for rules with "hook"`, "")
	}
	h.When = l.expression(o.Field("when"))
	return h
}
