// Package schemas compiles the JSON Schemas that documents, tools and foreign servers give, so that checking a value against
// one always comes to an end.
package schemas

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
)

// Compile reads a JSON Schema of draft 2020-12 or draft-07 and resolves its references. Not every schema that the drafts
// allow can be used: one that refers to itself before it looks into a value has no meaning, and one that multiplies by
// references costs more than any value is worth. Compile refuses both. What it returns is safe for concurrent use.
func Compile(text []byte) (*jsonschema.Resolved, error) {
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, err
	}
	compiled, err := schema.Resolve(nil)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	if err := terminates(value); err != nil {
		return nil, err
	}
	return compiled, nil
}
