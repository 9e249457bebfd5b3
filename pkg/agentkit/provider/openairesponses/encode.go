package openairesponses

import (
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

// encoder writes one request.
type encoder struct {
	oai.Encoder

	wire *wire
}

// writeTool says that the schema isn't strict: by default it is here, and then the vendor refuses or changes schemas that
// aren't of its own part of JSON Schema, as those of most MCP servers.
func writeTool(w *jsonx.Writer, spec *core.Spec) {
	w.BeginObject()
	w.TextField("type", "function")
	w.TextField("name", spec.Name)
	if spec.Description != "" {
		w.TextField("description", spec.Description)
	}
	w.Key("parameters")
	w.Raw(provider.InputSchema(spec))
	w.Key("strict")
	w.Bool(false)
	w.EndObject()
}
