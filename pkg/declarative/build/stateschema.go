package build

import (
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// stateCheck makes the check of what a Workflow's nodes write to the state; nil when anything may be written.
func (b *builder) stateCheck(at string, schema declarative.Schema) func(key string, value any) error {
	if schema == nil {
		return nil
	}
	one := ofOneKey(schema)
	v, err := b.schemas.resolve(one)
	if err != nil {
		b.report(at, diag.BadSchema, err.Error(), "")
		return nil
	}
	keys, closed := closedKeys(one)
	return func(key string, value any) error {
		if _, known := keys[key]; closed && !known {
			return fmt.Errorf("the state_schema of this workflow has no such key; keys: %s", strings.Join(sortedKeys(keys), ", "))
		}
		return v.Validate(map[string]any{key: value})
	}
}

// closedKeys returns the only keys that a schema allows; false when it isn't a question of names alone.
func closedKeys(schema declarative.Schema) (map[string]any, bool) {
	one, _ := schema.(map[string]any)
	keys, named := one["properties"].(map[string]any)
	_, patterns := one["patternProperties"]
	return keys, named && !patterns && one["additionalProperties"] == false
}

// ofOneKey is what a state_schema says of a single key. What it says of the state as a whole, such as which keys are
// required, isn't asked: nodes write one after the other. With properties, keys that they don't name are closed unless
// additionalProperties opens them, as for the expressions that the validator has looked at.
func ofOneKey(schema declarative.Schema) declarative.Schema {
	whole, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	one := map[string]any{}
	for _, keyword := range [...]string{
		"$schema", "$id", "$anchor", "$defs", "properties", "patternProperties", "additionalProperties", "propertyNames",
	} {
		if v, has := whole[keyword]; has {
			one[keyword] = v
		}
	}
	if _, named := whole["properties"]; named {
		if _, says := whole["additionalProperties"]; !says {
			one["additionalProperties"] = false
		}
	}
	return one
}
