package expr_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func TestWith(t *testing.T) {
	act := &expr.Activation{Input: m{"output": m{"plan": "p"}, "n": int64(2), "list": l{}}}
	runEvalCases(t, scopeOf(t, expr.Node), act, []evalCase{
		{name: "binds the receiver", text: `input.output.with(c, 'Plan: ' + c.plan)`, want: "Plan: p"},
		{name: "twice the same value", text: `[1, 2].with(a, a + a)`, want: l{int64(1), int64(2), int64(1), int64(2)}},
		{name: "unused name", text: `1.with(a, 'b')`, want: "b"},
		{name: "nests", text: `1.with(a, 2.with(b, a + b))`, want: int64(3)},
		{name: "inner name shadows", text: `1.with(a, 2.with(a, a))`, want: int64(2)},
		{name: "shadows its own receiver", text: `1.with(a, (a + 1).with(a, a * 10))`, want: int64(20)},
		{name: "shadows a variable", text: `input.n.with(input, input + 1)`, want: int64(3)},
		{name: "the name ends with the expression", text: `input.n.with(input, input) + input.n`, want: int64(4)},
		{name: "in a loop", text: `[1, 2].map(x, (x + 1).with(y, y * y))`, want: l{int64(4), int64(9)}},
		{name: "around a loop", text: `2.with(k, [1, 2].map(x, x * k))`, want: l{int64(2), int64(4)}},
		{name: "of an empty list", text: `input.list.with(a, a.size())`, want: int64(0)},
		{name: "of null", text: `null.with(a, a == null)`, want: true},
		{name: "chained", text: `'a'.with(x, x + 'b').with(y, y + 'c')`, want: "abc"},
		{name: "named like a function", text: `'a'.with(size, size + size)`, want: "aa"},
		{name: "as a condition", text: `true.with(a, a) ? 1 : 2`, want: int64(1)},
	})
}

// The receiver is evaluated before the expression, whether it is used or not.
func TestWithIsEager(t *testing.T) {
	runEvalCases(t, scopeOf(t, expr.Node), &expr.Activation{Input: m{}}, []evalCase{
		{name: "error of an unused receiver", text: `(1 / int('0')).with(a, 'unused')`, wantErr: "division by zero"},
		{name: "missing receiver", text: `input.missing.with(a, 'unused')`, wantErr: `input has no "missing"`},
		{name: "missing receiver under default", text: `default(input.missing.with(a, 'unused'), 'x')`, want: "x"},
		{name: "error in a branch not taken", text: `(1 / int('0')).with(a, true ? 'x' : string(a))`, wantErr: "division by zero"},
	})
}
