package build

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Scheduler is a Go function that a node of type dynamic may name: it runs the children of the node as it likes. When a
// run is taken up it runs again from the top, so it must ask for the same children with the same inputs, see
// [workflow.NewDynamicNode].
type Scheduler func(ctx *workflow.Context, input any, run RunChild) (workflow.Result, error)

// RunChild runs a child by its id in the document, and waits for its output.
type RunChild func(child string, input any, opts ...workflow.RunOption) (any, error)

// dynamicNode makes a node whose children a registered function schedules. Siblings are the nodes of its graph, complete
// when the graph is.
func (b *builder) dynamicNode(
	agent, at string, n *declarative.Node, body *declarative.Dynamic, siblings map[string]workflow.Node,
) workflow.Node {
	schedule, ok := b.opts.Schedulers[body.Function]
	if !ok {
		b.report(at+".function", diag.UnknownRef, fmt.Sprintf("%q is not a scheduler of this program", body.Function),
			unknownHint("schedulers", body.Function, b.opts.Schedulers))
	}
	children := map[string]workflow.Node{}
	for i, c := range body.Children {
		if c.Inline != nil {
			children[c.Inline.ID] = b.node(agent, fmt.Sprintf("%s.children[%d]", at, i), c.Inline, nil)
		} else {
			children[c.ID] = nil // a sibling
		}
	}
	run := func(ctx *workflow.Context, input any) (workflow.Result, error) {
		return schedule(ctx, input, func(child string, value any, opts ...workflow.RunOption) (any, error) {
			node, listed := children[child]
			if !listed {
				return nil, workflow.Terminal(workflow.Errorf(CodeUnknownChild, "%q isn't among the children of the node: %v", child,
					slices.Sorted(maps.Keys(children))))
			}
			if node == nil {
				node = siblings[child]
			}
			return workflow.RunNode(ctx, node, value, opts...)
		})
	}
	return workflow.NewDynamicNode(n.ID, run, workflow.DynamicConfig{NodeConfig: b.nodeConfig(at, n), MaxChildren: body.MaxIters})
}
