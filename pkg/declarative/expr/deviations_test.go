package expr_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// What the package documentation says is different from agentgateway, one test for each.

func TestDeviationStaticChecking(t *testing.T) {
	for text, want := range map[string]string{
		`undeclared.field`:         `"undeclared" is not a variable here; available: input, state, session, user, invocation`,
		`default(undeclared, 'x')`: `"undeclared" is not a variable here; available: input, state, session, user, invocation`,
		`default(nope(), 'x')`:     `nope() is not a function`,
		`'a' + 1`:                  `can't add string and int`,
		`json(null)`:               `json() doesn't take (null)`,
		`toJson(1, 2)`:             `toJson() takes one argument: toJson(value)`,
		`input.with(a, a, a)`:      `with() takes a name and an expression: value.with(name, expression)`,
		`with(a, b)`:               `with() stands behind a value: value.with(name, expression)`,
		`has(undeclared.f)`:        `"undeclared" is not a variable here; available: input, state, session, user, invocation`,
		`session.nope`:             `session has no field "nope"; it has: id, user_id, app`,
		`coalesce(input.a, 1)`:     `coalesce() is not a function`,
		`[1].contains(1)`:          `contains() of a list(int) doesn't take (int)`,
		`optional.none().value(1)`: `value() of an optional(dyn) doesn't take (int)`,
		`{'a': 1}.merge({'a': 2})`: `merge() is not a function`,
		`random() > 0.5`:           `random() is not a function`,
		`max(1, 2)`:                `max() is not a function`,
	} {
		if got := problemsOf(t, scopeOf(t, expr.Node), text, expr.Any)[0].Message; got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestDeviationDefaultTypesAgree(t *testing.T) {
	got := problemsOf(t, scopeOf(t, expr.Node), `default(1, 'x')`, expr.Any)[0]
	if want := "the value and the fallback of default() have different types, int and string"; got.Message != want {
		t.Errorf("got %s, want %s", got.Message, want)
	}
	runEvalCases(t, scopeOf(t, expr.Node), &expr.Activation{Input: m{"a": int64(1)}}, []evalCase{
		{name: "dyn is the way out", text: `default(dyn(1), 'x')`, want: int64(1)},
		{name: "what is dyn already needs none", text: `default(input.a, 'x')`, want: int64(1)},
	})
	for text, want := range map[string]string{
		`default(user.id, 'anon')`: "string", `default(input.a, 'x')`: "dyn", `default(1, 2)`: "int", `default([], ['a'])`: "list(string)",
	} {
		if got := compile(t, scopeOf(t, expr.Node), text, expr.Any).Type().String(); got != want {
			t.Errorf("%s has type %s, want %s", text, got, want)
		}
	}
}

func TestDeviationJSONGivesInts(t *testing.T) {
	runEvalCases(t, scopeOf(t, expr.Node), &expr.Activation{}, []evalCase{
		{name: "addition", text: `json('{"a":1}').a + 1`, want: int64(2)},
		{name: "type", text: `type(json('1')) == int`, want: true},
		{name: "type of a large one", text: `type(json('18446744073709551615')) == uint`, want: true},
	})
}

func TestDeviationSortedToJSON(t *testing.T) {
	keys := make([]string, 0, 26)
	for c := 'z'; c >= 'a'; c-- {
		keys = append(keys, "'"+string(c)+"': 1")
	}
	got, err := evaluate(t, scopeOf(t, expr.Node), `toJson({`+strings.Join(keys, ", ")+`})`, expr.String, &expr.Activation{})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for c := 'a'; c <= 'z'; c++ {
		want = append(want, `"`+string(c)+`":1`)
	}
	if diff := cmp.Diff("{"+strings.Join(want, ",")+"}", got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDeviationInHasNoSubstrings(t *testing.T) {
	got := problemsOf(t, scopeOf(t, expr.Node), `'a' in 'abc'`, expr.Bool)[0]
	if want := `"in" looks in a list or a map, not in a string`; got.Message != want {
		t.Errorf("got %s, want %s", got.Message, want)
	}
	runEvalCases(t, scopeOf(t, expr.Node), &expr.Activation{Input: "abc"}, []evalCase{
		{name: "nor at run time", text: `'a' in input`, wantErr: `"in" was used on values of types that it doesn't take`},
		{name: "contains does it", text: `input.contains('a')`, want: true},
		{name: "size counts characters", text: `size('äö')`, want: int64(2)},
	})
}

// The helpers of agentgateway that are here, restated with our expectations.
func TestAgentgatewayVectors(t *testing.T) {
	act := &expr.Activation{Input: m{"m": m{"k": int64(1)}, "a": m{}, "list": l{}, "null": nil}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "with", text: `[1, 2].with(a, a + a)`, want: l{int64(1), int64(2), int64(1), int64(2)}},
		{name: "default of a present key", text: `default(input.m['k'], 2)`, want: int64(1)},
		{name: "default of an absent key", text: `default(input.m['x'], 2)`, want: int64(2)},
		{name: "default of an absent object", text: `default(input.x.b, 'b')`, want: "b"},
		{name: "default of a null member", text: `default(input['null'], 'b')`, want: "b"},
		{name: "default of an index out of range", text: `default(input.list[0], 'b')`, wantErr: "no element 0"},
		{name: "json", text: `json('{"k":1}').k`, want: int64(1)},
		{name: "json without the key", text: `json('{"k":1}').missing`, wantErr: `no key "missing"`},
		{name: "json of no object keeps to the plain form", text: `default(json('[1]').f, 'x')`, want: "x"},
		{name: "base64 of text", text: `base64.encode('hello')`, want: "aGVsbG8="},
		{name: "base64 of bytes", text: `base64.encode(b'hello')`, want: "aGVsbG8="},
		{name: "base64 with padding", text: `string(base64.decode('aGVsbG8='))`, want: "hello"},
		{name: "base64 without padding", text: `string(base64.decode('aGVsbG8'))`, want: "hello"},
		{name: "base64 from bytes", text: `string(base64.decode(b'aGVsbG8='))`, want: "hello"},
		{name: "base64 from bytes without padding", text: `string(base64.decode(b'aGVsbG8'))`, want: "hello"},
		{name: "no base64", text: `base64.decode(b'!')`, wantErr: "base64.decode()"},
		{name: "base64 of a result", text: `base64.decode('aGVsbG8=')`, want: "aGVsbG8="},
		{name: "optional", text: `input.?x.or(input.?m).value()`, want: m{"k": int64(1)}},
		{name: "has of null", text: `has(input.m.k.f)`, want: false},
		{name: "has of a list is an error in CEL", text: `has(input.list.f)`, wantErr: "a list has no named fields"},
	})
}
