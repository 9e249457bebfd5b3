package expr_test

import (
	"context"
	"fmt"
	"log"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// A cel node computes a variable and then, from it, a route. A misspelt name is found before anything runs.
func Example() {
	env, err := expr.NewEnv()
	if err != nil {
		log.Fatal(err)
	}
	scope := env.Scope(expr.CelNode)
	text, problems := scope.Compile(expr.NewSource(`default(input.text, user.content).lowerAscii()`,
		"agents[triage].nodes[classify].vars[text].expr"), expr.Any)
	if problems != nil {
		log.Fatal(problems)
	}
	scope = scope.WithVar("text", text.Type())
	route, problems := scope.Compile(expr.NewSource(`vars.text.matches(r'\b(invoice|refund)\b') ? 'BILLING' : 'OTHER'`,
		"agents[triage].nodes[classify].route"), expr.Route)
	if problems != nil {
		log.Fatal(problems)
	}
	_, problems = scope.Compile(expr.NewSource(`vars.txt != ''`, "agents[triage].nodes[classify].escalate"), expr.Bool)
	fmt.Println(problems[0].Message, "/", problems[0].Hint)

	act := &expr.Activation{Input: map[string]any{}, User: expr.User{Content: "Refund, please"}, Vars: map[string]any{}}
	if act.Vars["text"], err = text.Eval(context.Background(), act); err != nil {
		log.Fatal(err)
	}
	routes, err := route.Eval(context.Background(), act)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(act.Vars["text"], routes)
	// Output:
	// vars.txt is not defined; variables defined before this one: text / did you mean "text"?
	// refund, please [BILLING]
}
