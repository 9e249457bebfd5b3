package expr_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func TestKindsAreCheckedWhenTheTypeIsKnown(t *testing.T) {
	for _, c := range []struct {
		want    expr.Kind
		text    string
		message string // empty: accepted
	}{
		{expr.Bool, `1 > 0`, ""},
		{expr.Bool, `input`, ""},
		{expr.Bool, `state.ok`, ""},
		{expr.Bool, `'yes'`, "the expression gives a string, a bool is needed"},
		{expr.Bool, `1`, "the expression gives an int, a bool is needed"},
		{expr.Bool, `null`, "the expression gives null, a bool is needed"},
		{expr.Bool, `optional.of(true)`, "the expression gives an optional(bool), a bool is needed"},
		{expr.String, `'a'`, ""},
		{expr.String, `input`, ""},
		{expr.String, `1`, "the expression gives an int, a string is needed"},
		{expr.List, `[1]`, ""},
		{expr.List, `input.map(i, i)`, ""},
		{expr.List, `{'a': 1}`, "the expression gives a map(string, int), a list is needed"},
		{expr.Route, `'BILLING'`, ""},
		{expr.Route, `7`, ""},
		{expr.Route, `7u`, ""},
		{expr.Route, `true`, ""},
		{expr.Route, `null`, ""},
		{expr.Route, `[]`, ""},
		{expr.Route, `['A', 'B']`, ""},
		{expr.Route, `['A', 7, true]`, ""},
		{expr.Route, `state.?route`, ""},
		{expr.Route, `[state.?route]`, ""},
		{expr.Route, `1.5`, "the expression gives a double, a route (a string, an integer, a bool, or a list of them) is needed"},
		{expr.Route, `{'a': 1}`, "the expression gives a map(string, int), a route (a string, an integer, a bool, or a list of them) is needed"},
		{expr.Route, `[['A']]`, "the expression gives a list(list(string)), a route (a string, an integer, a bool, or a list of them) is needed"},
		{expr.Route, `session`, "the expression gives a session, a route (a string, an integer, a bool, or a list of them) is needed"},
		{expr.Any, `int`, "the expression gives a type(int), which is not a JSON value"},
		{expr.Any, `b'x'`, ""},
	} {
		_, problems := scopeOf(t, expr.Node).Compile(source(c.text), c.want)
		if c.message == "" {
			if problems != nil {
				t.Errorf("%s as %v: %+v", c.text, c.want, problems)
			}
			continue
		}
		want := []expr.Problem{{Code: diag.CELType, End: len(c.text), Message: c.message}}
		for i := range problems {
			problems[i].Hint = ""
		}
		if diff := cmp.Diff(want, problems); diff != "" {
			t.Errorf("%s as %v (-want +got):\n%s", c.text, c.want, diff)
		}
	}
}

func TestKindsAreCheckedAtRunTime(t *testing.T) {
	for _, c := range []struct {
		want    expr.Kind
		input   any
		message string
	}{
		{expr.Bool, "yes", "gave a string, a bool is needed"},
		{expr.Bool, nil, "gave null, a bool is needed"},
		{expr.String, int64(1), "gave an integer, a string is needed"},
		{expr.List, m{}, "gave a map, a list is needed"},
		{expr.List, true, "gave a bool, a list is needed"},
		{expr.Route, 1.5, "gave a number with a fraction, a route (a string, an integer, a bool, or a list of them) is needed"},
		{expr.Route, m{}, "gave a map, a route (a string, an integer, a bool, or a list of them) is needed"},
		{expr.Route, l{"A", l{}}, "gave a list with a list in it, a route (a string, an integer, a bool, or a list of them) is needed"},
		{expr.Route, l{nil}, "gave a list with null in it, a route (a string, an integer, a bool, or a list of them) is needed"},
	} {
		_, err := evaluate(t, scopeOf(t, expr.Node), `input`, c.want, &expr.Activation{Input: c.input})
		var e *expr.EvalError
		if !errors.As(err, &e) || e.Message != c.message || e.Code != expr.WrongKind {
			t.Errorf("%v of %v: error %v, want %q", c.want, c.input, err, c.message)
		}
	}
	for _, c := range []struct {
		want  expr.Kind
		input any
	}{{expr.Bool, false}, {expr.String, ""}, {expr.List, l{int64(1)}}} {
		got, err := evaluate(t, scopeOf(t, expr.Node), `input`, c.want, &expr.Activation{Input: c.input})
		if diff := cmp.Diff(c.input, got); err != nil || diff != "" {
			t.Errorf("%v: %v\n%s", c.want, err, diff)
		}
	}
}

func TestRoutes(t *testing.T) {
	act := &expr.Activation{Input: m{"float": 7.0, "exact": 9007199254740992.0, "mixed": l{"A", int64(1), true, 2.0}}}
	for text, want := range map[string][]string{
		`'BILLING'`:            {"BILLING"},
		`7`:                    {"7"},
		`-7`:                   {"-7"},
		`7u`:                   {"7"},
		`true`:                 {"true"},
		`input.float`:          {"7"},
		`input.exact`:          {"9007199254740992"},
		`null`:                 nil,
		`[]`:                   nil,
		`default(input.x, [])`: nil,
		`input.?x`:             nil,
		`['A', 'B']`:           {"A", "B"},
		`input.mixed`:          {"A", "1", "true", "2"},
		`''`:                   {""},
	} {
		got, err := evaluate(t, scopeOf(t, expr.Node), text, expr.Route, act)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
	}
}

func TestKindStrings(t *testing.T) {
	for kind, want := range map[expr.Kind]string{expr.Any: "any value", expr.Bool: "a bool", expr.Kind(99): "Kind(99)"} {
		if got := kind.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
