package expr_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func TestResultsInGo(t *testing.T) {
	act := &expr.Activation{Input: m{"u": uint64(math.MaxUint64), "nan": math.NaN(), "inf": math.Inf(-1)}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "null", text: `null`, want: nil},
		{name: "bool", text: `true`, want: true},
		{name: "string", text: `'a'`, want: "a"},
		{name: "int", text: `-7`, want: int64(-7)},
		{name: "uint", text: `7u`, want: uint64(7)},
		{name: "large uint", text: `input.u`, want: uint64(math.MaxUint64)},
		{name: "large int stays exact", text: `9007199254740993`, want: int64(9007199254740993)},
		{name: "double", text: `7.0`, want: 7.0},
		{name: "bytes", text: `b'\xff\x00'`, want: "/wA="},
		{name: "timestamp", text: `timestamp('2026-01-02T03:04:05.5Z')`, want: "2026-01-02T03:04:05.5Z"},
		{name: "timestamp in UTC", text: `timestamp('2026-01-02T03:04:05+02:00')`, want: "2026-01-02T01:04:05Z"},
		{name: "duration", text: `duration('1h30m')`, want: "5400s"},
		{name: "optional", text: `optional.of([1])`, want: l{int64(1)}},
		{name: "empty optional", text: `optional.none()`, want: nil},
		{name: "optional in a list", text: `[optional.of(1), optional.none()]`, want: l{int64(1), nil}},
		{name: "nested optional", text: `optional.of(optional.of(1))`, want: int64(1)},
		{name: "empty list", text: `[]`, want: l{}},
		{name: "empty map", text: `{}`, want: m{}},
		{name: "list of lists", text: `[[1], ['a']]`, want: l{l{int64(1)}, l{"a"}}},
		{name: "keys of all types", text: `{1: 'i', 2u: 'u', true: 'b', 's': 's'}`, want: m{"1": "i", "2": "u", "true": "b", "s": "s"}},
		{name: "a type", text: `{'t': int}`, wantErr: "the type int is not a JSON value"},
		{name: "the first of two errors", text: `{'b': dyn(int), 'a': dyn(string), 'c': dyn(bool)}`, wantErr: "the type string is not a JSON value"},
		{name: "NaN", text: `input.nan`, wantErr: "NaN, which JSON can't express"},
		{name: "infinity", text: `{'a': input.inf}`, wantErr: "-Inf, which JSON can't express"},
		{name: "NaN in a map of the input", text: `input`, wantErr: "which JSON can't express"},
	})
}

// An expression that only hands a JSON value on gives an equal one.
func TestIdentity(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `input`, expr.Any)
	q := compile(t, scopeOf(t, expr.Node), `[{'v': input}].map(x, x.v)[0]`, expr.Any)
	rapid.Check(t, func(t *rapid.T) {
		v := jsonValue(3).Draw(t, "value")
		for _, p := range []*expr.Program{p, q} {
			got, err := p.Eval(t.Context(), &expr.Activation{Input: v})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v, got); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
		}
	})
}

// Equality of any two JSON values agrees with that of Go.
func TestEqualityProperty(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `input.a == input.b`, expr.Bool)
	rapid.Check(t, func(t *rapid.T) {
		a := jsonValue(2).Draw(t, "a")
		b := rapid.OneOf(jsonValue(2), rapid.Just(a)).Draw(t, "b")
		got, err := p.Eval(t.Context(), &expr.Activation{Input: m{"a": a, "b": b}})
		if err != nil {
			t.Fatal(err)
		}
		if want := cmp.Equal(a, b); got != want {
			t.Fatalf("%#v == %#v is %v, want %v", a, b, got, want)
		}
	})
}

// Numbers keep their type on the way in and out.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		in   any
		text string
		want any
	}{
		{int64(7), `input + 1`, int64(8)},
		{7.0, `input + 1.0`, 8.0},
		{json.Number("7"), `input + 1`, int64(8)},
		{json.Number("7.0"), `input + 1.0`, 8.0},
		{json.Number("18446744073709551615"), `input`, uint64(math.MaxUint64)},
		{int64(7), `input == 7.0 && input > 6.5 && input in [7.0]`, true},
		{7.0, `input == 7 && input < 8 && input in [7]`, true},
		{7.5, `int(input)`, int64(7)},
		{"7", `int(input) + 1`, int64(8)},
		{2 * time.Second, `input + duration('1s')`, "3s"},
	} {
		got, err := evaluate(t, scopeOf(t, expr.Node), c.text, expr.Any, &expr.Activation{Input: c.in})
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s of %v: %v (-want +got):\n%s", c.text, c.in, err, diff)
		}
	}
	_, err := evaluate(t, scopeOf(t, expr.Node), `input + 1`, expr.Any, &expr.Activation{Input: 7.0})
	wantEvalError(t, err, `"+" was used on values of types that it doesn't take`)
}
