package adkparity

import (
	"fmt"
	"iter"
	"maps"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/workflowagent"
	"google.golang.org/adk/v2/session"
	adk "google.golang.org/adk/v2/workflow"
	"google.golang.org/genai"
)

// adkBuilder makes workflows of ADK.
type adkBuilder struct{ script *script }

func (b *adkBuilder) edges(g *Graph) ([]adk.Edge, error) {
	nodes := map[string]adk.Node{Start: adk.Start}
	for _, name := range g.names() {
		node, err := b.node(g, name, nil)
		if err != nil {
			return nil, err
		}
		nodes[name] = node
	}
	var edges []adk.Edge
	for _, e := range g.Edges {
		edges = append(edges, adk.Edge{From: nodes[e.From], To: nodes[e.To], Route: adkRoute(e)})
	}
	return edges, nil
}

func (b *adkBuilder) node(g *Graph, name string, worker *Node) (adk.Node, error) {
	n := g.Nodes[name]
	switch {
	case isJoin(name) && n.In != nil:
		in, err := resolve(n.In)
		return adk.NewJoinNodeWithSchema(name, in), err
	case isJoin(name):
		return adk.NewJoinNode(name), nil
	case n.Inner != nil:
		edges, err := b.edges(n.Inner)
		if err != nil {
			return nil, err
		}
		if n.Ref {
			a, err := workflowagent.New(workflowagent.Config{Name: name, Edges: edges})
			if err != nil {
				return nil, err
			}
			return adk.NewAgentNode(a, adkConfig(n))
		}
		return adk.NewWorkflowNode(name, edges)
	case n.Item != "":
		body, err := b.node(g, n.Item, &n)
		if err != nil {
			return nil, err
		}
		return adk.NewParallelWorker(name, body, n.Max, adkConfig(n))
	case len(n.Children) > 0:
		return b.dynamic(g, name, n)
	case n.Agent != nil, n.Team != "":
		return b.agentNode(g, name, n)
	case n.Tool != "":
		return b.toolNode(g, name, n)
	}
	return b.function(name, n, worker)
}

func (b *adkBuilder) function(name string, n Node, worker *Node) (adk.Node, error) {
	base := adk.NewBaseNode(name, "", adkConfig(n))
	if n.In != nil || n.Out != nil {
		in, err := resolve(n.In)
		if err != nil {
			return nil, err
		}
		out, err := resolve(n.Out)
		if err != nil {
			return nil, err
		}
		base = adk.NewBaseNodeWithSchemas(name, "", adkConfig(n), in, out)
	}
	return &adkFunction{BaseNode: base, node: n, worker: worker, script: b.script}, nil
}

// toolNode makes a node of a tool. One with a schema can't have a name of its own.
func (b *adkBuilder) toolNode(g *Graph, name string, n Node) (adk.Node, error) {
	t, err := b.tool(g, n.Tool)
	if err != nil {
		return nil, err
	}
	if n.In == nil && n.Out == nil {
		return adk.NewNamedToolNode(name, t, adkConfig(n))
	}
	in, out, err := schemasOf(n)
	if err != nil {
		return nil, err
	}
	return adk.NewToolNodeWithSchemas(t, in, out, adkConfig(n))
}

func (b *adkBuilder) dynamic(g *Graph, name string, n Node) (adk.Node, error) {
	var children []adk.Node
	for _, child := range n.Children {
		node, err := b.node(g, child, nil)
		if err != nil {
			return nil, err
		}
		children = append(children, node)
	}
	return adk.NewDynamicNode(name, func(ctx agent.Context, value any, _ func(*session.Event) error) (out any, err error) {
		for i, child := range children {
			var opts []adk.RunNodeOption
			if n.Delegated && i == len(children)-1 {
				opts = append(opts, adk.WithUseAsOutput())
			}
			if n.Apart {
				opts = append(opts, adk.WithUseSubBranch())
			}
			if value, err = adk.RunNode[any](ctx, child, value, opts...); err != nil {
				return nil, err
			}
		}
		return value, nil
	}, adkConfig(n)), nil
}

func adkConfig(n Node) adk.NodeConfig {
	cfg := adk.NodeConfig{Timeout: n.Timeout}
	if n.Rerun {
		cfg.RerunOnResume = &n.Rerun
	}
	if n.Attempts > 1 {
		cfg.RetryConfig = &adk.RetryConfig{
			MaxAttempts: n.Attempts, InitialDelay: n.Pause, MaxDelay: n.Pause, BackoffFactor: 1, Jitter: n.Jitter,
		}
	}
	return cfg
}

// adkFunction is a node that does what the script says.
type adkFunction struct {
	adk.BaseNode

	node   Node
	worker *Node // whose body the node is
	script *script
}

func (f *adkFunction) Run(ctx agent.Context, input any) iter.Seq2[*session.Event, error] {
	return func(yield func(*session.Event, error) bool) {
		if answer, ok := f.answered(ctx); ok {
			ev := session.NewEvent(ctx, ctx.InvocationID())
			ev.Output = f.node.again(f.Name(), answer)
			yield(ev, nil)
			return
		}
		st := f.script.begin(f.Name(), ctx.Branch(), f.node, f.worker, input)
		defer f.script.end()
		if st.fails && len(st.Early) > 0 && !yield(stateEvent(ctx, st.Early), nil) {
			return
		}
		if err := f.script.perform(ctx, f.Name(), st); err != nil {
			yield(nil, err)
			return
		}
		if st.Asks {
			id := fmt.Sprintf("%s-%d", f.Name(), st.call)
			f.script.ask(f.Name(), id)
			schema, err := unresolved(st.Wants)
			if err != nil {
				yield(nil, err)
				return
			}
			yield(adk.NewRequestInputEvent(ctx, session.RequestInput{InterruptID: id, Message: f.Name(), ResponseSchema: schema}), nil)
			return
		}
		for key, value := range st.Direct {
			if err := ctx.Session().State().Set(key, value); err != nil {
				yield(nil, err)
				return
			}
		}
		f.give(ctx, st, yield)
	}
}

// give tells what an attempt came to.
func (f *adkFunction) give(ctx agent.Context, st step, yield func(*session.Event, error) bool) {
	for range st.Shows {
		ev := session.NewEvent(ctx, ctx.InvocationID())
		ev.Content = genai.NewContentFromText("progress", genai.RoleModel)
		if !yield(ev, nil) {
			return
		}
	}
	ev := stateEvent(ctx, st.State)
	ev.Routes = st.Routes
	if st.Split && !yield(ev, nil) {
		return
	}
	if st.Split {
		ev = session.NewEvent(ctx, ctx.InvocationID())
	}
	ev.Output = st.output
	yield(ev, nil)
}

// answered looks for the answer to what the node asked before: a child of a dynamic node runs again to get it.
func (f *adkFunction) answered(ctx agent.Context) (any, bool) {
	for call := range f.script.count(f.Name()) {
		if answer, ok := ctx.ResumedInput(fmt.Sprintf("%s-%d", f.Name(), call+1)); ok {
			return answer, true
		}
	}
	return nil, false
}

func stateEvent(ctx agent.Context, delta map[string]any) *session.Event {
	ev := session.NewEvent(ctx, ctx.InvocationID())
	maps.Copy(ev.Actions.StateDelta, delta)
	return ev
}
