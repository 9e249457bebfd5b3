package agentkit_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// must is for examples: a program returns its errors.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// scriptedModel answers with these turns. A model of a vendor takes its place in a program.
func scriptedModel(turns ...faux.Turn) core.Model {
	return must(faux.New("scripted", faux.Script{Turns: turns}))
}

// invoiceTool finds invoices. Its schema is that of the struct that it takes.
func invoiceTool() core.Tool {
	type query struct {
		Number string `json:"number" doc:"the invoice's number"`
	}
	spec := core.Spec{
		Name:        "find_invoice",
		Description: "Finds an invoice by its number.",
		Guidelines:  []string{"Look an invoice up before you talk about it."},
		ReadOnly:    true,
	}
	return must(agentkit.NewTool(spec, func(_ context.Context, _ core.Call, q query) (core.Result, error) {
		return core.TextResult("invoice " + q.Number + ": 12 EUR, paid"), nil
	}))
}

// An agent with one tool. With a model of a vendor only the line of the model differs.
func Example() {
	model := scriptedModel(
		faux.Turn{Text: "I'll look.", Calls: []faux.Call{{Name: "find_invoice", Args: []byte(`{"number":"1042"}`)}}},
		faux.Turn{Text: "It says: {{result}}."})
	agent, err := agentkit.New(agentkit.Config{
		Name:        "support",
		Model:       model,
		Instruction: "You help customers of {company}.",
		Tools:       []core.Tool{invoiceTool()},
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

// A person says more while the agent works, and asks something else behind its answer.
func ExampleControl() {
	model := scriptedModel(
		faux.Turn{Text: "I'll look.", Calls: []faux.Call{{Name: "find_invoice", Args: []byte(`{"number":"1042"}`)}}},
		faux.Turn{Text: "Paid."}, faux.Turn{Text: "You're welcome."})
	agent := must(agentkit.New(agentkit.Config{Name: "support", Model: model, Tools: []core.Tool{invoiceTool()}}))

	var control agentkit.Control
	thanks := control.FollowUp("Thank you.")
	var log session.Memory
	in := agentkit.RunInput{Input: "Is invoice 1042 paid?", Log: &log, Control: &control}
	for event, err := range agent.Stream(context.Background(), in) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if event.Kind == agentkit.EventTool { // from any goroutine
			control.Steer("In one word, please.")
		}
	}
	fmt.Println("thanks are in the transcript:", thanks.Wait(context.Background()) == nil)
	for _, m := range log.Messages() {
		if m.Role != core.RoleTool {
			fmt.Println(m.Role, core.TextOf(m))
		}
	}
	// Output:
	// thanks are in the transcript: true
	// model I'll look.
	// user In one word, please.
	// model Paid.
	// user Thank you.
	// model You're welcome.
}

// A run ends with an error at a limit, and without one where a policy says so.
func ExampleAnyOf() {
	again := faux.Turn{Text: "Still looking.", Calls: []faux.Call{{Name: "find_invoice", Args: []byte(`{"number":"1"}`)}}}
	cfg := agentkit.Config{
		Name:   "support",
		Model:  scriptedModel(again, again, again, again),
		Tools:  []core.Tool{invoiceTool()},
		Limits: agentkit.Limits{MaxTurns: 4, MaxCostUSD: 0.5, MaxDuration: time.Minute},
		Stop:   agentkit.AnyOf(agentkit.AfterTool("send_answer"), agentkit.AfterTurns(3)),
	}
	res, err := must(agentkit.New(cfg)).Run(context.Background(), agentkit.RunInput{Input: "Find it."})
	fmt.Println(res.Stop, "because", res.Why, err)

	cfg.Stop = nil
	_, err = must(agentkit.New(cfg)).Run(context.Background(), agentkit.RunInput{Input: "Find it."})
	var limit *agentkit.LimitError
	fmt.Println(errors.As(err, &limit), limit)
	// Output:
	// stop_policy because turn 3 is done <nil>
	// true limit max_turns reached: 4 of 4 used
}

// An agent that asks another one. The other one sees its task and nothing else.
func ExampleSubagent() {
	clerk := must(agentkit.New(agentkit.Config{Name: "clerk", Model: scriptedModel(faux.Turn{Text: "{{user}} Found."})}))
	ask := must(agentkit.Subagent{Agent: clerk, Description: "Looks things up."}.Tool())

	model := scriptedModel(
		faux.Turn{Calls: []faux.Call{{Name: "clerk", Args: []byte(`{"task":"Look for 1."}`)}, {Name: "clerk", Args: []byte(`{"task":"Look for 2."}`)}}},
		faux.Turn{Text: "Both are there."})
	lead := must(agentkit.New(agentkit.Config{Name: "lead", Model: model, Tools: []core.Tool{ask}}))
	var log session.Memory
	res := must(lead.Run(context.Background(), agentkit.RunInput{Input: "Are 1 and 2 there?", Log: &log}))
	found := 0
	for _, m := range log.Messages() {
		if _, ok := core.ResultOf(m); ok {
			found++
		}
	}
	fmt.Println(found, "results:", res.Text)
	// Output: 2 results: Both are there.
}

// The trail of an agent's calls, without what they were about.
func ExampleAudit() {
	audit := &agentkit.Audit{
		Key: []byte("a key of at least 16 bytes"),
		Record: func(e agentkit.AuditEntry) {
			fmt.Printf("%s: tool %q, decision %q, outcome %q\n", e.Kind, e.Tool, e.Decision, e.Outcome)
		},
	}
	model := scriptedModel(
		faux.Turn{Calls: []faux.Call{{Name: "find_invoice", Args: []byte(`{"number":"1042"}`)}, {Name: "find_invoice"}}},
		faux.Turn{Text: "Paid."})
	agent := must(agentkit.New(agentkit.Config{Name: "support", Model: model, Tools: []core.Tool{invoiceTool()}, Audit: audit,
		Approval: func(use agentkit.ToolUse) bool { return string(use.Call.Args) == "{}" }}))
	_, err := agent.Run(context.Background(), agentkit.RunInput{Input: "Is invoice 1042 paid?"})
	fmt.Println(err)
	// Output:
	// run-start: tool "", decision "", outcome ""
	// call: tool "find_invoice", decision "asked", outcome ""
	// call: tool "find_invoice", decision "allowed", outcome "ok"
	// run-end: tool "", decision "", outcome "waiting"
	// agent support: a person has to decide about calls of find_invoice
}
