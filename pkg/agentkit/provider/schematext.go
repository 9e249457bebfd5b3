package provider

import "encoding/json"

// SchemaText asks for an answer of an output schema in words, for wires and models that can't be bound to it.
func SchemaText(schema json.RawMessage) string {
	return "Answer with JSON of this schema, and with nothing else:\n" + string(schema)
}
