package adkparity

import (
	"slices"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/workflow"
)

type object = map[string]any

// document makes a workflow of a graph by way of a document of ours. Its functions and schedulers are named as their
// nodes.
func (b *ourBuilder) document(g *Graph) (*workflow.Workflow, error) {
	checked, found := declarative.Load("document", []byte(jsonText(g.system())))
	if found.HasErrors() {
		return nil, found.Err()
	}
	valid, found := declarative.Validate(checked, declarative.Options{})
	if found.HasErrors() {
		return nil, found.Err()
	}
	system, found := build.Build(valid, b.options(g))
	if found.HasErrors() {
		return nil, found.Err()
	}
	return system.Workflow(), nil
}

func (b *ourBuilder) options(g *Graph) build.Options {
	opts := build.Options{
		Functions: map[string]build.Function{}, Schedulers: map[string]build.Scheduler{},
		Tools: map[string]core.Tool{}, Models: map[string]core.Model{}, People: true,
	}
	nodes, workers := g.everyNode(), map[string]*Node{}
	for _, n := range nodes {
		if n.Item != "" {
			workers[n.Item] = &n
		}
	}
	for _, name := range g.everyName() {
		n := nodes[name]
		opts.Functions[name] = func(ctx *workflow.Context, input, _ any) (workflow.Result, error) {
			return b.script.ours(ctx, name, n, workers[name], input)
		}
		opts.Schedulers[name] = func(_ *workflow.Context, value any, run build.RunChild) (workflow.Result, error) {
			return n.schedule(value, run)
		}
		if n.Agent != nil {
			opts.Models[name] = &ourModel{name, *n.Agent, b.script}
		}
	}
	for name, t := range g.Tools {
		opts.Tools[name] = &ourTool{name, t, b.script}
	}
	return opts
}

// schedule runs the children of a dynamic node.
func (n Node) schedule(value any, run build.RunChild) (res workflow.Result, err error) {
	for i, child := range n.Children {
		var opts []workflow.RunOption
		if n.Delegated && i == len(n.Children)-1 {
			opts = append(opts, workflow.UseAsOutput())
		}
		if value, err = run(child, value, opts...); err != nil {
			return res, err
		}
	}
	return workflow.Result{Output: value}, nil
}

// system is the document of a graph.
func (g *Graph) system() object {
	w := &writer{graph: g}
	root := w.workflow(g)
	root["name"], root["agent_class"] = rootName, "Workflow"
	return object{
		"apiVersion": declarative.APIVersion, "kind": "AgentSystem", "root_agent": rootName, "agents": append(w.agents, root),
	}
}

// writer writes the parts of a document.
type writer struct {
	graph  *Graph
	agents []any // those beside the root
}

func (w *writer) workflow(g *Graph) object {
	var nodes, edges []any
	for _, name := range g.names() {
		node := w.node(g, name)
		node["id"] = name
		nodes = append(nodes, node)
	}
	for _, e := range g.Edges {
		edge := object{"from": e.From, "to": e.To}
		if len(e.On) > 0 {
			edge["route"] = e.inDocument()
		}
		edges = append(edges, edge)
	}
	out := object{"nodes": nodes, "edges": edges}
	if g.Cap > 0 {
		out["max_concurrency"] = g.Cap
	}
	return out
}

func (w *writer) node(g *Graph, name string) object {
	n := g.Nodes[name]
	node := object{"type": "function", "function": name}
	switch {
	case isJoin(name) && n.In != nil:
		return object{"type": "join", "input_schema": ofJoin(n.In)}
	case isJoin(name):
		return object{"type": "join"}
	case n.Ref:
		node = w.body(g, name)
	case n.Inner != nil:
		node = w.workflow(n.Inner)
		node["type"] = "workflow"
	case n.Item != "":
		node = object{"type": "parallel_worker", "worker": w.body(g, n.Item)}
		if n.Max > 0 {
			node["max_concurrency"] = n.Max
		}
	case len(n.Children) > 0:
		var children []any
		for _, child := range n.Children {
			c := w.node(g, child)
			c["id"] = child
			children = append(children, c)
		}
		node = object{"type": "dynamic", "function": name, "children": children}
	case n.Tool != "":
		node = object{"type": "tool", "tool": n.Tool}
	case n.Team != "":
		node = w.team(g, name, n)
	case n.Agent != nil:
		node = w.llm(name, n.Agent)
	}
	if n.Rerun {
		node["rerun_on_resume"] = true
	}
	if n.In != nil {
		node["input_schema"] = n.In
	}
	if n.Out != nil {
		node["output_schema"] = n.Out
	}
	n.limits(node)
	return node
}

// body writes what a worker does for each element. A workflow has to be an agent of its own there.
func (w *writer) body(g *Graph, name string) object {
	inner := g.Nodes[name].Inner
	if inner == nil {
		return w.node(g, name)
	}
	agent := w.workflow(inner)
	agent["name"], agent["agent_class"] = name, "Workflow"
	w.agents = append(w.agents, agent)
	return object{"type": "agent", "agent": name}
}

// team writes an agent of agents, with its members, which stand apart.
func (w *writer) team(g *Graph, name string, n Node) object {
	for _, member := range n.Members {
		if m := g.Nodes[member]; m.Team != "" {
			w.team(g, member, m)
		} else {
			w.apart(member, m.Agent)
		}
	}
	team := object{"name": name, "agent_class": string(n.Team), "sub_agents": n.Members}
	if n.Team == Loop && n.Laps > 0 {
		team["max_iterations"] = n.Laps
	}
	w.agents = append(w.agents, team)
	return object{"type": "agent", "agent": name}
}

// apart writes an agent that others refer to.
func (w *writer) apart(name string, a *Agent) object {
	out := a.inDocument(name)
	if a.Schema != nil {
		out["output_schema"] = a.Schema
	}
	out["name"] = name
	w.agents = append(w.agents, out)
	return object{"type": "agent", "agent": name}
}

// llm writes an agent inline, or apart from its node.
func (w *writer) llm(name string, a *Agent) object {
	if w.graph.Apart {
		return w.apart(name, a)
	}
	out := a.inDocument(name)
	if a.Schema != nil {
		out["output_schema"] = a.Schema
	}
	out["type"] = "llm"
	return out
}

func (a *Agent) inDocument(name string) object {
	out := object{"model": name}
	for key, text := range map[string]string{"instruction": a.Instruction, "global_instruction": a.Global, "output_key": a.Key} {
		if text != "" {
			out[key] = text
		}
	}
	if a.Chat {
		out["mode"] = "chat"
	}
	if a.Task {
		out["mode"] = "task"
	}
	if a.Turn {
		out["include_contents"] = "none"
	}
	if len(a.Tools) > 0 {
		out["tools"] = a.Tools
	}
	return out
}

// limits writes down how long and how often a node is tried.
func (n Node) limits(node object) {
	if n.Timeout > 0 {
		node["timeout"] = n.Timeout.String()
	}
	if n.Attempts > 1 {
		pause := max(n.Pause, time.Nanosecond).String()
		node["retry"] = object{
			"max_attempts": n.Attempts, "initial_delay": pause, "max_delay": pause, "backoff_factor": 1, "jitter": n.Jitter,
		}
	}
}

// everyName lists the nodes of the graph, those inside of it, and the bodies and children of nodes.
func (g *Graph) everyName() []string {
	names := g.names()
	for _, n := range g.everyNode() {
		names = slices.Concat(names, n.Children, n.Members)
		if n.Inner != nil {
			names = append(names, n.Inner.names()...)
		}
		if n.Item != "" {
			names = append(names, n.Item)
		}
	}
	return names
}
