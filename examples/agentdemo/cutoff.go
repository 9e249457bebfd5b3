package main

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// The last of the calls was cut off in the middle of a text; the first looks complete, and may be as well as not.
func cutOff(ctx context.Context, say printer) error {
	write, err := file("write_file")
	if err != nil {
		return err
	}
	m, err := scripted(
		faux.Turn{Calls: []faux.Call{call("write_file", `{"path":"a.txt"}`), call("write_file", `"{\"path\":\"half of a na"`)},
			Stop: core.StopMaxTokens},
		faux.Turn{Text: "I'll go on in smaller pieces."})
	if err != nil {
		return err
	}
	seen := &spy{Model: m}
	a, err := agent("writer", seen, write)
	if err != nil {
		return err
	}
	if _, err := a.Run(ctx, agentkit.RunInput{Input: "Write everything."}); err != nil {
		return err
	}
	say("The model asked for two calls and stopped with %q. The tool ran %d times. For each call the model was told:",
		core.StopMaxTokens, write.runs)
	for _, msg := range seen.prompt {
		if r, ok := core.ResultOf(msg); ok {
			say("%s: %s", r.ID, r.Text)
		}
	}
	return nil
}
