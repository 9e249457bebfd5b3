package google

import (
	"math"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// settings writes what the request asks of the answer. What the model can't take is reported.
func (e *encoder) settings(req *core.Request) {
	const empty = len("{}")
	w := jsonx.NewWriter(256 + len(req.OutputSchema))
	w.BeginObject()
	e.sampling(w, req.Generate)
	e.stops(w, req.Generate.Stop)
	e.bind(w, req)
	e.think(w, req.Generate.Thinking)
	w.EndObject()
	if len(w.Bytes()) > empty {
		e.Key("generationConfig")
		e.Raw(w.Bytes())
	}
}

func (e *encoder) sampling(w *jsonx.Writer, g core.Generate) {
	if g.MaxOutputTokens > 0 {
		w.Key("maxOutputTokens")
		w.Int(int64(g.MaxOutputTokens))
	}
	if g.Temperature != nil && !e.refused("temperature") {
		const most = 2.0
		if *g.Temperature > most {
			e.Warnf("temperature %g: this vendor takes at most %g, which is sent", *g.Temperature, most)
		}
		w.Key("temperature")
		w.Float(min(*g.Temperature, most))
	}
	if g.TopP != nil && !e.refused("top_p") {
		w.Key("topP")
		w.Float(*g.TopP)
	}
	if g.Seed == nil {
		return
	}
	if *g.Seed < math.MinInt32 || *g.Seed > math.MaxInt32 {
		e.Warnf("seed %d isn't sent: this vendor takes numbers of 32 bits", *g.Seed)
		return
	}
	w.Key("seed")
	w.Int(*g.Seed)
}

// refused reports a setting of the sampling that the model doesn't take.
func (e *encoder) refused(setting string) bool {
	if e.wire.generation.samples() {
		return false
	}
	e.Warnf("%s isn't sent: models since 3.6, as %s, take none", setting, e.wire.model)
	return true
}

func (e *encoder) stops(w *jsonx.Writer, stops []string) {
	if len(stops) > mostStops {
		e.Warnf("stop: this vendor takes %d sequences; the last %d aren't sent", mostStops, len(stops)-mostStops)
		stops = stops[:mostStops]
	}
	if len(stops) > 0 {
		w.TextsField("stopSequences", stops)
	}
}

// bind asks for an answer of the request's schema. When the model can't be bound to it, the system prompt will ask.
func (e *encoder) bind(w *jsonx.Writer, req *core.Request) {
	if len(req.OutputSchema) == 0 {
		return
	}
	if len(req.Tools) > 0 && !e.wire.generation.bindsBesideTools() {
		e.Warnf("the answer isn't bound to the output schema, it is asked for in words: the model %s can't be bound while it has tools",
			e.wire.model)
		e.words = provider.SchemaText(req.OutputSchema)
		return
	}
	w.TextField("responseMimeType", "application/json")
	w.Key("responseJsonSchema")
	w.Raw(req.OutputSchema)
}
