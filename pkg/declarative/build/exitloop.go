package build

import (
	"context"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

const exitLoopName = "exit_loop"

// exitLoop is the tool by which a model ends the loop that its agent is part of. A call changes nothing: what it leads to
// is read from the transcript when the agent is done, so that neither a retry nor another process forgets it.
type exitLoop struct{}

var _ core.Tool = exitLoop{}

// Spec implements [core.Tool].
func (exitLoop) Spec() core.Spec {
	return core.Spec{Name: exitLoopName, ReadOnly: true,
		Description: "Ends the loop that you work in, once you have answered. Call it when nothing is left to improve."}
}

// Run implements [core.Tool].
func (exitLoop) Run(context.Context, core.Call) (core.Result, error) {
	return core.TextResult("The loop ends when you have answered."), nil
}

// exitedLoop says whether one of these messages holds a call of exit_loop that was let through.
func exitedLoop(own []journal.Msg) bool {
	return slices.ContainsFunc(own, func(m journal.Msg) bool {
		return slices.ContainsFunc(m.Parts, func(p journal.Part) bool {
			r, ok := p.(journal.ToolResult)
			return ok && r.Name == exitLoopName && !r.Error
		})
	})
}
