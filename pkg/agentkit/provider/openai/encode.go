package openai

import (
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

// encoder writes one request.
type encoder struct {
	oai.Encoder

	wire  *wire
	words string // what the settings want said in the system prompt
}

func writeTool(w *jsonx.Writer, spec *core.Spec) {
	w.BeginObject()
	w.TextField("type", "function")
	w.Key("function")
	w.BeginObject()
	w.TextField("name", spec.Name)
	if spec.Description != "" {
		w.TextField("description", spec.Description)
	}
	w.Key("parameters")
	w.Raw(provider.InputSchema(spec))
	w.EndObject()
	w.EndObject()
}

// system writes the system prompt, with what the settings want said behind it.
func (e *encoder) system(text string) {
	if e.words != "" {
		text = strings.TrimPrefix(text+"\n\n"+e.words, "\n\n")
	}
	if text == "" {
		return
	}
	e.BeginObject()
	e.TextField("role", "system")
	e.TextField("content", text)
	e.EndObject()
}
