package schemas_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/plait-dev/plait/internal/schemas"
)

func TestCompile_refuses_what_never_ends(t *testing.T) {
	for schema, want := range map[string]string{
		`{"$ref": "#"}`: "it refers to itself without looking into the value: # → #",
		`{"$defs": {"x": {"$ref": "#/$defs/x"}}, "$ref": "#/$defs/x"}`:                                              "#/$defs/x → #/$defs/x",
		`{"properties": {"a": {"$ref": "#/properties/a"}}}`:                                                         "#/properties/a → #/properties/a",
		`{"anyOf": [{"type": "string"}, {"$ref": "#"}]}`:                                                            "# → #/anyOf/1 → #",
		`{"allOf": [{"not": {"$ref": "#"}}]}`:                                                                       "# → #/allOf/0 → #/allOf/0/not → #",
		`{"if": true, "then": {"oneOf": [{"$ref": "#/then"}]}}`:                                                     "#/then → #/then/oneOf/0 → #/then",
		`{"dependentSchemas": {"a/b": {"$ref": "#"}}}`:                                                              "# → #/dependentSchemas/a~1b → #",
		`{"$anchor": "me", "else": {"$ref": "#me"}, "if": {}}`:                                                      "# → #/else → #",
		`{"$id": "https://x.test/s", "not": {"$ref": "s"}}`:                                                         "# → #/not → #",
		`{"$defs": {"a": {"$id": "https://x.test/a", "not": {"$ref": "#"}}}}`:                                       "#/$defs/a/not → #/$defs/a → #/$defs/a/not",
		`{"$dynamicAnchor": "n", "anyOf": [{"$dynamicRef": "#n"}]}`:                                                 "# → #/anyOf/0 → #",
		`{"$defs": {"a b": {"$ref": "#/$defs/a%20b"}}, "items": {"$ref": "#/$defs/a%20b"}}`:                         "#/$defs/a b → #/$defs/a b",
		`{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}`:                                       "#/$defs/a → #/$defs/b → #/$defs/a",
		`{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {"$ref": "#/definitions/a"}}}`: "#/definitions/a → #/definitions/a",
	} {
		if _, err := schemas.Compile([]byte(schema)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", schema, err, want)
		}
	}
}

// Fifty references that double each time would take longer than anybody has.
func TestCompile_refuses_what_multiplies(t *testing.T) {
	defs := map[string]any{"d0": map[string]any{"type": "string"}}
	for i := range 50 {
		ref := map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", i)}
		defs[fmt.Sprintf("d%d", i+1)] = map[string]any{"anyOf": []any{ref, ref}}
	}
	schema, err := json.Marshal(map[string]any{"$defs": defs, "$ref": "#/$defs/d50"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schemas.Compile(schema); err == nil || !strings.Contains(err.Error(), "applies more than 100000 schemas to one value") {
		t.Errorf("%v", err)
	}
}

// Schemas of trees, lists and alternatives refer to themselves where they look into the value.
func TestCompile_takes_what_recurses_into_the_value(t *testing.T) {
	for schema, values := range map[string][2]string{
		`{"type": "object", "properties": {"next": {"$ref": "#"}}}`:                                {`{"next": {"next": {}}}`, `{"next": {"next": 1}}`},
		`{"$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}, "$ref": "#/$defs/t"}`: {`[[], [[]]]`, `[[1]]`},
		`{"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#"}}]}`:               {`["a", ["b"]]`, `["a", [1]]`},
		`{"$dynamicAnchor": "n", "type": "object", "additionalProperties": {"$dynamicRef": "#n"}}`: {`{"a": {}}`, `{"a": 1}`},
		`{"const": {"$ref": "#"}}`: {`{"$ref": "#"}`, `{}`},
		`{"$defs": {"a": {"type": "string"}}, "allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}`: {`"x"`, `1`},
	} {
		compiled, err := schemas.Compile([]byte(schema))
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		for i, text := range values {
			var value any
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				t.Fatal(err)
			}
			if err := compiled.Validate(value); (err == nil) != (i == 0) {
				t.Errorf("%s: %s gives %v", schema, text, err)
			}
		}
	}
}

func TestCompile_tells_what_is_wrong(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type": 3}`:                `"type"`,
		`{"$ref": "#/$defs/nobody"}`: "/$defs/nobody",
		`{"pattern": "("}`:           "missing closing )",
	} {
		if _, err := schemas.Compile([]byte(schema)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", schema, err, want)
		}
	}
}

// What is compiled can be used: no schema takes the process down. Those that Compile refuses are not tried.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`{"$ref": "#"}`, `{"$defs": {"x": {"$ref": "#/$defs/x"}}, "$ref": "#/$defs/x"}`,
		`{"$id": "a", "$defs": {"b": {"$id": "b", "$ref": "a"}}}`, `{"$dynamicAnchor": "n", "anyOf": [{"$dynamicRef": "#n"}]}`,
		`{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {"$id": "#a", "$ref": "#a"}}}`,
		`{"$id": "#x", "not": {"$ref": "#x"}}`, `{"dependencies": {"a": {"$ref": "#"}}}`,
	} {
		f.Add(seed, `{"a": [1]}`)
	}
	f.Fuzz(func(t *testing.T, schema, text string) {
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			return // nothing to check
		}
		if compiled, err := schemas.Compile([]byte(schema)); err == nil {
			_ = compiled.Validate(value)
		}
	})
}
