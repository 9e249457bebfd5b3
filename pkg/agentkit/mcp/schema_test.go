package mcp

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNormaliseSchema(t *testing.T) {
	tests := map[string]struct{ given, want string }{
		"null":             {`null`, `{"properties":{},"type":"object"}`},
		"true":             {`true`, `{"properties":{},"type":"object"}`},
		"a string":         {`"object"`, `{"properties":{},"type":"object"}`},
		"an empty object":  {`{}`, `{"properties":{},"type":"object"}`},
		"another type":     {`{"type":"string"}`, `{"properties":{},"type":"object"}`},
		"a list of types":  {`{"type":["object","null"]}`, `{"properties":{},"type":"object"}`},
		"null members":     {`{"type":"object","properties":null,"required":null}`, `{"properties":{},"type":"object"}`},
		"the dialect":      {`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`, `{"properties":{},"type":"object"}`},
		"a usual schema":   {`{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"],"additionalProperties":false}`, `{"additionalProperties":false,"properties":{"a":{"minimum":1,"type":"integer"}},"required":["a"],"type":"object"}`},
		"a property: true": {`{"properties":{"a":true},"additionalProperties":true}`, `{"additionalProperties":true,"properties":{"a":{}},"type":"object"}`},
		"a local reference": {
			`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`,
			`{"$defs":{"x":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/x"}},"type":"object"}`,
		},
		"a remote reference": {
			`{"properties":{"a":{"$ref":"https://evil.example/s.json","description":"an a","minLength":1}}}`,
			`{"properties":{"a":{"description":"an a"}},"type":"object"}`,
		},
		"remote references at depth": {
			`{"properties":{"a":{"items":{"anyOf":[{"$ref":"file:///etc"},{"not":{"$dynamicRef":"other.json"}}]}}}}`,
			`{"properties":{"a":{"items":{"anyOf":[{},{"not":{}}]}}},"type":"object"}`,
		},
		"a remote reference at the root": {`{"$ref":"other.json"}`, `{"properties":{},"type":"object"}`},
		"data that looks like a reference": {
			`{"properties":{"$ref":{"const":{"$ref":"x"}},"b":{"enum":[{"$ref":"y"}],"default":true}}}`,
			`{"properties":{"$ref":{"const":{"$ref":"x"}},"b":{"default":true,"enum":[{"$ref":"y"}]}},"type":"object"}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var given any
			if err := json.Unmarshal([]byte(tt.given), &given); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(normaliseSchema(given))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var again any
			if err := json.Unmarshal([]byte(tt.given), &again); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(again, given); diff != "" {
				t.Errorf("the SDK's value was changed:\n%s", diff)
			}
		})
	}
}
