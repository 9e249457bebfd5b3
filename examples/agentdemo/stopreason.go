package main

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// Some vendors end an answer that asks for tools with the reason of one that is complete.
func stopReason(ctx context.Context, say printer) error {
	read, err := file("read_file")
	if err != nil {
		return err
	}
	m, err := scripted(
		faux.Turn{Calls: []faux.Call{call("read_file", `{"path":"a.txt"}`)}, Stop: core.StopEnd},
		faux.Turn{Text: "It says: {{result}}."})
	if err != nil {
		return err
	}
	a, err := agent("reader", m, read)
	if err != nil {
		return err
	}
	res, err := a.Run(ctx, agentkit.RunInput{Input: "What is in a.txt?"})
	if err != nil {
		return err
	}
	say(`The model asked for read_file and stopped with %q. The tool ran %d time, and the run went on:`, core.StopEnd, read.runs)
	say(`%q`, res.Text)
	return nil
}
