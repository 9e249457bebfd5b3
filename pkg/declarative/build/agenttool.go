package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// agentTool is an agent as a tool of another one. A call runs it as a child of the activation that makes the call, with the
// request as its input, and a branch of the transcript of its own or a session of its own.
type agentTool struct {
	ctx  *workflow.Context
	node workflow.Node
	spec core.Spec
}

var _ core.Tool = (*agentTool)(nil)

// agentToolSource makes the source of an agent that a model calls as a tool.
func (b *builder) agentToolSource(name string, isolation declarative.Isolation) toolSource {
	target := b.checked.Agent(name)
	node := b.agentNode(target.Name, target, singleTurnMode,
		workflow.NodeConfig{Isolated: isolation == declarative.Isolated})
	spec := core.Spec{
		Name:        target.Name,
		Description: orDefault(target.Description, "Asks the agent "+target.Name+"."),
		InputSchema: json.RawMessage(`{"type":"object","properties":{"request":{"type":"string",` +
			`"description":"What the agent is asked, with all that it has to know."}},"required":["request"],"additionalProperties":false}`),
		Idempotent: true, // a call that is made again finds the child that it began
	}
	return func(ctx *workflow.Context) ([]core.Tool, error) {
		return []core.Tool{&agentTool{ctx: ctx, node: node, spec: spec}}, nil
	}
}

// Spec implements [core.Tool].
func (t *agentTool) Spec() core.Spec { return t.spec }

// Run implements [core.Tool].
func (t *agentTool) Run(_ context.Context, call core.Call) (core.Result, error) {
	var args struct {
		Request string `json:"request"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return core.Result{}, fmt.Errorf("the arguments: %w", err)
	}
	id := fmt.Sprintf("%d-%d", call.Turn, call.Place)
	out, err := workflow.RunNode(t.ctx, t.node, args.Request, workflow.WithRunID(id), workflow.WithOwnBranch())
	if failed, ok := errors.AsType[*workflow.NodeError](err); ok {
		return core.ErrorResult(fmt.Sprintf("the agent %s failed: %s", t.spec.Name, failed.Message)), nil
	}
	if err != nil {
		return core.Result{}, err
	}
	return spokenResult(out)
}

// spokenResult is an agent's output as a model reads it: text as it is, anything else as JSON.
func spokenResult(out any) (core.Result, error) {
	switch v := out.(type) {
	case nil:
		return core.TextResult("The agent gave no answer."), nil
	case string:
		return core.TextResult(v), nil
	}
	text, err := journal.EncodeValue(out)
	return core.Result{Text: string(text), Structured: text}, err
}

// busyTool is another tool of an agent that has agents as tools: while it works the run doesn't rest, even when all that
// the agents are asked waits for people.
type busyTool struct {
	core.Tool
	ctx *workflow.Context
}

// Run implements [core.Tool].
func (t busyTool) Run(ctx context.Context, call core.Call) (core.Result, error) {
	defer t.ctx.Hold()()
	return t.Tool.Run(ctx, call)
}
