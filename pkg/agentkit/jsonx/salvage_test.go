package jsonx_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

func TestSalvage(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"nothing", ``, `{}`},
		{"an opened object", ` {`, `{}`},
		{"a key", `{"path"`, `{}`},
		{"a key without its value", `{"path":`, `{}`},
		{"a text that is cut off", `{"path":"a.go","new":"func ma`, `{"path":"a.go"}`},
		{"a text that ends with a backslash", `{"path":"a.go","new":"x\`, `{"path":"a.go"}`},
		{"a text that is there to its end", `{"path":"a.go"`, `{"path":"a.go"}`},
		{"behind a comma", `{"path":"a.go", `, `{"path":"a.go"}`},
		{"a number that may go on", `{"line":1,"to":12`, `{"line":1}`},
		{"a number that can't go on", `{"line":1,"to":12 `, `{"line":1,"to":12}`},
		{"half a word", `{"all":true,"deep":tr`, `{"all":true}`},
		{"a word", `{"all":true,"deep":null`, `{"all":true,"deep":null}`},
		{"a list that is cut off", `{"all":true,"of":["a","b"`, `{"all":true}`},
		{"an object that is cut off", `{"all":true,"of":{"a":1}`, `{"all":true,"of":{"a":1}}`},
		{"its own bytes", "{\n \"x\" : 1.50 , \"y\":", "{\n \"x\" : 1.50}"},
		{"a whole object", `{"b":1e2,"a":{}} `, `{"b":1e2,"a":{}}`},
		{"an empty object", `{ }`, `{}`},
		{"what stands behind it", `{"a":1}{"b":2}`, `{"a":1}`},
		{"a key that comes again", `{"a":1,"a":2}`, `{"a":1}`},
		{"a comma too many", `{"a":1,,"b":2}`, `{"a":1}`},
		{"a list", `["a"]`, `{}`},
		{"no JSON", `path=a.go`, `{}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := jsonx.Salvage([]byte(c.text)); string(got) != c.want {
				t.Errorf("of %s: %s, want %s", c.text, got, c.want)
			}
		})
	}
}

// What is salvaged is an object of members in the bytes that they have, and no more of them than are there to the end.
func FuzzSalvage(f *testing.F) {
	for _, seed := range []string{`{"path":"a.go","new":"é\"<","n":-1.50e3,"of":[{"a":null},{}]}`, `{"a":1,"a":2}`, `{"a"`, ``, `[1`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		got := jsonx.Salvage(text)
		if !bytes.Equal(text, before) {
			t.Fatalf("the text was changed: %q", text)
		}
		if err := jsonx.Check(got); err != nil || got[0] != '{' {
			t.Fatalf("%q gives %q, which is no object: %v", text, got, err)
		}
		if again := jsonx.Salvage(got); !bytes.Equal(again, got) {
			t.Errorf("%q is taken for %q", got, again)
		}
		if jsonx.Check(text) != nil || bytes.TrimLeft(text, " \t\r\n")[0] != '{' {
			return
		}
		var whole map[string]json.RawMessage
		if err := json.Unmarshal(text, &whole); err != nil {
			t.Fatal(err)
		}
		for n := range text { // every beginning of an object
			var part map[string]json.RawMessage
			if err := json.Unmarshal(jsonx.Salvage(text[:n]), &part); err != nil {
				t.Fatal(err)
			}
			for key, value := range part {
				if !bytes.Equal(value, whole[key]) {
					t.Fatalf("%q makes %s out of %s", text[:n], value, whole[key])
				}
			}
		}
	})
}
