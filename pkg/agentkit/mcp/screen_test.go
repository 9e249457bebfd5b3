package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestScreenRefuses(t *testing.T) {
	deep := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	tests := map[string]struct{ msg, mentions string }{
		"a duplicate key on top":           {`{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`, `duplicate key "id"`},
		"a duplicate key in a result":      {`{"jsonrpc":"2.0","id":1,"result":{"text":"A","text":"B"}}`, `duplicate key "text"`},
		"a duplicate key in an array":      {`{"jsonrpc":"2.0","id":1,"result":{"a":[{"x":1},{"k":1,"k":2}]}}`, `duplicate key "k"`},
		"a duplicate key in disguise":      {`{"jsonrpc":"2.0","id":1,"result":{"name":1,"n\u0061me":2}}`, `duplicate key "name"`},
		"a duplicate key in structured":    {`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"a":1,"a":2}}}`, `duplicate key "a"`},
		"an id past 2^53":                  {`{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`, "9007199254740993"},
		"an id below -2^53":                {`{"jsonrpc":"2.0","id":-9007199254740993,"result":{}}`, "not an integer"},
		"an id with a fraction":            {`{"jsonrpc":"2.0","id":1.5,"result":{}}`, "id 1.5"},
		"an id with an exponent":           {`{"jsonrpc":"2.0","id":1e0,"result":{}}`, "id 1e0"},
		"too many levels":                  {`{"jsonrpc":"2.0","id":1,"result":` + deep + `}`, "nested deeper than 100"},
		"what is not JSON":                 {`Listening on port 3000`, "not a JSON-RPC message"},
		"two values on a line":             {`{"jsonrpc":"2.0","id":1,"result":{}} {}`, "not a JSON-RPC message"},
		"a bare string":                    {`"hello"`, "not a JSON-RPC message"},
		"another version":                  {`{"jsonrpc":"1.0","id":1,"result":{}}`, "not a JSON-RPC 2.0 message"},
		"no version":                       {`{"level":"info","msg":"started"}`, "not a JSON-RPC 2.0 message"},
		"a batch with one bad message":     {`[{"jsonrpc":"2.0","id":1,"result":{}},{"id":2}]`, "not a JSON-RPC 2.0 message"},
		"a batch of something else":        {`[1]`, "not a JSON-RPC message"},
		"bytes that are not UTF-8":         {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xff\"}}", "not UTF-8"},
		"an unsafe id in a later message":  {`[{"jsonrpc":"2.0","id":1},{"jsonrpc":"2.0","id":0.5}]`, "id 0.5"},
		"a duplicate key after the result": {`{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, `duplicate key "result"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := screen([]byte(tt.msg))
			if err == nil || !strings.Contains(err.Error(), tt.mentions) {
				t.Fatalf("got %s, %v; want an error that mentions %q", out, err, tt.mentions)
			}
		})
	}
}

func TestScreenPasses(t *testing.T) {
	same := []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":-9007199254740991,"result":{}}`,
		`{"jsonrpc":"2.0","id":"9007199254740993","result":{"n":9007199254740993}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"duplicate words are fine: id id"}}`,
		` { "jsonrpc" : "2.0" , "method" : "notifications/x" , "params" : { "structuredContent" : { } } } `,
		`[{"jsonrpc":"2.0","id":1,"result":{}}, {"jsonrpc":"2.0","id":1,"result":{}}]`,
		`[]`,
		`{"jsonrpc":"2.0","id":1,"result":{"a":{"k":1},"b":{"k":1},"Text":1,"text":2,"":0,"q\"}":1}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":null}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"deeper":{"structuredContent":1}}}`,
	}
	for _, msg := range same {
		out, err := screen([]byte(msg))
		if err != nil || string(out) != msg {
			t.Errorf("screen(%s) = %s, %v; want it unchanged", msg, out, err)
		}
	}
}

func TestViolationShowsTheBeginningOfTheMessageOnly(t *testing.T) {
	_, err := screen([]byte("\x1b[31m" + strings.Repeat("x", 100_000)))
	if err == nil {
		t.Fatal("accepted")
	}
	if text := err.Error(); len(text) > 400 || strings.Contains(text, "\x1b") || !strings.Contains(text, "100005 bytes") {
		t.Errorf("%d characters: %.300s", len(text), text)
	}
}

// decoded is what any JSON decoder makes of a result that has been screened.
func decoded(t rapid.TB, msg []byte) any {
	var m struct {
		Result struct {
			StructuredContent any `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(msg, &m); err != nil {
		t.Fatal(err)
	}
	return m.Result.StructuredContent
}

func TestStructuredContentKeepsItsBytes(t *testing.T) {
	for _, value := range []string{
		`{"b":1,"a":9007199254740993,"f":1.0,"e":1E+2}`, `[ 1,2 ,3]`, `"a \"quoted\" <b> \u2028 text"`, `17`, `true`, `{}`,
		`"{\"looks\":\"wrapped\"}"`, "{\"two\":\n\t\"lines\"}",
	} {
		out, err := screen([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent": ` + value + ` ,"isError":false}}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := unquoteStructured(decoded(t, out)); string(got) != value {
			t.Errorf("%s came through as %s", value, got)
		}
	}
	if got := unquoteStructured(nil); got != nil {
		t.Errorf("nothing came through as %s", got)
	}
}

func TestQuotingAtMostDoublesAText(t *testing.T) {
	for _, value := range []string{`"` + strings.Repeat("<&>\u2028é", 1000) + `"`, "[" + strings.Repeat("\n\t\r ", 1000) + "]"} {
		out, err := screen([]byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":` + value + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		if len(out) > 2*len(value)+100 {
			t.Errorf("%d bytes became %d", len(value), len(out))
		}
		if got := unquoteStructured(decoded(t, out)); string(got) != value {
			t.Error("it came through changed")
		}
	}
}

// jsonText draws JSON texts with all kinds of values and, if so wanted, a key that is given twice.
func jsonText(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		kind := rapid.IntRange(0, 6).Draw(t, "kind")
		if depth == 0 {
			kind = min(kind, 4)
		}
		switch kind {
		case 0:
			return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "word")
		case 1, 2:
			text, _ := json.Marshal(rapid.String().Draw(t, "string"))
			return string(text)
		case 3, 4:
			return rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number")
		case 5:
			return "[" + strings.Join(rapid.SliceOfN(jsonText(depth-1), 0, 4).Draw(t, "list"), " , ") + "]"
		}
		keys := rapid.SliceOfNDistinct(rapid.String(), 0, 4, rapid.ID[string]).Draw(t, "keys")
		var members []string
		for _, key := range keys {
			name, _ := json.Marshal(key)
			members = append(members, string(name)+": "+jsonText(depth-1).Draw(t, "member"))
		}
		return "{" + strings.Join(members, ",\n") + "}"
	})
}

func TestScreenKeepsAnyStructuredContent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := jsonText(4).Draw(t, "value")
		out, err := screen([]byte(`{"jsonrpc":"2.0","id":7,"result":{"structuredContent":` + value + `}}`))
		if err != nil {
			t.Fatalf("%s: %v", value, err)
		}
		want := value
		if value == "null" {
			want = ""
		}
		if got := string(unquoteStructured(decoded(t, out))); got != want {
			t.Fatalf("%s came through as %s", value, got)
		}
	})
}

func TestScreenFindsADuplicateAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, second := jsonText(2).Draw(t, "first"), jsonText(2).Draw(t, "second")
		key, _ := json.Marshal(rapid.String().Draw(t, "key"))
		object := "{" + string(key) + ":" + first + "," + string(key) + ":" + second + "}"
		for range rapid.IntRange(0, 20).Draw(t, "depth") {
			around := rapid.SampledFrom([]string{`[%]`, `{"a":%}`, `[0,%]`}).Draw(t, "around")
			object = strings.Replace(around, "%", object, 1)
		}
		if _, err := screen([]byte(`{"jsonrpc":"2.0","id":7,"result":` + object + `}`)); err == nil {
			t.Fatalf("accepted %s", object)
		}
	})
}

func FuzzScreen(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"a":[1,"\"",{}]}}}`))
	f.Add([]byte(`[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"5"}]`))
	f.Add([]byte(`{"a":{"\u0061":1}}`))
	f.Fuzz(func(t *testing.T, msg []byte) {
		out, err := screen(msg)
		if err != nil {
			return
		}
		if !json.Valid(out) {
			t.Fatalf("%q became %q", msg, out)
		}
		var before, after any
		if json.Unmarshal(msg, &before) != nil || json.Unmarshal(out, &after) != nil {
			t.Fatalf("%q became %q", msg, out)
		}
		if diff := cmp.Diff(before, after, ignoreStructured); diff != "" {
			t.Fatalf("%q changed: %s", msg, diff)
		}
	})
}

// ignoreStructured leaves out the one member that the screen rewrites.
var ignoreStructured = cmp.FilterPath(func(p cmp.Path) bool {
	index, ok := p.Last().(cmp.MapIndex)
	return ok && index.Key().String() == "structuredContent"
}, cmp.Ignore())
