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

func (w *wire) writeTool(out *jsonx.Writer, spec *core.Spec) (note string) {
	out.BeginObject()
	out.TextField("type", "function")
	out.Key("function")
	out.BeginObject()
	out.TextField("name", spec.Name)
	if spec.Description != "" {
		out.TextField("description", spec.Description)
	}
	out.Key("parameters")
	out.Raw(provider.InputSchema(spec))
	strict, note := oai.ArgsStrict(spec, w.profile.Bind == BindStrict)
	if strict {
		out.Key("strict")
		out.Bool(true)
	}
	out.EndObject()
	out.EndObject()
	return note
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
