package main

import (
	"context"
	"fmt"
	"reflect"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"google.golang.org/protobuf/types/known/structpb"
)

// mostOfCEL is how much of a bare cel-go's time an evaluation may take.
const mostOfCEL = 1.15

// bareEnv has the libraries that the expressions use, and no helper of ours.
func bareEnv() (*cel.Env, error) {
	return cel.NewEnv(
		cel.Variable("input", cel.DynType), cel.Variable("state", cel.DynType), cel.Variable("user", cel.DynType),
		cel.CrossTypeNumericComparisons(true), cel.EnableHiddenAccumulatorName(true),
		ext.Strings(), ext.Bindings(), ext.TwoVarComprehensions(),
	)
}

// pairing is an expression, and what says the same in a bare cel-go if it is another one.
type pairing struct{ name, ours, theirs string }

// plain are expressions without our helpers that iterate over no map.
func plain() []pairing {
	return []pairing{
		{name: "path", ours: "input.output.plan"},
		{name: "arithmetic", ours: "input.n + 1 > 3 && input.text != ''"},
		{name: "string function", ours: "input.text.endsWith('?')"},
		{name: "regular expression", ours: `input.text.matches(r'\b(invoice|refund)\b')`},
		{name: "map and list, made plain Go", ours: "{'plan': input.output.plan, 'tags': ['a', input.text]}"},
		{name: "map and list, inspected", ours: "size({'plan': input.output.plan, 'tags': ['a', input.text]})"},
		{name: "map over 1000", ours: "input.items.map(i, i.price * double(i.qty)).size()"},
		{name: "filter over 1000", ours: "input.items.filter(i, i.qty > 500).size()"},
		{name: "exists over 1000", ours: "input.items.exists(i, i.qty == 999)"},
	}
}

// special are expressions with helpers, or over maps, whose order ours keeps. They have no goal.
func special() []pairing {
	return []pairing{
		{"with() beside cel.bind()", "input.output.with(c, 'Plan: ' + c.plan)", "cel.bind(c, input.output, 'Plan: ' + c.plan)"},
		{"default() beside has()", "default(input.output.none, 'x')", "has(input.output.none) ? input.output.none : 'x'"},
		{name: "over the keys of a map of 100", ours: "input.table.exists(k, k == 'none')"},
		{name: "transformMap of 100", ours: "input.table.transformMap(k, v, v + 1).size()"},
		{"json(), toJson(), which cel-go has not", `toJson(json(input.json))`, "none"},
	}
}

func evaluationCases(ctx context.Context) ([]benchCase, error) {
	ours, err := expr.NewEnv()
	if err != nil {
		return nil, err
	}
	theirs, err := bareEnv()
	if err != nil {
		return nil, err
	}
	var all []benchCase
	for _, p := range plain() {
		c, err := evaluation(ctx, ours, theirs, p)
		if err != nil {
			return nil, err
		}
		c.ratio = mostOfCEL
		all = append(all, c)
	}
	for _, p := range special() {
		c, err := evaluation(ctx, ours, theirs, p)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// evaluation evaluates with a context that may end, as that of a node may.
func evaluation(ctx context.Context, ours *expr.Env, theirs *cel.Env, p pairing) (benchCase, error) {
	input := sampleInput()
	program, problems := ours.Scope(expr.Node).Compile(expr.NewSource(p.ours, "bench"), expr.Any)
	if len(problems) > 0 {
		return benchCase{}, fmt.Errorf("%s: %s", p.ours, problems[0].Message)
	}
	act := &expr.Activation{Input: input}
	c := benchCase{name: p.name, ours: func() error {
		_, err := program.Eval(ctx, act)
		return err
	}}
	if p.theirs == "none" {
		return c, nil
	}
	text := p.theirs
	if text == "" {
		text = p.ours
	}
	bare, err := bareProgram(theirs, text)
	if err != nil {
		return benchCase{}, err
	}
	vars := map[string]any{"input": input}
	c.theirs = func() error {
		out, _, err := bare.ContextEval(ctx, vars)
		if err == nil {
			_, err = plainValue(out)
		}
		return err
	}
	return c, nil
}

// plainValue makes a Go value of a result, in the way that cel-go has for JSON: ours are such values.
func plainValue(v ref.Val) (any, error) {
	switch v.(type) {
	case traits.Mapper, traits.Lister:
		value, err := v.ConvertToNative(reflect.TypeFor[*structpb.Value]())
		if err != nil {
			return nil, err
		}
		return value.(*structpb.Value).AsInterface(), nil
	}
	return v.Value(), nil
}

// sampleInput is what the expressions read.
func sampleInput() map[string]any {
	items := make([]any, 1000)
	for i := range items {
		items[i] = map[string]any{"price": 1.5, "qty": int64(i), "name": "item"}
	}
	table := map[string]any{}
	for i := range 100 {
		table[fmt.Sprintf("key%d", i)] = int64(i)
	}
	return map[string]any{
		"text": "please refund this invoice", "n": int64(3), "items": items, "table": table,
		"output": map[string]any{"plan": "pro"}, "json": `{"a": [1, 2.5, "x", null, true], "b": {"c": "d"}}`,
	}
}
