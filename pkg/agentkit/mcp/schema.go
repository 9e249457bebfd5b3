package mcp

import (
	"encoding/json"
	"strings"
)

// normaliseSchema turns what a server gave for an input schema into an object schema that can be sent to any provider.
// Servers send none at all, null, a boolean, and references to elsewhere, which are never fetched: the part of the
// schema that they stand for accepts anything, and the server judges the arguments itself.
func normaliseSchema(v any) json.RawMessage {
	root := map[string]any{}
	if given, ok := v.(map[string]any); ok {
		root, _ = localSchema(given).(map[string]any)
	}
	delete(root, "$schema")
	root["type"] = "object"
	if _, ok := root["properties"].(map[string]any); !ok {
		root["properties"] = map[string]any{}
	}
	if _, ok := root["required"].([]any); !ok {
		delete(root, "required")
	}
	raw, err := json.Marshal(root)
	if err != nil { // what was decoded from JSON encodes again
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return raw
}

// localSchema copies a schema without its references to elsewhere. The copy shares nothing that is changed later: the SDK
// hands out its own cache.
func localSchema(v any) any {
	schema, ok := v.(map[string]any)
	if !ok {
		if v == true {
			return map[string]any{}
		}
		return v
	}
	if leavesDocument(schema["$ref"]) || leavesDocument(schema["$dynamicRef"]) {
		open := map[string]any{}
		if text, ok := schema["description"].(string); ok {
			open["description"] = text
		}
		return open
	}
	out := make(map[string]any, len(schema))
	for key, value := range schema {
		out[key] = localKeyword(key, value)
	}
	return out
}

func leavesDocument(ref any) bool {
	text, ok := ref.(string)
	return ok && !strings.HasPrefix(text, "#")
}

// localKeyword copies the value of a keyword. Only some hold schemas; the values of the rest (const, enum, default and
// the like) are data, in which "$ref" would be a name like any other.
func localKeyword(key string, value any) any {
	switch key {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		schemas, ok := value.(map[string]any)
		if !ok {
			return value
		}
		out := make(map[string]any, len(schemas))
		for name, schema := range schemas {
			out[name] = localSchema(schema)
		}
		return out
	case "allOf", "anyOf", "oneOf", "prefixItems", "items":
		if list, ok := value.([]any); ok {
			out := make([]any, len(list))
			for i, schema := range list {
				out[i] = localSchema(schema)
			}
			return out
		}
		return localSchema(value)
	case "contains", "not", "if", "then", "else", "propertyNames":
		return localSchema(value)
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems":
		if value == true {
			return true // spelled this way everywhere
		}
		return localSchema(value)
	}
	return value
}
