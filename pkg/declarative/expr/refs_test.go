package expr_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func TestRefs(t *testing.T) {
	scope := scopeOf(t, expr.CelNode).WithVar("text", expr.Type{})
	for text, want := range map[string][]string{
		`1`:                                     nil,
		`input`:                                 {"input"},
		`input.a.b`:                             {"input.a.b"},
		`input['a'].b`:                          {"input.a.b"},
		`input[state.key].b`:                    {"input", "state.key"},
		`input.list[0].a`:                       {"input.list"},
		`state.b + state.a + state.b`:           {"state.a", "state.b"},
		`has(state.a)`:                          {"state.a"},
		`state.?a.?b.orValue(1)`:                {"state.a.b"},
		`state[?'a']`:                           {"state.a"},
		`vars.text.matches('x')`:                {"vars.text"},
		`toJson(vars)`:                          {"vars"},
		`default(input.a, user.content)`:        {"input.a", "user.content"},
		`input.items.map(i, i.a + state.b)`:     {"input.items", "state.b"},
		`input.items.map(state, state.b)`:       {"input.items"},
		`input.items.map(state, 1) + [state.b]`: {"input.items", "state.b"},
		`input.a.with(x, x.b + state.c)`:        {"input.a", "state.c"},
		`input.a.with(input, input.b)`:          {"input.a"},
		`input.a.with(x, x.with(input, input))`: {"input.a"},
		`{'k': session.id, input.k: 1}`:         {"input.k", "session.id"},
		`[1, 2].exists(i, v, v == input.n)`:     {"input.n"},
		`input.x ? state.a : state.b`:           {"input.x", "state.a", "state.b"},
		`user.files[0].name`:                    {"user.files"},
		`type(1) == int`:                        nil,
	} {
		var got []string
		for _, r := range compile(t, scope, text, expr.Any).Refs() {
			got = append(got, r.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A reference tells a whole variable from a key that is empty, and a path from a key with a dot.
func TestRefPath(t *testing.T) {
	refs := compile(t, scopeOf(t, expr.Node), `[state['a.b'], state['']]`, expr.Any).Refs()
	want := []expr.Ref{{Root: "state", Path: []string{""}}, {Root: "state", Path: []string{"a.b"}}}
	if diff := cmp.Diff(want, refs); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestProgramSource(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `1`, expr.Any)
	if got := p.Source(); got.Text() != "1" || got.Path() != "agents[a].nodes[n].output" {
		t.Errorf("the program is of %q at %q", got.Text(), got.Path())
	}
}
