package expr_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// defaultActivation has values whose keys and texts look like cel-go's error for a missing key.
func defaultActivation() *expr.Activation {
	return &expr.Activation{
		Input: m{
			"present": "here", "nil": nil, "text": "abc", "number": int64(7), "list": l{"a"}, "zero": int64(0),
			"no such key: x":       m{"inner": "v"},
			"message":              "no such key: x",
			"badJSON":              "no such key: x",
			"no such attribute(s)": "y",
		},
		State: expr.StateMap{"set": "s"},
	}
}

func TestDefaultFallsBack(t *testing.T) {
	runEvalCases(t, scopeOf(t, expr.Node), defaultActivation(), []evalCase{
		{name: "present value", text: `default(input.present, 'x')`, want: "here"},
		{name: "missing key", text: `default(input.missing, 'x')`, want: "x"},
		{name: "missing key by index", text: `default(input['missing'], 'x')`, want: "x"},
		{name: "missing in the middle of a path", text: `default(input.a.b.c.d, 'x')`, want: "x"},
		{name: "missing at the end of a path", text: `default(input["no such key: x"].b, 'x')`, want: "x"},
		{name: "null", text: `default(input.nil, 'x')`, want: "x"},
		{name: "member of null", text: `default(input.nil.a, 'x')`, want: "x"},
		{name: "member of a string", text: `default(input.text.a, 'x')`, want: "x"},
		{name: "member of a number", text: `default(input.number.a, 'x')`, want: "x"},
		{name: "member of a list", text: `default(input.list.a, 'x')`, want: "x"},
		{name: "string indexed by an int", text: `default(input.text[0], 'x')`, want: "x"},
		{name: "missing key of the state", text: `default(state.unset, 'x')`, want: "x"},
		{name: "missing in parsed JSON", text: `default(json('{"a":1}').b, 'x')`, want: "x"},
		{name: "null in parsed JSON", text: `default(json('null'), 'x')`, want: "x"},
		{name: "parsed JSON that is no object", text: `default(json('[1]').b, 'x')`, want: "x"},
		{name: "missing in a literal", text: `default({'a': 1}['b'], 2)`, want: int64(2)},
		{name: "present in a literal", text: `default({'a': 1}['a'], 2)`, want: int64(1)},
		{name: "false is a value", text: `default(input.zero == 1, true)`, want: false},
		{name: "empty text is a value", text: `default('', 'x')`, want: ""},
		{name: "nested default", text: `default(default(input.a, input.b), 'x')`, want: "x"},
		{name: "default within a path", text: `default(input.a, {'b': 'c'}).b`, want: "c"},
		{name: "any expression, not only a path", text: `default(input.missing + 'a', 'x')`, want: "x"},
		{name: "missing inside a function", text: `default(size(input.missing), 3)`, want: int64(3)},
		{name: "missing inside a loop", text: `default([1].map(i, input.missing), [2])`, want: l{int64(2)}},
		{name: "as the condition of a ternary", text: `default(input.missing, false) ? 'a' : 'b'`, want: "b"},
		{name: "as an operand of and", text: `default(input.missing, true) && true`, want: true},
		{name: "as an index", text: `{'k': 1}[default(input.missing, 'k')]`, want: int64(1)},
		{name: "a null fallback", text: `default(input.missing, null)`, want: nil},
		{name: "a fallback that falls back", text: `default(input.a, default(input.b, 'x'))`, want: "x"},
	})
}

func TestDefaultIsLazy(t *testing.T) {
	runEvalCases(t, scopeOf(t, expr.Node), defaultActivation(), []evalCase{
		{name: "unused fallback", text: `default(input.number, 1/0)`, want: int64(7)},
		{name: "used fallback fails", text: `default(input.missing, 1/0)`, wantErr: "division by zero"},
	})
}

func TestDefaultPassesOtherErrorsOn(t *testing.T) {
	runEvalCases(t, scopeOf(t, expr.Node), defaultActivation(), []evalCase{
		{name: "index out of range", text: `default(input.list[7], 'x')`, wantErr: "the list has no element 7"},
		{name: "bad JSON", text: `default(json(input.text), 'x')`, wantErr: "is not JSON"},
		{name: "failed conversion", text: `default(int(input.text), 1)`, wantErr: "can't be converted to int"},
		{name: "division by zero", text: `default(1 / input.zero, 1)`, wantErr: "division by zero"},
		{name: "operator on the wrong types", text: `default(input.number + input.text, 1)`, wantErr: `"+" was used`},
		{name: "function on the wrong type", text: `default(json(input.number), 1)`, wantErr: "json() needs"},
	})
}

// A user decides keys, messages and texts. None of them may look like a missing key to default().
func TestDefaultIsNotFooledByText(t *testing.T) {
	runEvalCases(t, scopeOf(t, expr.Node), defaultActivation(), []evalCase{
		{name: "a key named like the error", text: `default(input["no such key: x"].inner, 'x')`, want: "v"},
		{name: "a text like the error", text: `default(input.message, 'x')`, want: "no such key: x"},
		{name: "JSON text like the error", text: `default(json(input.badJSON), 'x')`, wantErr: "is not JSON"},
		{name: "conversion of text like the error", text: `default(timestamp(input.message), timestamp(0))`, wantErr: "no such key"},
		{name: "duration of text like the error", text: `default(duration(input.message), duration('1s'))`, wantErr: "can't be converted"},
		{name: "pattern like the error", text: `default('a'.matches(input.message + '('), true)`, wantErr: "missing closing )"},
		{name: "replacement like the error", text: `default(regex.replace('a', 'a', input.message + '\\'), 'b')`, wantErr: "backslash"},
		{name: "format like the error", text: `default('%d'.format([input.message]), 'b')`, wantErr: "format"},
		{name: "base64 like the error", text: `default(string(base64.decode(input.message)), 'b')`, wantErr: "illegal base64"},
		{name: "duplicate key like the error", wantErr: "already exists",
			text: `default({'a': 1, 'b': 2}.transformMapEntry(k, v, {input.message: v}).size(), 0)`},
	})
}
