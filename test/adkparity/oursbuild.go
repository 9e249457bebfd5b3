package adkparity

import (
	"time"

	"github.com/plait-dev/plait/pkg/workflow"
)

// ourBuilder makes workflows of ours.
type ourBuilder struct {
	script *script
	root   string // the name of the root agent, which says what the run gave: X21
	// branches are those of the activations that were seen to start, by path.
	branches map[string]string
}

func newOurs(schedule Schedule) *ourBuilder {
	return &ourBuilder{script: newScript(schedule), root: rootName, branches: map[string]string{}}
}

func (b *ourBuilder) build(name string, g *Graph) (*workflow.Workflow, error) {
	nodes := map[string]workflow.Node{Start: workflow.Start}
	for _, name := range g.names() {
		node, err := b.node(g, name, nil)
		if err != nil {
			return nil, err
		}
		nodes[name] = node
	}
	var edges []workflow.Edge
	for _, e := range g.Edges {
		edges = append(edges, workflow.Edge{From: nodes[e.From], To: nodes[e.To], Route: ourRoute(e)})
	}
	return workflow.New(name, edges, workflow.WithMaxConcurrency(g.Cap))
}

func (b *ourBuilder) node(g *Graph, name string, worker *Node) (workflow.Node, error) {
	n := g.Nodes[name]
	switch {
	case isJoin(name) && n.In != nil:
		in, err := resolve(ofJoin(n.In))
		return workflow.NewJoinNodeWithConfig(name, workflow.NodeConfig{InputSchema: in}), err
	case isJoin(name):
		return workflow.NewJoinNode(name), nil
	case n.Inner != nil:
		inner, err := b.build(name, n.Inner)
		if err != nil {
			return nil, err
		}
		return workflow.NewWorkflowNode(name, inner, ourConfig(n)), nil
	case n.Item != "":
		body, err := b.node(g, n.Item, &n)
		if err != nil {
			return nil, err
		}
		return workflow.NewParallelWorker(name, body, n.Max, ourConfig(n)), nil
	case len(n.Children) > 0:
		return b.dynamic(g, name, n)
	}
	cfg, err := schemas(n, ourConfig(n))
	return workflow.NewNode(name, func(ctx *workflow.Context, input any) (workflow.Result, error) {
		return b.script.ours(ctx, name, n, worker, input)
	}, cfg), err
}

func (b *ourBuilder) dynamic(g *Graph, name string, n Node) (workflow.Node, error) {
	var children []workflow.Node
	for _, child := range n.Children {
		node, err := b.node(g, child, nil)
		if err != nil {
			return nil, err
		}
		children = append(children, node)
	}
	return workflow.NewDynamicNode(name, func(ctx *workflow.Context, value any) (res workflow.Result, err error) {
		for i, child := range children {
			var opts []workflow.RunOption
			if n.Delegated && i == len(children)-1 {
				opts = append(opts, workflow.UseAsOutput())
			}
			if value, err = workflow.RunNode(ctx, child, value, opts...); err != nil {
				return res, err
			}
		}
		return workflow.Result{Output: value}, nil
	}, workflow.DynamicConfig{NodeConfig: ourConfig(n)}), nil
}

func ourConfig(n Node) workflow.NodeConfig {
	cfg := workflow.NodeConfig{Timeout: n.Timeout, RerunOnResume: n.Rerun}
	if n.Attempts > 1 {
		pause := max(n.Pause, time.Nanosecond) // zero is the default
		cfg.Retry = &workflow.RetryConfig{
			MaxAttempts: n.Attempts, InitialDelay: pause, MaxDelay: pause, BackoffFactor: 1, Jitter: &n.Jitter,
		}
	}
	return cfg
}

// question is what a step asks.
func (st step) question(name string) workflow.Question {
	q := workflow.Question{Message: name}
	if st.Wants != nil {
		q.Schema = st.Wants
	}
	return q
}

// schemas adds the schemas of a node to its config.
func schemas(n Node, cfg workflow.NodeConfig) (workflow.NodeConfig, error) {
	if n.In != nil {
		in, err := resolve(n.In)
		if err != nil {
			return cfg, err
		}
		cfg.InputSchema = in
	}
	if n.Out != nil {
		out, err := resolve(n.Out)
		if err != nil {
			return cfg, err
		}
		cfg.OutputSchema = out
	}
	return cfg, nil
}

// ours does what the script says.
func (s *script) ours(ctx *workflow.Context, name string, n Node, worker *Node, input any) (workflow.Result, error) {
	if answer, answered := ctx.Answer(); answered {
		return workflow.Result{Output: n.again(name, answer)}, nil
	}
	st := s.begin(name, ctx.Branch(), n, worker, input)
	defer s.end()
	writes := st.Direct
	if st.fails {
		writes = st.Early
	}
	for key, value := range writes {
		if err := ctx.State().Set(key, value); err != nil {
			return workflow.Result{}, err
		}
	}
	if err := s.perform(ctx, name, st); err != nil {
		return workflow.Result{}, err
	}
	if st.Asks {
		return workflow.Result{}, workflow.RequestInput(st.question(name))
	}
	for range st.Shows {
		ctx.Emit(workflow.Progress{Text: "progress"})
	}
	return workflow.Result{Output: st.output, Routes: st.Routes, State: st.State}, nil
}
