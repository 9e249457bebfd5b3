package expr_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func TestCostLimits(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	items := make([]any, 3000)
	for i := range items {
		items[i] = m{"n": int64(i)}
	}
	act := &expr.Activation{Input: m{"long": long, "items": items}}
	for _, c := range []struct {
		name, text string
		want       expr.Kind
		over       bool
	}{
		{"a large loop is fine", `input.items.filter(i, i.n > 5).size() > 0`, expr.Any, false},
		{"a loop in a loop isn't", `input.items.exists(i, input.items.all(j, j.n != -1) && i.n < 0)`, expr.Any, true},
		{"a condition has the lower limit", `lists.range(20000).all(i, i >= 0)`, expr.Bool, true},
		{"which other kinds don't have", `lists.range(20000).all(i, i >= 0)`, expr.Any, false},
		{"text that doubles", `input.long` + strings.Repeat(`.with(a, a + a)`, 60), expr.Any, true},
		{"a list that doubles", `input.items` + strings.Repeat(`.with(a, a + a)`, 60), expr.Any, true},
		{"a tree of lists that shares its halves", `[1]` + strings.Repeat(`.with(a, dyn([a, a]))`, 60), expr.Any, true},
		{"a tree of maps", `[1]` + strings.Repeat(`.with(a, dyn({'l': a, 'r': a}))`, 60), expr.Any, true},
		{"a tree built by loops", `[dyn(1)]` + strings.Repeat(`.map(a, dyn([a, a]))`, 60), expr.Any, true},
		{"a tree built by transformMap", `{'a': dyn(1)}` + strings.Repeat(`.transformMap(k, v, dyn([v, v]))`, 60), expr.Any, true},
		{"a tree built by transformMapEntry", `{'a': dyn(1)}` + strings.Repeat(`.transformMapEntry(k, v, {'x': dyn([v, v])})`, 60), expr.Any, true},
		{"many references to a long text", `lists.range(90000).map(i, input.long)`, expr.Any, true},
		{"parsing again and again", `lists.range(1000).map(i, json('"' + input.long + '"').size())`, expr.Any, true},
		{"encoding again and again", `lists.range(1000).map(i, base64.encode(input.long).size())`, expr.Any, true},
		{"writing JSON again and again", `lists.range(1000).map(i, toJson(input.long).size())`, expr.Any, true},
		{"searching dyn lists again and again", `lists.range(3000).filter(i, i in input.items).size()`, expr.Any, true},
		{"reading the size again and again is cheap", `lists.range(3000).filter(i, size(input.items) < i).size()`, expr.Any, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := compile(t, scopeOf(t, expr.Node), c.text, c.want).Eval(t.Context(), act)
			var e *expr.EvalError
			switch {
			case c.over && (!errors.As(err, &e) || e.Code != expr.CostLimit):
				t.Errorf("error is %v, the cost limit is wanted", err)
			case !c.over && err != nil:
				t.Error(err)
			}
		})
	}
}

func TestCostLimitMessage(t *testing.T) {
	for want, message := range map[expr.Kind]string{
		expr.Any:  "the expression takes more than 1000000 steps for these values: let it look at fewer of them",
		expr.Bool: "the expression takes more than 100000 steps for these values: let it look at fewer of them",
	} {
		_, err := compile(t, scopeOf(t, expr.Node), `lists.range(999999).all(i, i >= 0)`, want).Eval(t.Context(), &expr.Activation{})
		wantEvalError(t, err, message)
	}
}

// One call must not run long or give much, since cost and deadline are looked at only between calls. Without a guard
// each of these would take minutes or fill the memory. Where cel-go prices the call, the price comes to the same.
func TestCallsThatGrow(t *testing.T) {
	act := &expr.Activation{Input: m{"long": strings.Repeat("x", 100_000)}}
	const tooMuch, cost = "would take too long or give too much", "takes more than 1000000 steps"
	for name, c := range map[string]struct{ text, want string }{
		"sets.contains":         {`lists.range(90000).with(a, sets.contains(a, a.reverse()))`, cost},
		"sets.intersects":       {`lists.range(90000).with(a, sets.intersects(a, a.map(i, -1)))`, cost},
		"sets.equivalent":       {`lists.range(90000).with(a, sets.equivalent(a, a.reverse()))`, cost},
		"hasAll":                {`lists.range(90000).with(a, a.hasAll(a.reverse()))`, cost},
		"distinct":              {`lists.range(90000).distinct()`, cost},
		"replace":               {`input.long.replace('x', input.long)`, tooMuch},
		"replace between":       {`input.long.replace('', input.long)`, tooMuch},
		"join":                  {`input.long.split('').join(input.long)`, tooMuch},
		"indexOf":               {`dyn(input.long).indexOf(input.long.substring(1) + 'y')`, "e"},
		"lastIndexOf":           {`dyn(input.long).lastIndexOf('y' + input.long.substring(1))`, "e"},
		"regex.replace":         {`regex.replace(input.long, 'x', input.long)`, "the replacement gives more than 32 MiB"},
		"regex.replace, groups": {`regex.replace(input.long, '^(x*)$', '` + strings.Repeat(`\\1`, 400) + `')`, "the replacement gives more than 32 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := compile(t, scopeOf(t, expr.Node), c.text, expr.Any).Eval(t.Context(), act)
			wantEvalError(t, err, c.want)
		})
	}
}

func TestResultSize(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	list := make([]any, 40)
	for i := range list {
		list[i] = text
	}
	p := compile(t, scopeOf(t, expr.Node), `input`, expr.Any)
	if _, err := p.Eval(t.Context(), &expr.Activation{Input: list[:expr.ResultSizeLimit>>20-1]}); err != nil {
		t.Error(err)
	}
	_, err := p.Eval(t.Context(), &expr.Activation{Input: list})
	wantEvalError(t, err, "the result is larger than 32 MiB as JSON")
	_, err = compile(t, scopeOf(t, expr.Node), `toJson(input)`, expr.Any).Eval(t.Context(), &expr.Activation{Input: list})
	wantEvalError(t, err, "toJson(): the result is larger than 32 MiB as JSON")
}

func TestTextLimits(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"characters", `'` + strings.Repeat("ä", 100_000) + `'`, "the expression has 100002 characters, at most 100000 are allowed"},
		{"brackets", strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), "the expression is nested more than 250 deep"},
		{"operators", "1" + strings.Repeat("+1", 300), "the expression is nested more than 250 deep"},
		{"parts", "[" + strings.Repeat("[].sortBy(a,a),", 6_600) + "1]", "the expression has more than 50000 parts"},
		{"deep lists", strings.Repeat("[", 150) + "1" + strings.Repeat("]", 150), "the types in this expression are too large to check"},
		{"types that double", `[1]` + strings.Repeat(`.with(a, {a: a})`, 40), "the types in this expression are too large to check"},
		{"types that double in loops", `[[1]]` + strings.Repeat(`.map(a, {a: a})`, 40), "the types in this expression are too large to check"},
		{"types that double in literals", `[1].with(a, {{{a: a}: {a: a}}: {{a: a}: {a: a}}})` + strings.Repeat(`.with(a, {{a: a}: {a: a}})`, 10),
			"the types in this expression are too large to check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := problemsOf(t, scopeOf(t, expr.Node), c.text, expr.Any)
			want := []expr.Problem{{Code: diag.CELLimit, End: len([]rune(c.text)), Message: c.want}}
			got[0].Hint = ""
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What authors write stays far below the bound on types.
func TestTypesOfOrdinarySize(t *testing.T) {
	for _, text := range []string{
		`'a'` + strings.Repeat(` + string(input.x)`, 100),
		`input.text` + strings.Repeat(`.replace('a', 'b')`, 100),
		`[1]` + strings.Repeat(` + [input.x]`, 100),
		`{'a': {'b': {'c': {'d': {'e': {'f': {'g': {'h': {'i': [[[1]]]}}}}}}}}}`,
		`input.items` + strings.Repeat(`.filter(i, i.ok).map(i, i.value)`, 15),
		`[` + strings.Repeat(`{'name': input.a, 'tags': ['x', input.b]},`, 500) + `]`,
		`1` + strings.Repeat(`.with(a, a + 1)`, 40),
	} {
		compile(t, scopeOf(t, expr.Node), text, expr.Any)
	}
}

// Broken texts of the largest size come to an end, too.
func TestLongTexts(t *testing.T) {
	for _, part := range []string{"(", "[", "{", "a?", "a.", "!", "a b ", "'", `"`, "a ? b : ", "a && ", "a.map(x,", "\\", "[?", "1 + ", ")"} {
		scopeOf(t, expr.Node).Compile(source(strings.Repeat(part, 90_000/len(part))), expr.Any)
	}
	compile(t, scopeOf(t, expr.Node), "["+strings.Repeat("1,", 20_000)+"1]", expr.List)
}

func TestBackgroundContextHasTheCostLimit(t *testing.T) {
	p := compile(t, scopeOf(t, expr.Node), `lists.range(999999).all(i, i >= 0)`, expr.Any)
	_, err := p.Eval(context.Background(), &expr.Activation{})
	var e *expr.EvalError
	if !errors.As(err, &e) || e.Code != expr.CostLimit {
		t.Errorf("error is %v", err)
	}
}
