package expr_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// Each var sees those before it, with their types.
func TestVarsInOrder(t *testing.T) {
	scope := scopeOf(t, expr.CelNode)
	act := &expr.Activation{Input: m{"text": "Refund, please"}, Vars: m{}}
	for _, v := range []struct{ name, text, wantType string }{
		{"text", `string(input.text).lowerAscii()`, "string"},
		{"words", `vars.text.split(' ')`, "list(string)"},
		{"count", `vars.words.size()`, "int"},
		{"raw", `input.text`, "dyn"},
		{"when", `invocation.started_at`, "string"},
		{"wait", `duration('90s')`, "string"},
		{"bytes", `b'hi'`, "string"},
		{"maybe", `state.?x`, "dyn"},
		{"table", `{1: vars.count}`, "map(string, int)"},
		{"who", `user`, "map(string, dyn)"},
		{"times", `[duration('1s')]`, "list(string)"},
		{"half", `0.5`, "double"},
		{"nothing", `null`, "dyn"},
	} {
		p := compile(t, scope, v.text, expr.Any)
		if got := p.Type().String(); got != v.wantType {
			t.Errorf("%s has type %s, want %s", v.name, got, v.wantType)
		}
		value, err := p.Eval(t.Context(), act)
		if err != nil {
			t.Fatal(err)
		}
		act.Vars[v.name] = value
		scope = scope.WithVar(v.name, p.Type())
	}
	runEvalCases(t, scope, act, []evalCase{
		{name: "typed string", text: `vars.text.endsWith('please')`, want: true},
		{name: "typed list", text: `vars.words.map(w, w.size())`, want: l{int64(7), int64(6)}},
		{name: "typed int", text: `vars.count + 1`, want: int64(3)},
		{name: "typed double", text: `vars.half * 2.0`, want: 1.0},
		{name: "a time is text now", text: `timestamp(vars.when) == invocation.started_at`, want: true},
		{name: "a duration is text now", text: `duration(vars.wait) > duration('1m')`, want: true},
		{name: "keys are text now", text: `vars.table['1']`, want: int64(2)},
		{name: "null", text: `default(vars.nothing, 'x')`, want: "x"},
		{name: "presence", text: `has(vars.text)`, want: true},
		{name: "optional", text: `vars.?text.orValue('none')`, want: "refund, please"},
		{name: "under another name", text: `vars.with(v, v.count)`, want: int64(2)},
		{name: "all of them", text: `size(json(toJson(vars)))`, want: int64(13)},
	})
}

func TestVarsAreChecked(t *testing.T) {
	none := scopeOf(t, expr.CelNode)
	n := compile(t, none, `1`, expr.Any).Type()
	one := none.WithVar("count", n)
	two := one.WithVar("text", expr.Type{})
	for _, c := range []struct {
		name  string
		scope *expr.Scope
		text  string
		want  string
		hint  string
	}{
		{"none before", none, `vars.count`, "vars.count is not defined: no variables are defined before this one", ""},
		{"a later one", one, `vars.text`, "vars.text is not defined; variables defined before this one: count", ""},
		{"misspelt", two, `vars.cuont`, "vars.cuont is not defined; variables defined before this one: count, text", `did you mean "count"?`},
		{"without vars", two, `count + 1`, `"count" is not a variable here; available: input, state, session, user, invocation, vars`, "did you mean vars.count?"},
		{"wrong type", two, `vars.count + 'x'`, "can't add int and string", "convert with string(...)"},
		{"by index", two, `vars['count']`, "vars can't be indexed", "its fields are read with a dot"},
		{"through with", two, `vars.with(v, v.cuont)`, "vars.cuont is not defined; variables defined before this one: count, text", `did you mean "count"?`},
		{"presence of an unknown one", two, `has(vars.nope)`, "vars.nope is not defined; variables defined before this one: count, text", ""},
		{"default of an unknown one", two, `default(vars.nope, 1)`, "vars.nope is not defined; variables defined before this one: count, text", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := problemsOf(t, c.scope, c.text, expr.Any)[0]
			if diff := cmp.Diff([]string{c.want, c.hint}, []string{got.Message, got.Hint}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWithVarReplacesAndKeepsItsScope(t *testing.T) {
	base := scopeOf(t, expr.CelNode)
	text := base.WithVar("v", compile(t, base, `'a'`, expr.Any).Type())
	number := text.WithVar("v", compile(t, base, `1`, expr.Any).Type())
	compile(t, text, `vars.v + 'x'`, expr.Any)
	compile(t, number, `vars.v + 1`, expr.Any)
	problemsOf(t, number, `vars.v + 'x'`, expr.Any)
	problemsOf(t, base, `vars.v`, expr.Any)
	node := scopeOf(t, expr.Node)
	if node.WithVar("v", expr.Type{}) != node {
		t.Error("a place without vars got some")
	}
}

// A var that the caller forgot to set is missing, which default() allows for.
func TestUnsetVar(t *testing.T) {
	s := scopeOf(t, expr.CelNode).WithVar("v", expr.Type{})
	runEvalCases(t, s, &expr.Activation{}, []evalCase{
		{name: "error", text: `vars.v`, wantErr: `vars has no "v"`},
		{name: "default", text: `default(vars.v, 'x')`, want: "x"},
		{name: "presence", text: `has(vars.v)`, want: false},
	})
}
