package session_test

import (
	"context"
	"fmt"
	"os"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// converse asks an agent, or goes on with what an earlier process left unfinished.
func converse(ctx context.Context, dir, question string, agent *agentkit.Agent) (string, error) {
	store, err := jsonl.Open(dir)
	if err != nil {
		return "", err
	}
	defer store.Close()
	talk, err := session.Open(ctx, store, "ada")
	if err != nil {
		return "", err
	}
	run := talk.Unfinished()
	if run == nil {
		if run, err = talk.Ask(ctx, agent.Name(), question); err != nil {
			return "", err
		}
	}
	res, err := agent.Run(ctx, agentkit.RunInput{
		History:  run.History(),
		View:     session.ViewSession,
		Path:     run.Path(),
		Log:      run,
		Progress: run.Progress(),
		State:    run.State,
		Started:  run.Started(),
	})
	if err != nil {
		return "", err // the run stays unfinished, and is taken up again
	}
	return res.Text, run.Finish(ctx, res.Text)
}

// A conversation on disk, which every process with the same folder goes on with.
func ExampleConversation() {
	dir, err := os.MkdirTemp("", "talk")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	model, err := faux.New("scripted", faux.Script{Turns: []faux.Turn{{Text: "You said: {{user}}"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	agent, err := agentkit.New(agentkit.Config{Name: "support", Model: model})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, question := range []string{"Hello.", "Are you there?"} {
		fmt.Println(converse(context.Background(), dir, question, agent))
	}
	// Output:
	// You said: Hello. <nil>
	// You said: Are you there? <nil>
}
