package adkparity

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
)

// unresolved is a schema as ADK takes it for nodes of agents and tools; nil for none.
func unresolved(schema map[string]any) (*jsonschema.Schema, error) {
	if schema == nil {
		return nil, nil
	}
	s := new(jsonschema.Schema)
	return s, json.Unmarshal([]byte(jsonText(schema)), s)
}

// schemasOf are those of a node's input and output.
func schemasOf(n Node) (in, out *jsonschema.Schema, err error) {
	if in, err = unresolved(n.In); err == nil {
		out, err = unresolved(n.Out)
	}
	return in, out, err
}

// ofJoin is the schema of what a join hands on, of one for each value: ADK doesn't check what isn't there.
func ofJoin(each map[string]any) map[string]any {
	return map[string]any{"type": "object", "additionalProperties": map[string]any{"anyOf": []any{map[string]any{"type": "null"}, each}}}
}

// resolve is a schema ready to check with; nil for none.
func resolve(schema map[string]any) (*jsonschema.Resolved, error) {
	s, err := unresolved(schema)
	if s == nil || err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}
