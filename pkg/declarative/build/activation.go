package build

import (
	"errors"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/workflow"
)

// activation is what the expressions of a node see during one attempt.
func activation(ctx *workflow.Context, input any) *expr.Activation {
	return &expr.Activation{
		Input:   input,
		State:   stateView{ctx.State()},
		Session: expr.Session{ID: ctx.SessionID(), UserID: ctx.User(), App: ctx.App()},
		User:    expr.User{ID: ctx.User(), Content: userContent(ctx)},
		Invocation: expr.Invocation{
			ID: ctx.RunID(), Agent: ctx.Workflow(), Node: ctx.Node(), Attempt: ctx.Attempt(), StartedAt: ctx.StartedAt(),
			Index: ctx.Index(),
		},
	}
}

// userContent is the text of the message that started the run, in every agent of the run.
func userContent(ctx *workflow.Context) string {
	if m := ctx.Message(); m != nil {
		return core.TextOf(*m)
	}
	return ""
}

// stateView shows the engine's state to expressions.
type stateView struct{ state *workflow.State }

// Get implements [expr.State].
func (v stateView) Get(key string) (any, bool) { return v.state.Get(key) }

// Keys implements [expr.State].
func (v stateView) Keys() []string {
	all := v.state.All()
	keys := make([]string, 0, len(all))
	for k := range all {
		keys = append(keys, k)
	}
	return keys
}

// celError makes a failed evaluation a failure of the node. A deadline keeps its own cause, so that the engine reports
// the timeout and not the expression.
func celError(err error) error {
	if failed, ok := errors.AsType[*expr.EvalError](err); ok {
		err = workflow.InField(err, failed.Path)
	}
	return workflow.Errorf(CodeCEL, "%w", err)
}

// The codes of failures that nodes of a document add to those of the engine.
const (
	CodeCEL          workflow.Code = "cel-error"     // an expression could not be evaluated
	CodeUnknownChild workflow.Code = "unknown-child" // a scheduler asked for a child that its node doesn't list
)
