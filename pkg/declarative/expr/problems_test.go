package expr_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestProblems compares what is said about the expressions in testdata/problems.txt with what stands there.
func TestProblems(t *testing.T) {
	const golden = "testdata/problems.txt"
	file, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	scope := scopeOf(t, expr.CelNode)
	scope = scope.WithVar("text", compile(t, scope, `'a'`, expr.Any).Type())
	scope = scope.WithVar("count", compile(t, scope, `1`, expr.Any).Type())
	var got strings.Builder
	header, _, _ := strings.Cut(string(file), "\nexpr  ")
	got.WriteString(header)
	for line := range strings.Lines(string(file)) {
		if text, ok := strings.CutPrefix(line, "expr  "); ok {
			text = strings.TrimSuffix(text, "\n")
			fmt.Fprintf(&got, "\nexpr  %s\n%s", text, render(problemsOf(t, scope, text, expr.Any)))
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(file), got.String()); diff != "" {
		t.Errorf("the problems differ from %s (-golden +got):\n%s", golden, diff)
	}
}

// render writes problems below their expression, with a mark under the place.
func render(problems []expr.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		mark := "^" + strings.Repeat("~", max(0, p.End-p.Start-1))
		fmt.Fprintf(&b, "      %s%s\n%s: %s\n", strings.Repeat(" ", p.Start), mark, p.Code, p.Message)
		if p.Hint != "" {
			fmt.Fprintf(&b, "hint: %s\n", p.Hint)
		}
	}
	return b.String()
}

// Positions count code points from the beginning of the text, over lines and wide characters.
func TestProblemPositions(t *testing.T) {
	for _, c := range []struct{ text, part string }{
		{"input.a +\n  session.idd", "idd"},
		{"input.a +\n\n\n'x' + 1", "+"},
		{"'ä😀' + nope", "nope"},
		{"// a comment with 'quotes\nnope", "nope"},
		{"[\n'😀',\n'ä', nope\n]", "nope"},
		{"input.x == '''a\nb''' && nope", "nope"},
		{"r'\\' + nope", "nope"},
		{"b\"\\\"\" == nope", "nope"},
		{"\t\tnope", "nope"},
		{"a1_b2", "a1_b2"},
		{"input.größe ==\r\n  nope", "ö"},
		{"size(\n  foo(1)\n)", "foo"},
		{"user.files\n  .map(f,\n    f.nam)", "nam"},
		{"'x'.matches(\n  'ä(')", "'ä('"},
		{"{'ä': 1, 2.5: 3}", "2.5"},
	} {
		got := problemsOf(t, scopeOf(t, expr.Node), c.text, expr.Any)[0]
		runes := []rune(c.text)
		if part := string(runes[got.Start:got.End]); part != c.part {
			t.Errorf("%q: the problem %q is at %q, want %q", c.text, got.Message, part, c.part)
		}
	}
}

func TestEmptyExpression(t *testing.T) {
	for _, text := range []string{"", " ", "\n\t"} {
		want := []expr.Problem{{Code: diag.CELSyntax, End: len(text), Message: "the expression is empty"}}
		if diff := cmp.Diff(want, problemsOf(t, scopeOf(t, expr.Node), text, expr.Any)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	problems := problemsOf(t, scopeOf(t, expr.Node), "// nothing", expr.Any)
	if problems[0].Code != diag.CELSyntax {
		t.Errorf("a comment alone: %+v", problems)
	}
}

// All mistakes of names and types are reported at once, in the order of the text.
func TestAllProblemsAtOnce(t *testing.T) {
	var got []string
	for _, p := range problemsOf(t, scopeOf(t, expr.Node), `[nope, session.idd, 'a' + 1, foo(), nope]`, expr.Any) {
		got = append(got, fmt.Sprintf("%d %s", p.Start, p.Code))
	}
	want := []string{"1 cel-unknown-var", "15 cel-unknown-var", "24 cel-type", "29 cel-unknown-var", "36 cel-unknown-var"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got = nil
	for _, p := range problemsOf(t, scopeOf(t, expr.Node), `{duration('x'): 1, 2.5: int('y')}`, expr.Any) {
		got = append(got, fmt.Sprintf("%d %s", p.Start, p.Code))
	}
	want = []string{"1 cel-type", "10 cel-literal", "19 cel-type", "28 cel-literal"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("of literals (-want +got):\n%s", diff)
	}
}

// YAML makes a line feed of \n in double quotes, and then a text in the expression isn't closed in its line.
func TestTextWithALineFeed(t *testing.T) {
	for _, text := range []string{"input + '\n\n' + 'x'", "'a\nb'", "input +\n'a\nb'"} {
		got := problemsOf(t, scopeOf(t, expr.Node), text, expr.Any)
		if !strings.Contains(got[0].Message, "closing quote") || !strings.Contains(got[0].Hint, `is \\n in YAML's double quotes`) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// What goes wrong when constant parts are computed in advance is a problem, too.
func TestProblemsOfConstants(t *testing.T) {
	for text, want := range map[string]expr.Problem{
		`1 + int(dyn('abc'))`: {Code: diag.CELLiteral, Start: 4, End: 7, Message: "a string can't be converted to int, or not this one"},
		`'a'.matches(dyn(1))`: {Code: diag.CELLiteral, Start: 0, End: 19, Message: "a pattern is a string, not int"},
	} {
		if diff := cmp.Diff([]expr.Problem{want}, problemsOf(t, scopeOf(t, expr.Node), text, expr.Any)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// The fields of an object are named wherever the object comes from.
func TestFieldsOfBoundObjects(t *testing.T) {
	for _, text := range []string{
		`user.files[0].nam`, `user.files[?0].nam`, `user.?files[0].nam`, `user.files.map(f, f.nam)`, `user.files.filter(f, f.nam == '')`,
		`user.files.exists(i, f, f.nam == '')`, `user.files[0].with(f, f.nam)`, `user.with(u, u.files[0].nam)`,
		`[1].map(x, user.files.map(f, f.nam))`, `{'a': user.files[0].nam}`, `{user.files[0].nam: 1}`, `[user.files[0].nam]`,
		`size(user.files[0].nam)`, `user.files[0].nam.trim()`, `true ? user.files[0].nam : ''`, `user.files.map(user, user.nam)`,
		`has(user.files[0].nam)`, `user.files[0].?nam`,
	} {
		got := problemsOf(t, scopeOf(t, expr.Node), text, expr.Any)
		const want, hint = `file has no field "nam"; it has: name, type, size`, `did you mean "name"?`
		if len(got) != 1 || got[0].Message != want || got[0].Hint != hint {
			t.Errorf("%s: %+v", text, got)
		}
		if part := text[got[0].Start:got[0].End]; part != "nam" && part != "has" {
			t.Errorf("%s: the problem is at %q", text, part)
		}
	}
}
