package expr_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/internal/cputime"
	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// FuzzExpression compiles any text in any place and evaluates what compiles. Nothing panics, positions lie in the
// text, messages are there, neither compiling nor evaluating takes a second of work, and both plans give the same.
func FuzzExpression(f *testing.F) {
	for _, text := range fuzzSeeds(f) {
		f.Add(text, "abc", int64(3), uint8(expr.CelNode), uint8(expr.Any))
	}
	env := newEnv(f)
	f.Fuzz(func(t *testing.T, text, content string, n int64, place, kind uint8) {
		act := &expr.Activation{
			Input: m{"text": content, "n": n, "list": l{content, n, nil, m{"k": content}}, "nil": nil, "f": float64(n) / 3},
			State: expr.StateMap{content: n}, Vars: m{"text": content},
			User: expr.User{Content: content, Files: []expr.File{{Name: content, Size: n}}},
		}
		scope := env.Scope(expr.Place(place)%(expr.AfterTool+1)).WithVar("text", expr.Type{})
		want := expr.Kind(kind) % (expr.Route + 1)
		var p *expr.Program
		var problems []expr.Problem
		quick(t, text, func() { p, problems = scope.Compile(source(text), want) })
		if (p == nil) == (len(problems) == 0) {
			t.Fatalf("%q gives program %v and problems %v", text, p, problems)
		}
		checkProblems(t, text, problems)
		if p != nil {
			checkEval(t, scope, p, want, act)
		}
	})
}

func checkProblems(t *testing.T, text string, problems []expr.Problem) {
	t.Helper()
	for i, p := range problems {
		if p.Start < 0 || p.End < p.Start || p.End > len([]rune(text)) || p.Message == "" || p.Code == "" {
			t.Fatalf("%q: %+v", text, p)
		}
		if i > 0 && p.Start < problems[i-1].Start {
			t.Fatalf("%q: problems out of order: %+v", text, problems)
		}
	}
}

// quick fails when a call takes a second of work.
func quick(t *testing.T, text string, call func()) {
	t.Helper()
	if took, err := cputime.Of(call); err != nil || took > time.Second {
		t.Fatalf("%q took %v of work, %v", text, took, err)
	}
}

func checkEval(t *testing.T, scope *expr.Scope, p *expr.Program, kind expr.Kind, act *expr.Activation) {
	t.Helper()
	var got, plainGot any
	var err, plainErr error
	quick(t, p.Source().Text(), func() { got, err = p.Eval(t.Context(), act) })
	var e *expr.EvalError
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%q: error %v is no *expr.EvalError", p.Source().Text(), err)
	}
	if e != nil && (e.Code == expr.Deadline || e.Code == expr.CostLimit) {
		return // the plain plan may take more or fewer steps
	}
	plain, problems := scope.CompilePlain(p.Source(), kind)
	if problems != nil {
		t.Fatalf("%q compiles, but not without optimization: %v", p.Source().Text(), problems)
	}
	quick(t, p.Source().Text(), func() { plainGot, plainErr = plain.Eval(t.Context(), act) })
	var plainFailure *expr.EvalError
	if errors.As(plainErr, &plainFailure) && (plainFailure.Code == expr.Deadline || plainFailure.Code == expr.CostLimit) {
		return
	}
	if diff := cmp.Diff(plainGot, got); diff != "" || errorText(plainErr) != errorText(err) {
		t.Fatalf("%q: errors %v and %v (-plain +optimized):\n%s", p.Source().Text(), plainErr, err, diff)
	}
}

func fuzzSeeds(f *testing.F) []string {
	file, err := os.ReadFile("testdata/problems.txt")
	if err != nil {
		f.Fatal(err)
	}
	seeds := []string{
		`input.output.with(c, 'Plan: ' + c.plan)`, `default(input.a.b, 'x')`, `toJson(json(input.text))`,
		`input.list.map(i, i).filter(x, x != null)`, `{'b': 1, 'a': input.n}.transformMap(k, v, v + 1)`,
		`regex.replace(input.text, '(a)', '\\1')`, `vars.text.matches(r'^\w+$') ? 'A' : 'B'`, `[1, 2].with(a, a + a)`,
		`lists.range(1000).map(x, lists.range(1000))`, `user.files.map(f, f.name).join(',')`, `base64.encode(input.text)`,
		`state.?x.orValue(optional.none())`, `"%s %d".format([input.text, input.n])`, `int(string(input.n)) in [1, 2u, 3.0]`,
		`timestamp(input.n).getFullYear()`, `duration('1s') * 2`, `[input.n, 1.5].distinct().sort()`, `b'\xff' + bytes(input.text)`,
		`{dyn(b'x'): 1}`, `cel.bind(x, 1, x)`, `has(input.list[0].k)`, `input[?0].?a`, `type({}) == map`, `1.0 / 0.0`,
		`math.greatest(input.n, 2)`, `sets.intersects(input.list, [1])`, `input.list.sortBy(x, string(x))`,
	}
	for line := range strings.Lines(string(file)) {
		if text, ok := strings.CutPrefix(line, "expr  "); ok {
			seeds = append(seeds, strings.TrimSuffix(text, "\n"))
		}
	}
	return seeds
}
