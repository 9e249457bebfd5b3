package main

import (
	"context"
	"errors"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// Whether a batch runs is decided once, before any of it begins.
func abortedBatch(ctx context.Context, say printer) error {
	var control agentkit.Control
	var begun sync.WaitGroup
	begun.Add(3)
	t, err := tool("send_mail", func(ctx context.Context, path string) (string, error) {
		begun.Done()
		begun.Wait() // all three are on their way
		if path == "a.txt" {
			control.Abort()
			return "sent", nil
		}
		<-ctx.Done()
		return "", ctx.Err()
	})
	if err != nil {
		return err
	}
	m, err := scripted(faux.Turn{Calls: []faux.Call{call("send_mail", `{"path":"a.txt"}`), call("send_mail", `{"path":"b.txt"}`),
		call("send_mail", `{"path":"c.txt"}`)}})
	if err != nil {
		return err
	}
	mail := counted(t)
	a, err := agent("clerk", m, mail)
	if err != nil {
		return err
	}
	var log session.Memory
	if _, err = a.Run(ctx, agentkit.RunInput{Input: "Send the letters.", Log: &log, Control: &control}); !errors.Is(err, agentkit.ErrAborted) {
		return err
	}
	say("Three calls, aborted when the first had come to its end: %d of 3 had begun, and each has a result:", mail.runs)
	results := map[string]string{}
	for _, msg := range log.Messages() {
		if r, ok := core.ResultOf(msg); ok {
			results[r.ID] = r.Text
		}
	}
	for _, id := range []string{"c1", "c2", "c3"} {
		say("%s: %s", id, results[id])
	}
	return nil
}
