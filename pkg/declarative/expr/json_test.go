package expr_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func TestJSON(t *testing.T) {
	act := &expr.Activation{Input: m{
		"deep": strings.Repeat("[", 128) + strings.Repeat("]", 128), "tooDeep": strings.Repeat("[", 129) + strings.Repeat("]", 129),
		"quoted": `{"a":"` + strings.Repeat("[", 200) + `\""}`, "number": int64(1), "nil": nil,
		"long": `"` + strings.Repeat("x", 1<<20-2) + `"`, "tooLong": `"` + strings.Repeat("x", 1<<20-1) + `"`,
		"huge": "1" + strings.Repeat("0", 400),
	}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "object", text: `json('{"k":1}')`, want: m{"k": int64(1)}},
		{name: "field", text: `json('{"k":1}').k`, want: int64(1)},
		{name: "bytes", text: `json(b'[true, null]')`, want: l{true, nil}},
		{name: "surrounding space", text: `json(' 1 \n')`, want: int64(1)},
		{name: "missing field", text: `json('{"k":1}').missing`, wantErr: `there is no key "missing"`},
		{name: "last of equal keys", text: `json('{"a":1,"a":2}').a`, want: int64(2)},
		{name: "int", text: `json('-9223372036854775808')`, want: int64(math.MinInt64)},
		{name: "uint where an int is too small", text: `json('18446744073709551615')`, want: uint64(math.MaxUint64)},
		{name: "double where no integer is large enough", text: `json('18446744073709551616')`, want: 18446744073709551616.0},
		{name: "fraction", text: `json('1.5')`, want: 1.5},
		{name: "exponent", text: `json('1e3')`, want: 1000.0},
		{name: "ints can be added", text: `json('{"a":1}').a + 1`, want: int64(2)},
		{name: "number that no double holds", text: `json(input.huge)`, wantErr: "is not a number that a double can hold"},
		{name: "empty text", text: `json('')`, wantErr: "the text is empty"},
		{name: "blank text", text: `json('  ')`, wantErr: "the text is empty"},
		{name: "trailing text", text: `json('{} x')`, wantErr: "there is more text after the JSON value"},
		{name: "second value", text: `json('1 2')`, wantErr: "there is more text after the JSON value"},
		{name: "cut text", text: `json('{"a":')`, wantErr: "ends too early"},
		{name: "no JSON", text: `json('hello')`, wantErr: `"hello" is not JSON`},
		{name: "128 deep", text: `size(json(input.deep))`, want: int64(1)},
		{name: "129 deep", text: `json(input.tooDeep)`, wantErr: "nested more than 128 deep"},
		{name: "brackets in text aren't depth", text: `size(json(input.quoted))`, want: int64(1)},
		{name: "1 MiB", text: `size(json(input.long)) > 0`, want: true},
		{name: "over 1 MiB", text: `json(input.tooLong)`, wantErr: "at most 1048576 are parsed"},
		{name: "number as argument", text: `json(input.number)`, wantErr: "json() needs a string or bytes, not int"},
		{name: "null as argument", text: `json(input.nil)`, wantErr: "json() needs a string or bytes, not null"},
		{name: "hostile text stays text", text: `json('"x\' + state.secret + \'"')`, want: "x' + state.secret + '"},
	})
}

func TestToJSON(t *testing.T) {
	act := &expr.Activation{Input: m{"f": 0.5, "big": uint64(math.MaxUint64), "inf": math.Inf(1), "html": "<a href='x'>&</a>"}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "sorted keys", text: `toJson({'b': 1, 'a': {'d': 2, 'c': 3}})`, want: `{"a":{"c":3,"d":2},"b":1}`},
		{name: "list", text: `toJson([1, 'a', true, null, 1.5])`, want: `[1,"a",true,null,1.5]`},
		{name: "no HTML escapes", text: `toJson(input.html)`, want: `"<a href='x'>&</a>"`},
		{name: "bytes", text: `toJson(b'hi')`, want: `"aGk="`},
		{name: "duration", text: `toJson([duration('1s'), duration('61500ms')])`, want: `["1s","61.5s"]`},
		{name: "timestamp", text: `toJson(timestamp('2026-01-02T03:04:05.5+01:00'))`, want: `"2026-01-02T02:04:05.5Z"`},
		{name: "NaN", text: `toJson([0.0 / 0.0])`, want: `[null]`},
		{name: "infinity", text: `toJson(input.inf)`, want: `null`},
		{name: "type", text: `toJson(int)`, want: `"int"`},
		{name: "uint", text: `toJson(input.big)`, want: `18446744073709551615`},
		{name: "keys that aren't text", text: `toJson({2: 'b', 1: 'a', true: 'c'})`, want: `{"1":"a","2":"b","true":"c"}`},
		{name: "optional with a value", text: `toJson(optional.of(1))`, want: `1`},
		{name: "optional without", text: `toJson({'a': optional.none()})`, want: `{"a":null}`},
		{name: "whole variable", text: `toJson(session)`, want: `{"app":"","id":"","user_id":""}`},
		{name: "text with quotes", text: `toJson('a"b\\c')`, want: `"a\"b\\c"`},
		{name: "concatenated lists", text: `toJson([1] + [2])`, want: `[1,2]`},
	})
}

// What json() reads, toJson() writes, and the other way round.
func TestJSONRoundTrip(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `json(toJson(input))`, expr.Any)
	rapid.Check(t, func(t *rapid.T) {
		v := jsonValue(3).Draw(t, "value")
		got, err := p.Eval(t.Context(), &expr.Activation{Input: v})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(v, got); diff != "" {
			t.Fatalf("json(toJson(x)) is not x (-want +got):\n%s", diff)
		}
	})
}

// toJson writes what encoding/json writes, apart from the escaping of <, > and &.
func TestToJSONIsJSON(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `toJson(input)`, expr.String)
	rapid.Check(t, func(t *rapid.T) {
		v := jsonValue(3).Draw(t, "value")
		got, err := p.Eval(t.Context(), &expr.Activation{Input: v})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimSuffix(b.String(), "\n"); got != want {
			t.Fatalf("toJson gives %s, want %s", got, want)
		}
	})
}

// jsonValue draws plain Go JSON values. A double without a fraction would come back as an int, so there is none.
func jsonValue(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Int64().AsAny(), rapid.String().AsAny(),
		rapid.Map(rapid.IntRange(-1000, 1000), func(n int) any { return float64(n) + 0.25 }),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	return rapid.OneOf(append(scalars,
		rapid.Map(rapid.SliceOfN(jsonValue(depth-1), 0, 4), func(v []any) any { return v }),
		rapid.Map(rapid.MapOfN(rapid.String(), jsonValue(depth-1), 0, 4), func(v map[string]any) any { return v }),
	)...)
}
