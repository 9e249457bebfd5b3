package anthropic

import (
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// settings writes what the request asks of the sampling. What the model can't take is reported.
func (e *encoder) settings(req *core.Request) {
	g := req.Generate
	limit := g.MaxOutputTokens
	if limit <= 0 {
		limit = e.wire.generation.outputTokens()
	}
	effort, budget := e.thinkingLevel(g.Thinking, limit)
	if budget > 0 && !callsThoughtOut(req.Messages) {
		e.Warnf("thinking %q: not behind calls that were made without thinking, which this model doesn't take", g.Thinking)
		budget = 0
	}
	e.Key("max_tokens")
	e.Int(int64(limit))
	e.think(g.Thinking, effort, budget)
	e.outputConfig(effort, req.OutputSchema)
	e.sampling(g, effort != "" || budget > 0)
	e.stops(g.Stop)
	if g.Seed != nil {
		e.Warnf("seed: this vendor takes none, so answers differ from run to run")
	}
}

// stops writes the stop sequences. Blank ones are refused.
func (e *encoder) stops(all []string) {
	var stops []string
	for _, s := range all {
		if strings.TrimSpace(s) == "" {
			e.Warnf("stop %q isn't sent: this vendor takes no blank ones", s)
			continue
		}
		stops = append(stops, s)
	}
	if len(stops) > 0 {
		e.TextsField("stop_sequences", stops)
	}
}

// callsThoughtOut reports whether each message with calls behind the newest question begins with reasoning. Models with a
// budget demand that of a turn that they are to go on with; those with effort don't.
func callsThoughtOut(msgs []core.Message) bool {
	for _, m := range slices.Backward(msgs) {
		switch {
		case m.Role == core.RoleTool:
		case m.Role != core.RoleModel:
			return true
		case len(core.CallsOf(m)) > 0:
			if t, ok := m.Parts[0].(core.Thinking); !ok || t.Signature == "" || provider.Kept(t) != nil {
				return false
			}
		}
	}
	return true
}

// thinkingLevel says how the level is asked for: as effort, or by older models as a budget of tokens below the limit.
func (e *encoder) thinkingLevel(level string, limit int) (effort string, budget int) {
	gen := e.wire.generation
	budgets := map[string]int{"low": 2048, "medium": 8192, "high": 16384, "xhigh": 24576, "max": 30000}
	switch {
	case level == "" || level == "none" || level == "off":
	case !gen.thinks():
		e.Warnf("thinking %q: the model %s doesn't think", level, e.wire.model)
	case budgets[level] == 0:
		e.Warnf("thinking %q: one of none, low, medium, high, xhigh and max is expected; the model's default is used", level)
	case gen.hasEffort():
		return level, 0
	case limit <= 1024: // the least budget, and it has to be below the limit
		e.Warnf("thinking %q: more than 1024 output tokens are needed to think", level)
	default:
		return "", max(1024, min(budgets[level], limit/2))
	}
	return "", 0
}

func (e *encoder) think(level, effort string, budget int) {
	kind := ""
	switch {
	case effort != "":
		kind = "adaptive"
	case budget > 0:
		kind = "enabled"
	case level == "none" || level == "off":
		kind = e.wire.generation.rest()
	}
	if kind == "" {
		return
	}
	e.Key("thinking")
	e.BeginObject()
	e.TextField("type", kind)
	if budget > 0 {
		e.Key("budget_tokens")
		e.Int(int64(budget))
	}
	e.EndObject()
}

// outputConfig writes the effort, and the schema that the answer is bound to.
func (e *encoder) outputConfig(effort string, schema []byte) {
	bound := e.bound(schema)
	if effort == "" && len(bound) == 0 {
		return
	}
	e.Key("output_config")
	e.BeginObject()
	if effort != "" {
		e.TextField("effort", effort)
	}
	if len(bound) > 0 {
		e.Key("format")
		e.BeginObject()
		e.TextField("type", "json_schema")
		e.Key("schema")
		e.Raw(bound)
		e.EndObject()
	}
	e.EndObject()
}

// bound returns the schema to send. When the model can't be bound to it, it is empty, and the system prompt will ask.
func (e *encoder) bound(schema []byte) []byte {
	if len(schema) == 0 {
		return nil
	}
	bound, against := bindable(schema, false)
	switch {
	case !e.wire.generation.binds():
		e.Warnf("the answer isn't bound to the output schema, it is asked for in words: the model %s can't be bound",
			e.wire.model)
	case against != "":
		e.Warnf("the answer isn't bound to the output schema, it is asked for in words: this vendor can't take %s in it",
			against)
	default:
		return bound
	}
	e.words = provider.SchemaText(schema)
	return nil
}

// sampling writes temperature and top_p where the model takes them.
func (e *encoder) sampling(g core.Generate, thinks bool) {
	temperature, topP := g.Temperature, g.TopP
	if g.Temperature != nil && e.refused("temperature", thinks) {
		temperature = nil
	}
	if g.TopP != nil && e.refused("top_p", thinks) {
		topP = nil
	}
	if temperature != nil {
		if *temperature > 1 {
			e.Warnf("temperature %g: this vendor takes at most 1, which is sent", *temperature)
		}
		e.Key("temperature")
		e.Float(min(*temperature, 1))
	}
	switch {
	case topP == nil:
	case temperature != nil:
		e.Warnf("top_p isn't sent: this vendor takes either temperature or top_p")
	default:
		e.Key("top_p")
		e.Float(*topP)
	}
}

// refused reports a setting of the sampling that the model doesn't take.
func (e *encoder) refused(setting string, thinks bool) bool {
	switch {
	case !e.wire.generation.samples():
		e.Warnf("%s isn't sent: models since 4.7, as %s, take none", setting, e.wire.model)
	case thinks:
		e.Warnf("%s isn't sent: the model %s doesn't take it when it thinks", setting, e.wire.model)
	default:
		return false
	}
	return true
}
