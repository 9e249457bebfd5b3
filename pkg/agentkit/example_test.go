package agentkit_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// invoices is a tool that looks an invoice up.
type invoices struct{}

func (invoices) Spec() core.Spec {
	return core.Spec{
		Name:        "find_invoice",
		Description: "Finds an invoice by its number.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"number":{"type":"string"}},"required":["number"]}`),
		Guidelines:  []string{"Look an invoice up before you talk about it."},
		ReadOnly:    true,
	}
}

func (invoices) Run(_ context.Context, call core.Call) (core.Result, error) {
	var args struct {
		Number string `json:"number"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return core.Result{}, err
	}
	return core.TextResult("invoice " + args.Number + ": 12 EUR, paid"), nil
}

// An agent with one tool, run against a scripted model. With a model of a vendor only the line of the model differs.
func Example() {
	model, err := faux.New("scripted", faux.Script{Turns: []faux.Turn{
		{Text: "I'll look.", Calls: []faux.Call{{Name: "find_invoice", Args: json.RawMessage(`{"number":"1042"}`)}}},
		{Text: "It says: {{result}}."},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	agent, err := agentkit.New(agentkit.Config{
		Name:        "support",
		Model:       model,
		Instruction: "You help customers of {company}.",
		Tools:       []core.Tool{invoices{}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var log session.Memory
	in := agentkit.RunInput{
		Input: "Is invoice 1042 paid?",
		Log:   &log,
		State: func(key string) (any, bool) { return "Acme", key == "company" },
	}
	for event, err := range agent.Stream(context.Background(), in) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if event.Kind == agentkit.EventTool {
			fmt.Printf("calls %s with %s\n", event.Call.Name, event.Call.Args)
		}
		if event.Kind == agentkit.EventEnd {
			fmt.Println(event.Result.Text)
		}
	}
	fmt.Println(len(log.Messages()), "messages are kept")
	// Output:
	// calls find_invoice with {"number":"1042"}
	// It says: invoice 1042: 12 EUR, paid.
	// 3 messages are kept
}
