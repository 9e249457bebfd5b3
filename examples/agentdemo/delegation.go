package main

import (
	"context"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// The helpers wait for one another: one at a time, the demo would never end.
func delegation(ctx context.Context, say printer) error {
	var meeting sync.WaitGroup
	meeting.Add(3)
	meet, err := tool("meet", func(_ context.Context, path string) (string, error) {
		meeting.Done()
		meeting.Wait()
		return "all three are here, " + path + " among them", nil
	})
	if err != nil {
		return err
	}
	helperModel, err := scripted(
		faux.Turn{Calls: []faux.Call{call("meet", `{"path":"{{user}}"}`)}, Usage: &faux.Usage{Input: 30, Output: 10}},
		faux.Turn{Text: "{{result}}", Usage: &faux.Usage{Input: 50, Output: 10}})
	if err != nil {
		return err
	}
	helper, err := agent("helper", helperModel, meet)
	if err != nil {
		return err
	}
	ask, err := agentkit.Subagent{Agent: helper, Description: "Takes a task."}.Tool()
	if err != nil {
		return err
	}
	m, err := scripted(
		faux.Turn{Calls: []faux.Call{call("helper", `{"task":"one"}`), call("helper", `{"task":"two"}`), call("helper", `{"task":"three"}`)},
			Usage: &faux.Usage{Input: 100, Output: 20}},
		faux.Turn{Text: "Done.", Usage: &faux.Usage{Input: 200, Output: 5}})
	if err != nil {
		return err
	}
	a, err := agent("lead", m, ask)
	if err != nil {
		return err
	}
	var log session.Memory
	res, err := a.Run(ctx, agentkit.RunInput{Input: "Do all three.", Log: &log})
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for _, msg := range log.Messages() {
		if r, ok := core.ResultOf(msg); ok {
			texts[r.ID] = r.Text
		}
	}
	for _, id := range []string{"c1", "c2", "c3"} {
		say("%s: %s", id, texts[id])
	}
	say("The lead used 325 tokens itself and each helper 100; its run accounts for %d.", res.Usage.Tokens())
	return nil
}
