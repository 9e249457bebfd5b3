package provider

import (
	"encoding/json"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// ObjectArgs returns the arguments of a call for wires that want a JSON object where the model may have written anything:
// an object as it is, nothing as an object without members, and other bytes as {"INVALID_JSON": "…"}, so that the model
// still sees what it wrote.
func ObjectArgs(args string) json.RawMessage {
	text := strings.Trim(args, " \t\r\n")
	if text == "" {
		return json.RawMessage("{}")
	}
	if text[0] == '{' && jsonx.Check([]byte(text)) == nil {
		return json.RawMessage(args)
	}
	w := jsonx.NewWriter(len(args) + 32)
	w.BeginObject()
	w.TextField("INVALID_JSON", args)
	w.EndObject()
	return w.Bytes()
}
