package anthropic

import (
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// encoder writes one request.
type encoder struct {
	*provider.Draft

	wire *wire
	ids  *provider.IDs
}

// mark ends the cached prefix with the block that is being written.
func (e *encoder) mark() {
	if e.wire.cache == CacheOff {
		return
	}
	e.Key("cache_control")
	e.BeginObject()
	e.TextField("type", "ephemeral")
	if e.wire.cache != CacheMinutes {
		e.TextField("ttl", string(e.wire.cache))
	}
	e.EndObject()
}

// declare writes the tools. The prefix ends behind them when no system prompt follows.
func (e *encoder) declare(tools []core.Spec, last bool) {
	if len(tools) == 0 {
		return
	}
	e.Key("tools")
	e.BeginArray()
	for i := range tools {
		sent := e.wire.tools.Get(&tools[i], writeTool)
		if last && i == len(tools)-1 && e.wire.cache != CacheOff {
			e.Raw(sent[:len(sent)-1]) // an object that isn't closed yet
			e.mark()
			e.EndObject()
			continue
		}
		e.Raw(sent)
	}
	e.EndArray()
}

func writeTool(w *jsonx.Writer, spec *core.Spec) {
	w.BeginObject()
	w.TextField("name", spec.Name)
	if spec.Description != "" {
		w.TextField("description", spec.Description)
	}
	w.Key("input_schema")
	w.Raw(provider.InputSchema(spec))
	w.EndObject()
}

func (e *encoder) system(text string) {
	if text == "" {
		return
	}
	e.Key("system")
	e.BeginArray()
	e.BeginObject()
	e.TextField("type", "text")
	e.TextField("text", text)
	e.mark()
	e.EndObject()
	e.EndArray()
}
