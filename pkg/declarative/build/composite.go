package build

import (
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/workflow"
)

// subgraphNode makes a node of a graph that is written inline, or that is a Workflow agent's.
func (b *builder) subgraphNode(agent, at string, n *declarative.Node, body *declarative.Subgraph) workflow.Node {
	var wf *workflow.Workflow
	if body.Graph != nil {
		wf = b.graph(agent, at, body.Graph)
	} else {
		wf = b.agentGraph(b.checked.Agent(body.Agent))
	}
	return workflow.NewWorkflowNode(n.ID, wf, b.nodeConfig(at, n))
}

// workerNode makes a node that does one thing for each element of a list. Items go by the name of the node.
func (b *builder) workerNode(agent, at string, n *declarative.Node, body *declarative.Worker) workflow.Node {
	item := body.Worker
	item.ID = n.ID
	node := b.node(agent, at+".worker", &item, nil)
	cfg := b.nodeConfig(at, n)
	if items := b.program(body.Items); items != nil {
		cfg.Input = listed(items, cfg)
		cfg.InputSchema = nil // it is about what the list is made of
	}
	if b.found.HasErrors() {
		return nil
	}
	return workflow.NewParallelWorker(n.ID, node, body.MaxConcurrency, cfg)
}

// listed evaluates items over the node's shaped input.
func listed(items *expr.Program, cfg workflow.NodeConfig) func(*workflow.Context) (any, error) {
	return func(ctx *workflow.Context) (any, error) {
		input := ctx.Input()
		if cfg.Input != nil {
			var err error
			if input, err = cfg.Input(ctx); err != nil {
				return nil, err
			}
		}
		if cfg.InputSchema != nil {
			if err := cfg.InputSchema.Validate(input); err != nil {
				return nil, workflow.Errorf(workflow.CodeInputSchema, "input: %w", err)
			}
		}
		value, err := items.Eval(ctx, activation(ctx, input))
		if err != nil {
			return nil, celError(err)
		}
		return value, nil
	}
}
