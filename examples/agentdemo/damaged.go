package main

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// The answer that was interrupted is dropped, and with it what only makes sense behind it.
func damagedTranscript(ctx context.Context, say printer) error {
	m, err := scripted(faux.Turn{Text: "Here I am again."})
	if err != nil {
		return err
	}
	seen := &spy{Model: m}
	a, err := agent("clerk", seen)
	if err != nil {
		return err
	}
	history := []core.Message{
		core.UserMessage("Send the letters."),
		{Role: core.RoleModel, Author: "clerk", Model: "scripted", Stop: string(core.StopAborted),
			Parts: []core.Part{core.ToolCall{ID: "c1", Name: "send_mail", Args: "{}"}, core.ToolCall{ID: "c2", Name: "send_mail", Args: "{}"}}},
		{Role: core.RoleTool, Author: "clerk", Parts: []core.Part{core.ToolResult{ID: "c1", Name: "send_mail", Text: "sent"}}},
		core.UserMessage("Go on."),
	}
	res, err := a.Run(ctx, agentkit.RunInput{History: history, View: session.ViewSession})
	if err != nil {
		return err
	}
	say("The session has %d messages: a question, an answer that was interrupted with two calls, the result of one, and a question.", len(history))
	say("The model was sent %d, both of them the person's, and answered: %q", len(seen.prompt), res.Text)
	return nil
}
