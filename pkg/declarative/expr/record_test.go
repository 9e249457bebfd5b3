package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// The map of a literal whose keys are known is made in another way than that of one whose keys aren't. Nobody may notice.
func TestLiteralsWithKnownKeysAreMaps(t *testing.T) {
	scope := scopeOf(t, expr.Node)
	act := &expr.Activation{Input: m{"n": int64(3), "text": "t", "m": m{"a": int64(3), "b": "t"}, "list": l{int64(1), nil}}}
	for name, entries := range map[string]string{
		"in order":       `'a': input.n, 'b': input.text`,
		"out of order":   `'b': input.text, 'a': input.n`,
		"constant":       `'b': 't', 'a': 3`,
		"nested":         `'b': {'z': input.n, 'y': input.list}, 'a': [input.n]`,
		"null":           `'b': null, 'a': input.list[1]`,
		"one":            `'a': input.n`,
		"twice the same": `'a': input.text, 'a': input.n`,
		"odd keys":       `'': input.n, 'é': 1, 'a.b': 2, 'a': 3`,
		"nine":           `'i': 9, 'h': 8, 'g': 7, 'f': 6, 'e': 5, 'd': 4, 'c': 3, 'b': 2, 'a': input.n`,
		"a failing one":  `'b': 1 / 0, 'a': input.none`,
		"failing last":   `'b': input.n, 'a': 1 / (input.n - 3)`,
	} {
		for _, use := range []string{
			`%s`, `%s.a`, `%s.none`, `%s['a']`, `%s['none']`, `%s[dyn(1)]`, `size(%s)`, `'a' in %s`, `'none' in %s`, `1 in dyn(%s)`,
			`has(%s.a)`, `has(%s.none)`, `default(%s.none, 'd')`, `default(%s.a.z, dyn('d'))`, `%s.?a`, `%s.?none.hasValue()`,
			`%s == input.m`, `input.m == %s`, `dyn(%[1]s) == dyn(%[1]s)`, `dyn(%s) != dyn(1)`, `%s.map(k, k)`, `%s.exists(k, k == 'b')`,
			`%s.transformList(k, v, [k, v])`, `%s.transformMap(k, v, [v])`, `%s.transformMapEntry(k, v, {k + 'x': v})`,
			`toJson(%s)`, `'%%s'.format([%s])`, `[%s][0].a`, `%s.with(x, [x.a, x])`, `type(%s) == map`,
			`optional.ofNonZeroValue(dyn(%s)).hasValue()`, `[dyn(%[1]s), dyn(%[1]s)].distinct().size()`, `dyn(%s) in [input.m]`,
		} {
			known := fmt.Sprintf(use, "{"+entries+"}")
			unknown := fmt.Sprintf(use, "{"+computedKeys(entries)+"}")
			want, wantErr := evaluate(t, scope, unknown, expr.Any, act)
			got, err := evaluate(t, scope, known, expr.Any, act)
			if diff := cmp.Diff(want, got); diff != "" || errorText(err) != errorText(wantErr) {
				t.Errorf("%s: %s gives another result than %s: errors %v and %v (-unknown +known):\n%s",
					name, known, unknown, wantErr, err, diff)
			}
		}
	}
}

// computedKeys writes keys so that they aren't known when the expression is compiled.
func computedKeys(entries string) string {
	var b strings.Builder
	for i, part := range strings.Split(entries, "'") {
		switch {
		case i%2 == 0:
			b.WriteString(part)
		case strings.HasPrefix(strings.Split(entries, "'")[i+1], ":"):
			b.WriteString("string(dyn('" + part + "'))")
		default:
			b.WriteString("'" + part + "'")
		}
	}
	return b.String()
}

// A literal costs the same whatever its keys are.
func TestLiteralsWithKnownKeysCostWhatMapsDo(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	act := &expr.Activation{Input: m{"long": long, "n": int64(1)}}
	cost := func(text string) uint64 {
		n, err := compile(t, scopeOf(t, expr.Node), text, expr.Any).Cost(t.Context(), act)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, text := range []string{
		`{%[1]s: input.n}`, `{%[1]s: input.long}`, `{%[1]s: [input.n, 1], %[2]s: input.long}`, `{%[1]s: {%[2]s: [[input.long]]}}`,
		`[1, 2].map(i, {%[1]s: i, %[2]s: [i]})`, `{%[1]s: 1}`, `{%[1]s: input.n, ?%[2]s: optional.of(input.long)}`,
	} {
		texts, numbers := cost(fmt.Sprintf(text, "'1'", "'2'")), cost(fmt.Sprintf(text, "1", "2"))
		if texts < numbers || texts > numbers+1 { // the text of a key weighs a little
			t.Errorf("%s costs %d with texts as keys and %d with numbers", text, texts, numbers)
		}
	}
	if short, long := cost(`{'k': input.n}`), cost(`{'`+long+`': input.n}`); long < short+100 {
		t.Errorf("a literal with a long key costs %d, one with a short key %d", long, short)
	}
}

// Whatever its keys, a literal iterates in their order, and has what is written.
func TestLiteralKeysProperty(t *testing.T) {
	scope := scopeOf(t, expr.Node)
	rapid.Check(t, func(r *rapid.T) {
		entries := rapid.SliceOfN(rapid.StringMatching(`[a-zé0-9 ._-]{0,4}`), 1, 12).Draw(r, "keys")
		want, written := m{}, []string{}
		for i, key := range entries {
			want[key] = int64(i)
			written = append(written, fmt.Sprintf("'%s': input + %d", key, i))
		}
		text := "{" + strings.Join(written, ", ") + "}"
		act := &expr.Activation{Input: int64(0)}
		got, err := evaluate(t, scope, text, expr.Any, act)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			r.Fatalf("%s: %v\n%s", text, err, diff)
		}
		same, err := evaluate(t, scope, text+".map(k, k) == "+text+".map(k, k).sort()", expr.Any, act)
		if same != true {
			r.Fatalf("%s isn't in order: %v, %v", text, same, err)
		}
	})
}
