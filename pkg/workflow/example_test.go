package workflow_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/workflow"
)

func Example() {
	classify := workflow.NewNode("classify", func(_ *workflow.Context, input any) (workflow.Result, error) {
		if text, _ := input.(string); strings.Contains(text, "invoice") {
			return workflow.Result{Output: input, Routes: []string{"BILLING"}}, nil
		}
		return workflow.Result{Output: input}, nil
	}, workflow.NodeConfig{Pure: true})
	billing := workflow.NewFunctionNode("billing", func(ctx *workflow.Context, text string) (string, error) {
		return "a colleague looks at: " + text, nil
	}, workflow.NodeConfig{Retry: &workflow.RetryConfig{MaxAttempts: 3}})
	other := workflow.NewFunctionNode("other", func(*workflow.Context, string) (string, error) {
		return "please rephrase", nil
	}, workflow.NodeConfig{})

	w, err := workflow.New("triage", append(workflow.Chain(workflow.Start, classify),
		workflow.Edge{From: classify, To: billing, Route: workflow.StringRoute("BILLING")},
		workflow.Edge{From: classify, To: other, Route: workflow.Default},
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	for e, err := range w.Run(context.Background(), workflow.RunRequest{Input: "invoice 1042 is wrong"}) {
		switch {
		case err != nil:
			fmt.Println(err)
		case e.Kind == workflow.NodeStarted:
			fmt.Println("started", e.Path)
		case e.Kind == workflow.RunCompleted:
			fmt.Println(e.Output)
		}
	}
	// Output:
	// started classify@1
	// started billing@1
	// a colleague looks at: invoice 1042 is wrong
}
