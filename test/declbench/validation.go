package main

import (
	"fmt"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/test/benchkit"
)

// The budgets of a document of a thousand nodes and expressions.
const (
	wholeBudget  = 300 * time.Millisecond
	nonCELBudget = 60 * time.Millisecond
)

// outputs are the kinds of expressions that the nodes of the document have.
func outputs() []string {
	return []string{
		"input.n + %d", "input.text + ' and ' + string(%d)", "state.total > %d ? 'high' : 'low'", "{'id': %d, 'text': user.content}",
		"input.items.filter(i, i.price > %d.0).size()", "user.content.lowerAscii().contains('invoice %d')",
	}
}

func expressions(n int) []string {
	forms := outputs()
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(forms[i%len(forms)], i)
	}
	return all
}

// chain is a document with n nodes one after the other, each with one expression in a field.
func chain(n int, field string) []byte {
	var b strings.Builder
	b.WriteString("apiVersion: adk.declarative/v0.2\nkind: AgentSystem\nagents:\n  - name: main\n    agent_class: Workflow\n    nodes:\n")
	for i, text := range expressions(n) {
		fmt.Fprintf(&b, "      - id: n%d\n        type: cel\n        %s: \"%s\"\n", i, field, text)
	}
	b.WriteString("    edges:\n      - { from: START, to: n0 }\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "      - { from: n%d, to: n%d }\n", i-1, i)
	}
	return []byte(b.String())
}

// validationCases load and validate a document as the command does. A bare cel-go compiles the same expressions. Without
// CEL the same texts are descriptions.
func validationCases() ([]benchCase, error) {
	var all []benchCase
	for _, n := range []int{100, 1000} {
		theirs, err := compileAll(expressions(n))
		if err != nil {
			return nil, err
		}
		whole := benchCase{name: fmt.Sprintf("validate %d nodes, %[1]d expressions", n), ours: validate(chain(n, "output"), nil), theirs: theirs}
		env, err := expr.NewEnv()
		if err != nil {
			return nil, err
		}
		bare := benchCase{name: fmt.Sprintf("validate %d nodes without expressions", n), ours: validate(chain(n, "description"), env)}
		if n == 1000 {
			whole.budget, bare.budget = wholeBudget, nonCELBudget
		}
		all = append(all, whole, bare)
	}
	return all, nil
}

func validate(text []byte, env *expr.Env) benchkit.Side {
	return func() error {
		doc, found := declarative.Load("bench.yaml", text)
		if err := found.Err(); err != nil {
			return err
		}
		_, found = declarative.Validate(doc, declarative.Options{Expressions: env})
		return found.Err()
	}
}

// compileAll compiles expressions with a bare cel-go.
func compileAll(texts []string) (benchkit.Side, error) {
	env, err := bareEnv()
	if err != nil {
		return nil, err
	}
	return func() error {
		for _, text := range texts {
			if _, err := bareProgram(env, text); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func bareProgram(env *cel.Env, text string) (cel.Program, error) {
	ast, issues := env.Compile(text)
	if err := issues.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return env.Program(ast, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(1_000_000), cel.InterruptCheckFrequency(100))
}
