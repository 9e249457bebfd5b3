package ollama

import (
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// encoder writes one request.
type encoder struct {
	*provider.Draft

	wire  *wire
	ids   *provider.IDs
	words string // what the settings want said in the system prompt
}

// wholePrompt forbids the server to leave out the beginning of the messages when they don't fit, and to push it out while
// the answer grows: the first is an error then, the second ends the answer.
func (e *encoder) wholePrompt() {
	e.Key("truncate")
	e.Bool(false)
	e.Key("shift")
	e.Bool(false)
}

// settings writes what the request asks of the answer.
func (e *encoder) settings(req *core.Request) {
	e.think(req.Generate.Thinking)
	e.bind(req)
	const empty = len("{}")
	w := jsonx.NewWriter(256)
	w.BeginObject()
	e.options(w, req.Generate)
	w.EndObject()
	if len(w.Bytes()) > empty {
		e.Key("options")
		e.Raw(w.Bytes())
	}
}

// bind asks for an answer of the request's schema. Where there are tools the system prompt asks: a model that is bound can
// write nothing else, and so no calls.
func (e *encoder) bind(req *core.Request) {
	switch {
	case len(req.OutputSchema) == 0:
	case len(req.Tools) > 0:
		e.Warnf("the answer isn't bound to the output schema, it is asked for in words: a model here can't be bound while it has tools")
		e.words = provider.SchemaText(req.OutputSchema)
	default:
		e.Key("format")
		e.Raw(req.OutputSchema)
	}
}

func (e *encoder) options(w *jsonx.Writer, g core.Generate) {
	if e.wire.context > 0 {
		w.Key("num_ctx")
		w.Int(int64(e.wire.context))
	}
	if g.MaxOutputTokens > 0 {
		w.Key("num_predict")
		w.Int(int64(g.MaxOutputTokens))
	}
	if g.Temperature != nil {
		w.Key("temperature")
		w.Float(*g.Temperature)
	}
	if g.TopP != nil {
		w.Key("top_p")
		w.Float(*g.TopP)
	}
	if g.Seed != nil {
		w.Key("seed")
		w.Int(*g.Seed)
	}
	if len(g.Stop) > 0 {
		w.TextsField("stop", g.Stop)
	}
}

// think writes whether the model thinks. How much it does can be said to the models named gpt-oss alone, which can't be told
// not to; servers refuse a level for any other.
func (e *encoder) think(level string) {
	sent := map[string]string{"none": "low", "off": "low", "minimal": "low", "low": "low", "medium": "medium", "high": "high",
		"xhigh": "high", "max": "high"}[level]
	switch {
	case level == "":
	case sent == "":
		e.Warnf("thinking %q: one of none, minimal, low, medium, high, xhigh and max is expected; the model's default is used", level)
	case strings.Contains(strings.ToLower(e.wire.model), "gpt-oss"):
		if sent != level {
			e.Warnf("thinking %q: the model %s knows low, medium and high; %s is sent", level, e.wire.model, sent)
		}
		e.TextField("think", sent)
	default:
		thinks := level != "none" && level != "off"
		if thinks {
			e.Warnf("thinking %q: the model %s is only told to think, not how much", level, e.wire.model)
		}
		e.Key("think")
		e.Bool(thinks)
	}
}

// declare writes the tools.
func (e *encoder) declare(tools []core.Spec) {
	if len(tools) == 0 {
		return
	}
	e.Key("tools")
	e.BeginArray()
	e.ShowAll(tools, "this API has no search for tools")
	for i := range tools {
		e.Tool(&e.wire.tools, &tools[i], writeTool)
	}
	e.EndArray()
}

func writeTool(w *jsonx.Writer, spec *core.Spec) (note string) {
	w.BeginObject()
	w.TextField("type", "function")
	w.Key("function")
	w.BeginObject()
	w.TextField("name", spec.Name)
	w.TextField("description", spec.Description)
	w.Key("parameters")
	w.Raw(provider.InputSchema(spec))
	w.EndObject()
	w.EndObject()
	return provider.NotStrict(spec, "this API can't be asked for it")
}
