package expr_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// Wherever a map comes from, it iterates in the order of its keys. Each case runs often enough that a random order
// would show.
func TestMapsIterateInOrder(t *testing.T) {
	values := m{}
	for i := range 20 {
		values[fmt.Sprintf("k%02d", i)] = int64(i)
	}
	keys := l{}
	for _, k := range slices.Sorted(maps.Keys(values)) {
		keys = append(keys, k)
	}
	act := &expr.Activation{Input: values, State: expr.StateMap(values), Vars: m{"v": values}}
	scope := scopeOf(t, expr.CelNode).WithVar("v", expr.Type{})
	literal := `{'e': 5, 'c': 3, 'a': 1, 'd': 4, 'b': 2}`
	abc := l{"a", "b", "c", "d", "e"}
	for _, c := range []struct {
		name, text string
		want       any
	}{
		{"input", `input.map(k, k)`, keys},
		{"state", `state.map(k, k)`, keys},
		{"var", `vars.v.map(k, k)`, keys},
		{"parsed JSON", `json('{"e":1,"c":1,"a":1,"d":1,"b":1}').map(k, k)`, abc},
		{"literal", literal + `.map(k, k)`, abc},
		{"literal that isn't constant", `{'e': input.k00, 'c': 3, 'a': 1, 'd': 4, 'b': 2}.map(k, k)`, abc},
		{"literal with optional entries", `{?'e': input.?k00, 'c': 3, 'a': 1, ?'d': optional.of(4), 'b': 2}.map(k, k)`, abc},
		{"bound literal", literal + `.with(x, x.map(k, k))`, abc},
		{"literal in a list", `[` + literal + `][0].map(k, k)`, abc},
		{"two variables", literal + `.transformList(k, v, k + string(v))`, l{"a1", "b2", "c3", "d4", "e5"}},
		{"transformMap", literal + `.transformMap(k, v, v * 2).transformList(k, v, v)`, l{int64(2), int64(4), int64(6), int64(8), int64(10)}},
		{"transformMap with a filter", literal + `.transformMap(k, v, v > 2, v).map(k, k)`, l{"c", "d", "e"}},
		{"transformMapEntry", literal + `.transformMapEntry(k, v, {'z' + k: v}).map(k, k)`, l{"za", "zb", "zc", "zd", "ze"}},
		{"numbers", `{3: 'c', 1: 'a', 2: 'b'}.map(k, k)`, l{int64(1), int64(2), int64(3)}},
		{"mixed keys", `{'b': 1, 2: 1, true: 1, 'a': 1, 1u: 1, false: 1}.map(k, string(k))`, l{"false", "true", "1", "2", "a", "b"}},
		{"filter", literal + `.filter(k, k > 'b')`, l{"c", "d", "e"}},
		{"optional map", `optional.of(` + literal + `).value().map(k, k)`, abc},
		{"an object", `dyn(invocation).map(k, k)`, l{"agent", "attempt", "id", "index", "node", "started_at"}},
		{"format", `'%s'.format([` + literal + `])`, "{a: 1, b: 2, c: 3, d: 4, e: 5}"},
		{"the first that exists", `input.filter(k, k > 'k05')[0]`, "k06"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 20 {
				got, err := evaluate(t, scope, c.text, expr.Any, act)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Fatalf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

func TestMapOperations(t *testing.T) {
	act := &expr.Activation{Input: m{"a": int64(1), "b": m{"c": nil}}, State: expr.StateMap{"a": int64(1), "b": m{"c": nil}}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "equal to a literal", text: `input == {'b': {'c': null}, 'a': 1}`, want: true},
		{name: "a literal equal to it", text: `{'b': {'c': null}, 'a': 1} == input`, want: true},
		{name: "equal to another map", text: `input == state`, want: true},
		{name: "other value", text: `input == {'b': {'c': null}, 'a': 2}`, want: false},
		{name: "other key", text: `input == {'b': {'c': null}, 'x': 1}`, want: false},
		{name: "other size", text: `input == {'a': 1}`, want: false},
		{name: "not a map", text: `dyn(input) == dyn(1)`, want: false},
		{name: "unequal", text: `input != state`, want: false},
		{name: "membership", text: `'a' in input && !('z' in input)`, want: true},
		{name: "membership of another type", text: `1 in input`, want: false},
		{name: "presence of null", text: `has(input.b.c)`, want: true},
		{name: "size", text: `size(input) + input.b.size()`, want: int64(3)},
		{name: "zero value", text: `optional.ofNonZeroValue(dyn({})).hasValue()`, want: false},
		{name: "zero input", text: `optional.ofNonZeroValue(json('{}')).hasValue()`, want: false},
		{name: "zero list", text: `optional.ofNonZeroValue(json('[]')).hasValue()`, want: false},
		{name: "type", text: `type(input) == map && type({}) == map`, want: true},
		{name: "number as another number type", text: `{1: 'a'}[dyn(1.0)]`, want: "a"},
		{name: "conversion to text", text: `string(input)`, wantErr: "string() can't convert a value of this type; toJson()"},
		{name: "all", text: `input.all(k, k in state)`, want: true},
		{name: "exists_one", text: `input.exists_one(k, k == 'a')`, want: true},
		{name: "loop over a path", text: `input.b.exists(k, k == 'c')`, want: true},
		{name: "keys that become the same text", text: `{1: 'number', '1': 'text'}`, want: m{"1": "text"}},
		{name: "a key that is no scalar", text: `{dyn([1]): 1}`, wantErr: "can't be the key of a JSON object"},
		{name: "a key that can't be hashed", text: `{dyn(bytes(string(input.a))): 1}`, wantErr: "the key of a map is"},
	})
}

func TestListOperations(t *testing.T) {
	act := &expr.Activation{Input: l{int64(3), "a", m{"k": "v"}, nil, l{int64(1)}}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "index", text: `input[0]`, want: int64(3)},
		{name: "index by a double", text: `input[dyn(0.0)]`, want: int64(3)},
		{name: "index by a uint", text: `input[dyn(1u)]`, want: "a"},
		{name: "index and field", text: `input[2].k`, want: "v"},
		{name: "negative index", text: `input[-1]`, wantErr: "the list has no element -1"},
		{name: "optional index", text: `input[?9].orValue('none')`, want: "none"},
		{name: "field of an element in a loop", text: `input.filter(i, type(i) == map).map(i, i.k)`, want: l{"v"}},
		{name: "concatenation", text: `input + [1]`, want: l{int64(3), "a", m{"k": "v"}, nil, l{int64(1)}, int64(1)}},
		{name: "concatenation on the right", text: `[1] + input[4]`, want: l{int64(1), int64(1)}},
		{name: "membership", text: `'a' in input && null in input && !('z' in input)`, want: true},
		{name: "equality", text: `input[4] == [1] && [1] == input[4] && input[4] != [2]`, want: true},
		{name: "size", text: `size(input) + input.size()`, want: int64(10)},
		{name: "type", text: `type(input) == list`, want: true},
		{name: "conversion to text", text: `string(input)`, wantErr: "string() can't convert a value of this type; toJson()"},
		{name: "slice", text: `input.slice(0, 2)`, want: l{int64(3), "a"}},
		{name: "reverse", text: `input[4].reverse()`, want: l{int64(1)}},
		{name: "first", text: `input.first()`, want: int64(3)},
		{name: "two variables", text: `input[4].transformList(i, x, [i, x])`, want: l{l{int64(0), int64(1)}}},
		{name: "flatten", text: `[input[4], [2]].flatten()`, want: l{int64(1), int64(2)}},
		{name: "distinct", text: `[1, 2, 1].distinct()`, want: l{int64(1), int64(2)}},
		{name: "sort", text: `[3, 1, 2].sort()`, want: l{int64(1), int64(2), int64(3)}},
		{name: "sortBy", text: `['bb', 'a'].sortBy(s, s.size())`, want: l{"a", "bb"}},
		{name: "join", text: `['a', 'b'].join('-')`, want: "a-b"},
		{name: "sets", text: `sets.contains(input, [3, 'a'])`, want: true},
		{name: "range", text: `lists.range(3)`, want: l{int64(0), int64(1), int64(2)}},
		{name: "greatest", text: `math.greatest([1, 3, 2])`, want: int64(3)},
	})
}

// A loop over any map visits the keys in order and each exactly once.
func TestMapOrderProperty(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `input.map(k, k)`, expr.List)
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.MapOf(rapid.String(), rapid.Just[any](nil)).Draw(t, "map")
		got, err := p.Eval(t.Context(), &expr.Activation{Input: in})
		if err != nil {
			t.Fatal(err)
		}
		want := l{}
		for _, k := range slices.Sorted(maps.Keys(in)) {
			want = append(want, k)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}
