package openairesponses

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

// delivery writes how the answer comes and what the vendor does with the request.
func (e *encoder) delivery() {
	w := e.wire
	if !e.Whole {
		e.Key("stream")
		e.Bool(true)
	}
	e.Key("store")
	e.Bool(false)
	if w.profile.Encrypted && !e.Known.Plain() { // models without reasoning refuse it
		e.Key("include")
		e.BeginArray()
		e.Text("reasoning.encrypted_content")
		e.EndArray()
	}
	if w.cacheKey != "" {
		e.TextField("prompt_cache_key", w.cacheKey)
	}
}

// settings writes what the request asks of the sampling. What the model can't take is reported.
func (e *encoder) settings(g core.Generate) {
	effort := e.thinking(g.Thinking)
	if g.MaxOutputTokens > 0 {
		least := e.wire.profile.LeastLimit
		if g.MaxOutputTokens < least {
			e.Warnf("%d output tokens: this vendor takes no bound below %d, which is sent", g.MaxOutputTokens, least)
		}
		e.Key("max_output_tokens")
		e.Int(int64(max(g.MaxOutputTokens, least)))
	}
	e.sampling("temperature", g.Temperature, effort)
	e.sampling("top_p", g.TopP, effort)
	if len(g.Stop) > 0 {
		e.Warnf("stop: this API has no stop sequences")
	}
	if g.Seed != nil {
		e.Warnf("seed: this API has none, so answers differ from run to run")
	}
}

// thinking writes how hard the model is to think and what it is to tell of it, and returns the level that was written.
func (e *encoder) thinking(level string) string {
	level = e.Level(level, e.wire.profile.Levels)
	summary := e.wire.summary
	if e.Known.Plain() {
		summary = SummaryNone
	}
	if level == "" && summary == SummaryNone {
		return ""
	}
	e.Key("reasoning")
	e.BeginObject()
	if level != "" {
		e.TextField("effort", level)
	}
	if summary != SummaryNone {
		e.TextField("summary", string(summary))
	}
	e.EndObject()
	return level
}

// sampling writes a setting where the model takes it.
func (e *encoder) sampling(name string, value *float64, effort string) {
	switch {
	case value == nil:
	case e.wire.profile.ThinkingFixes && effort != "none", !e.Known.Samples(effort):
		e.Warnf("%s isn't sent: the model %s doesn't take it when it thinks", name, e.Model)
	default:
		e.Key(name)
		e.Float(*value)
	}
}

// format writes the schema that the answer is held to.
func (e *encoder) format(schema json.RawMessage) {
	if len(schema) == 0 {
		return
	}
	e.Key("text")
	e.BeginObject()
	e.Key("format")
	e.BeginObject()
	e.TextField("type", "json_schema")
	e.TextField("name", oai.SchemaName)
	if e.wire.profile.Strict {
		e.Strict(schema)
	}
	e.Key("schema")
	e.Raw(schema)
	e.EndObject()
	e.EndObject()
}
