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

// A dynamic node decides in Go what runs next; what it has run is found again when the run is taken up.
func ExampleNewDynamicNode() {
	draft := workflow.NewFunctionNode("draft", func(_ *workflow.Context, topic string) (string, error) {
		return "a text about " + topic, nil
	}, workflow.NodeConfig{})
	review := workflow.NewFunctionNode("review", func(_ *workflow.Context, text string) (bool, error) {
		return strings.HasSuffix(text, "graphs, shortened"), nil
	}, workflow.NodeConfig{})
	write := workflow.NewDynamicNode("write", func(ctx *workflow.Context, topic any) (workflow.Result, error) {
		for {
			text, err := workflow.RunNode(ctx, draft, topic)
			if err != nil {
				return workflow.Result{}, err
			}
			good, err := workflow.RunNode(ctx, review, text)
			if err != nil || good == true {
				return workflow.Result{Output: text}, err
			}
			topic = fmt.Sprint(topic, ", shortened")
		}
	}, workflow.DynamicConfig{MaxChildren: 20})

	w, err := workflow.New("article", workflow.Chain(workflow.Start, write))
	if err != nil {
		fmt.Println(err)
		return
	}
	for e, err := range w.Run(context.Background(), workflow.RunRequest{Input: "graphs"}) {
		switch {
		case err != nil:
			fmt.Println(err)
		case e.Kind == workflow.NodeCompleted:
			fmt.Println(e.Path, e.Output)
		}
	}
	// Output:
	// write@1/draft@1 a text about graphs
	// write@1/review@1 false
	// write@1/draft@2 a text about graphs, shortened
	// write@1/review@2 true
	// write@1 a text about graphs, shortened
}
