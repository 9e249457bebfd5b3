package expr_test

import (
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/ext"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// BenchmarkEval compares our evaluation with that of a bare cel-go program that has the same libraries and limits, on
// expressions without our helpers.
func BenchmarkEval(b *testing.B) {
	items := make([]any, 1000)
	for i := range items {
		items[i] = map[string]any{"price": 1.5, "qty": int64(i), "name": "item"}
	}
	input := map[string]any{
		"text": "please refund this invoice", "n": int64(3), "items": items,
		"output": map[string]any{"plan": "p"},
	}
	ctx := b.Context()
	for name, text := range map[string]string{
		"matches":   `input.text.matches(r'\b(invoice|refund)\b')`,
		"endsWith":  `input.text.endsWith('?')`,
		"path":      `input.output.plan`,
		"arith":     `input.n + 1 > 3 && input.text != ''`,
		"literal":   `{'plan': input.output.plan, 'tags': ['a', input.text]}`,
		"looked at": `size({'plan': input.output.plan, 'tags': ['a', input.text]})`,
		"map":       `input.items.map(i, i.price * double(i.qty)).size()`,
		"filter":    `input.items.filter(i, i.qty > 500).size()`,
		"exists":    `input.items.exists(i, i.qty == 999)`,
	} {
		env, err := expr.NewEnv()
		if err != nil {
			b.Fatal(err)
		}
		program, problems := env.Scope(expr.Node).Compile(expr.NewSource(text, "p"), expr.Any)
		if problems != nil {
			b.Fatal(problems)
		}
		bare := bareProgram(b, text)
		act := &expr.Activation{Input: input}
		b.Run(name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := program.Eval(ctx, act); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/cel-go", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := bare.ContextEval(ctx, map[string]any{"input": input}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func bareProgram(b *testing.B, text string) cel.Program {
	b.Helper()
	env, err := cel.NewEnv(cel.Variable("input", cel.DynType), cel.CrossTypeNumericComparisons(true),
		cel.EnableHiddenAccumulatorName(true), ext.Strings())
	if err != nil {
		b.Fatal(err)
	}
	ast, iss := env.Compile(text)
	if iss.Err() != nil {
		b.Fatal(iss.Err())
	}
	program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(1_000_000),
		cel.InterruptCheckFrequency(100))
	if err != nil {
		b.Fatal(err)
	}
	return program
}
