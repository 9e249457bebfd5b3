package anthropic

import (
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// encoder writes one request.
type encoder struct {
	*provider.Draft

	wire *wire
	ids  *provider.IDs

	words string // what the settings want said in the system prompt
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

// system writes the system prompt. The prefix ends behind it.
func (e *encoder) system(texts ...string) {
	texts = slices.DeleteFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
	if len(texts) == 0 {
		return
	}
	e.Key("system")
	e.BeginArray()
	for i, text := range texts {
		e.BeginObject()
		e.TextField("type", "text")
		e.TextField("text", text)
		if i == len(texts)-1 {
			e.mark()
		}
		e.EndObject()
	}
	e.EndArray()
}
