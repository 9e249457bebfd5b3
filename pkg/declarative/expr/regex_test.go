package expr_test

import (
	"strconv"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/ext"
	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// Our functions for regular expressions mean what cel-go's mean, whether the pattern is a literal or not.
func TestRegexAgreesWithCELGo(t *testing.T) {
	env, err := cel.NewEnv(cel.OptionalTypes(), ext.Regex(), cel.Variable("input", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []struct{ text, function, pattern, rest string }{
		{"hello world", "regex.replace", `o`, `, '0'`},
		{"hello world", "regex.replace", `o`, `, '0', 1`},
		{"hello world", "regex.replace", `o`, `, '0', 0`},
		{"hello world", "regex.replace", `o`, `, '0', -5`},
		{"hello world", "regex.replace", `(l+)`, `, '<\\1>'`},
		{"hello world", "regex.replace", `(h)(e)?(x)?`, `, '\\3\\2\\1\\0'`},
		{"hello", "regex.replace", ``, `, '-'`},
		{"héllo", "regex.replace", `é`, `, 'ü\\\\'`},
		{"", "regex.replace", `x`, `, 'y'`},
		{"aaa", "regex.replace", `a`, `, 'b', 2`},
		{"abc", "regex.extract", `b`, ``},
		{"abc", "regex.extract", `a(.)c`, ``},
		{"abc", "regex.extract", `x`, ``},
		{"abc", "regex.extract", `a(x?)`, ``},
		{"a1b22", "regex.extractAll", `[0-9]+`, ``},
		{"a1b22", "regex.extractAll", `([0-9])+`, ``},
		{"a1b22", "regex.extractAll", `a(x?)`, ``},
		{"abc", "regex.extractAll", `x`, ``},
	} {
		for _, pattern := range []string{strconv.Quote(call.pattern), "input.pattern"} {
			text := call.function + "(input.text, " + pattern + call.rest + ")"
			input := m{"text": call.text, "pattern": call.pattern}
			got, err := evaluate(t, scopeOf(t, expr.Node), text, expr.Any, &expr.Activation{Input: input})
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			if diff := cmp.Diff(bareResult(t, env, text, input), got); diff != "" {
				t.Errorf("%s of %q (-cel-go +ours):\n%s", text, call.text, diff)
			}
		}
	}
}

// bareResult evaluates with cel-go alone.
func bareResult(t *testing.T, env *cel.Env, text string, input any) any {
	t.Helper()
	ast, iss := env.Compile(text)
	if iss.Err() != nil {
		t.Fatal(iss.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := program.Eval(map[string]any{"input": input})
	if err != nil {
		t.Fatal(err)
	}
	if o, ok := v.(*types.Optional); ok {
		if !o.HasValue() {
			return nil
		}
		v = o.GetValue()
	}
	if list, ok := v.Value().([]string); ok {
		out := l{}
		for _, s := range list {
			out = append(out, s)
		}
		return out
	}
	return v.Value()
}

func TestRegexErrors(t *testing.T) {
	act := &expr.Activation{Input: m{"bad": "(", "large": "(a|b){999}(a|b){999}", "number": int64(1), "text": "abc"}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "bad pattern at run time", text: `regex.extract('a', input.bad)`, wantErr: "missing closing )"},
		{name: "bad pattern of matches at run time", text: `'a'.matches(input.bad)`, wantErr: "missing closing )"},
		{name: "large pattern at run time", text: `'a'.matches(input.large)`, wantErr: "the pattern is too large"},
		{name: "pattern that is no text", text: `'a'.matches(input.number)`, wantErr: "a pattern is a string, not int"},
		{name: "text that is none", text: `input.number.matches('a')`, wantErr: "matches() was used"},
		{name: "extract from no text", text: `regex.extract(input.number, 'a')`, wantErr: "regex.extract() was used"},
		{name: "extractAll from no text", text: `regex.extractAll(input.number, 'a')`, wantErr: "regex.extractAll() was used"},
		{name: "replace in no text", text: `regex.replace(input.number, 'a', 'b')`, wantErr: "regex.replace() was used"},
		{name: "replace by a number", text: `regex.replace('a', 'a', input.number)`, wantErr: "regex.replace() was used"},
		{name: "count that is no number", text: `regex.replace('a', 'a', 'b', input.text)`, wantErr: "regex.replace() was used"},
		{name: "two groups", text: `regex.extract('ab', '(a)(b)')`, wantErr: `has 2 groups, at most one can be extracted`},
		{name: "two groups for all", text: `regex.extractAll('ab', '(a)(b)')`, wantErr: `has 2 groups, at most one can be extracted`},
		{name: "single backslash", text: `regex.replace('a', 'a', 'b\\')`, wantErr: "ends in a single backslash"},
		{name: "backslash before a letter", text: `regex.replace('a', 'a', '\\n')`, wantErr: "a backslash stands before a digit or a backslash"},
		{name: "group that isn't there", text: `regex.replace('a', '(a)', '\\2')`, wantErr: "uses group 2, the pattern has 1"},
	})
}

func TestMatches(t *testing.T) {
	act := &expr.Activation{Input: m{"p": "b+", "text": "abbc"}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "literal", text: `input.text.matches(r'^a\w+c$')`, want: true},
		{name: "literal that doesn't", text: `input.text.matches('^b')`, want: false},
		{name: "computed", text: `input.text.matches('a' + input.p)`, want: true},
		{name: "function form", text: `matches(input.text, 'b')`, want: true},
		{name: "constant text", text: `'abc'.matches('b')`, want: true},
	})
}
