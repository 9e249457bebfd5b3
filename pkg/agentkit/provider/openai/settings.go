package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

// delivery writes how the answer comes and what the vendor does with the request.
func (e *encoder) delivery() {
	if !e.Whole {
		e.Key("stream")
		e.Bool(true)
		e.Key("stream_options")
		e.BeginObject()
		e.Key("include_usage")
		e.Bool(true)
		e.EndObject()
	}
	if e.wire.profile.Stores {
		e.Key("store")
		e.Bool(false)
	}
	if e.wire.cacheKey != "" {
		e.TextField("prompt_cache_key", e.wire.cacheKey)
	}
}

// settings writes what the request asks of the sampling. What the model can't take is reported.
func (e *encoder) settings(req *core.Request) {
	g, p := req.Generate, &e.wire.profile
	effort := e.thinking(g.Thinking, len(req.Tools) > 0)
	if g.MaxOutputTokens > 0 {
		e.Key(cmp.Or(p.Limit, "max_tokens"))
		e.Int(int64(g.MaxOutputTokens))
	}
	e.sampling(g, effort)
	e.stops(g.Stop)
	switch {
	case g.Seed == nil:
	case p.Seed:
		e.Key("seed")
		e.Int(*g.Seed)
	default:
		e.Warnf("seed: this vendor takes none, so answers differ from run to run")
	}
}

// thinking writes how hard the model is to think, and returns the level that was written.
func (e *encoder) thinking(level string, tools bool) string {
	p := &e.wire.profile
	level = e.Level(level, p.Levels)
	if tools && e.Known.ToolsOrThought() && level != "none" {
		e.Warnf("thinking is off: behind this API %s takes tools only so; the provider openai-responses has both", e.Model)
		level = "none"
	}
	think := p.Think
	if p.EffortModels != "" && strings.HasPrefix(e.Model, p.EffortModels) {
		think = ThinkEffort
	}
	if level != "" {
		e.level(think, level)
	}
	return level
}

func (e *encoder) level(think Think, level string) {
	switch think {
	case ThinkEffort:
		e.TextField("reasoning_effort", level)
	case ThinkObject:
		e.Key("reasoning")
		e.BeginObject()
		e.TextField("effort", level)
		e.EndObject()
	case ThinkSwitch, ThinkBoth:
		state := "enabled"
		if level == "none" {
			state = "disabled"
		}
		e.Key("thinking")
		e.BeginObject()
		e.TextField("type", state)
		e.EndObject()
		switch {
		case level == "none":
		case think == ThinkBoth:
			e.TextField("reasoning_effort", level)
		default:
			e.Warnf("thinking %q: the model %s thinks or doesn't, without levels; it does", level, e.Model)
		}
	}
}

// sampling writes temperature and top_p where the model takes them.
func (e *encoder) sampling(g core.Generate, effort string) {
	p := &e.wire.profile
	why := ""
	switch {
	case p.FixedSampling != "" && strings.HasPrefix(e.Model, p.FixedSampling):
		why = "doesn't take it"
	case p.ThinkingFixes && effort != "none", !e.Known.Samples(effort):
		why = "doesn't take it when it thinks"
	}
	for _, s := range []struct {
		name  string
		value *float64
	}{{"temperature", g.Temperature}, {"top_p", g.TopP}} {
		switch {
		case s.value == nil:
		case why != "":
			e.Warnf("%s isn't sent: the model %s %s", s.name, e.Model, why)
		default:
			e.Key(s.name)
			e.Float(*s.value)
		}
	}
}

func (e *encoder) stops(stops []string) {
	most := e.wire.profile.MostStops
	switch {
	case len(stops) == 0:
		return
	case e.wire.profile.NoStops:
		e.Warnf("stop: this vendor takes no stop sequences")
		return
	case !e.Known.Stops():
		e.Warnf("stop: the model %s takes no stop sequences", e.Model)
		return
	case most > 0 && len(stops) > most:
		e.Warnf("stop: this vendor takes at most %d sequences; those behind are left out", most)
		stops = stops[:most]
	}
	e.TextsField("stop", stops)
}

// format writes the schema that the answer is held to.
func (e *encoder) format(schema json.RawMessage) {
	if len(schema) == 0 {
		return
	}
	bind := e.wire.profile.Bind
	if bind == BindObject {
		e.Warnf("the answer isn't bound to the output schema, it is asked for in words: this vendor binds to none")
		e.words = provider.SchemaText(schema)
		if !isObject(schema) {
			return
		}
		e.Key("response_format")
		e.BeginObject()
		e.TextField("type", "json_object")
		e.EndObject()
		return
	}
	e.Key("response_format")
	e.BeginObject()
	e.TextField("type", "json_schema")
	e.Key("json_schema")
	e.BeginObject()
	e.TextField("name", oai.SchemaName)
	if bind == BindStrict {
		e.Strict(schema)
	}
	e.Key("schema")
	e.Raw(schema)
	e.EndObject()
	e.EndObject()
}

// isObject says whether a schema wants an object.
func isObject(schema json.RawMessage) bool {
	r, kind := jsonx.NewReader(schema), ""
	if r.Peek() != '{' {
		return false
	}
	for o := r.Object(); o.Next(); {
		if string(o.Key()) == "type" {
			kind = string(r.Raw())
		}
	}
	return r.End() == nil && kind == `"object"`
}
