package google

import (
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// encoder writes one request.
type encoder struct {
	*provider.Draft

	wire    *wire
	ids     *provider.IDs
	speaker core.Role // of the content that is open; empty when none is
	later   []picture // of results, to follow behind them
	words   string    // what the settings want said in the system prompt
}

func (e *encoder) system(text string) {
	if text == "" && e.words == "" {
		return
	}
	e.Key("systemInstruction")
	e.BeginObject()
	e.Key("parts")
	e.BeginArray()
	for _, t := range []string{text, e.words} {
		if t != "" {
			e.text(core.Text{Text: t})
		}
	}
	e.EndArray()
	e.EndObject()
}

// declare writes the tools.
func (e *encoder) declare(tools []core.Spec) {
	if len(tools) == 0 {
		return
	}
	e.Key("tools")
	e.BeginArray()
	e.BeginObject()
	e.Key("functionDeclarations")
	e.BeginArray()
	e.ShowAll(tools, "this vendor has no search for tools")
	for i := range tools {
		e.Tool(&e.wire.tools, &tools[i], writeTool)
	}
	e.EndArray()
	e.EndObject()
	e.EndArray()
}

// writeTool writes a tool. Its schema goes into the member for JSON Schema: parameters beside it is a dialect of its own.
func writeTool(w *jsonx.Writer, spec *core.Spec) (note string) {
	w.BeginObject()
	w.TextField("name", spec.Name)
	if spec.Description != "" {
		w.TextField("description", spec.Description)
	}
	w.Key("parametersJsonSchema")
	w.Raw(provider.InputSchema(spec))
	w.EndObject()
	return provider.NotStrict(spec, "this vendor can't be asked for it tool by tool")
}
