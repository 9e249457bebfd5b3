package faux_test

import (
	"context"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// One script for two agents: the router is answered by what the user says, the clerk by turns.
func Example() {
	script, err := faux.Parse([]byte(`{
		"rules": [
			{"when": {"agent": "router", "user": "(?i)invoice"}, "reply": {"text": "BILLING"}},
			{"when": {"agent": "router"}, "reply": {"text": "OTHER"}},
			{"when": {"agent": "clerk"}, "turns": [
				{"calls": [{"name": "lookup", "args": {"invoice": "1042"}}]},
				{"text": "It says: {{result}}"}
			]}
		]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := faux.New("scripted", script)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := core.Collect(model.Stream(context.Background(), &core.Request{
		Agent:    "router",
		Turn:     1,
		Messages: []core.Message{core.UserMessage("About invoice 1042")},
	}))
	fmt.Println(core.TextOf(core.Message{Parts: answer.Parts}), answer.Stop, err)
	// Output: BILLING end <nil>
}
