package build

import (
	"context"
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/workflow"
)

// builder collects what [Build] makes and finds on its walk through the document.
type builder struct {
	checked *declarative.Checked
	opts    Options
	schemas *schemaCache
	graphs  map[string]*workflow.Workflow // of Workflow agents, by name
	teams   map[string]*workflow.Team     // of agents of agents, by name
	checks  []toolCheck

	// checkState is that of the Workflow whose graphs are made.
	checkState func(key string, value any) error
	found      diag.List
}

// report notes a finding at a place of the document, given as the path that diagnostics print.
func (b *builder) report(path string, code diag.Code, message, hint string) {
	b.found = append(b.found, b.checked.Diagnose(path, code, message, hint))
}

// notInThisBuild notes a part of the format that this release validates and can't run.
func (b *builder) notInThisBuild(path, what string) {
	b.report(path, diag.NotInThisBuild, what+" is part of the format, but this release can't run it", "")
}

// program returns the compiled form of an expression; nil when the document has none there.
func (b *builder) program(src expr.Source) *expr.Program {
	if src.Text() == "" {
		return nil
	}
	return b.checked.Program(src)
}

func agentPath(name string) string { return fmt.Sprintf("agents[%s]", name) }

// rootWorkflow makes the graph that a run executes: that of a Workflow, else a graph of one node, the agent.
func (b *builder) rootWorkflow(a *declarative.Agent) *workflow.Workflow {
	if a.Class == declarative.WorkflowAgent {
		return b.agentGraph(a)
	}
	node := b.agentNode(a.Name, a, chatMode, workflow.NodeConfig{})
	if b.found.HasErrors() {
		return nil
	}
	return b.workflow(a.Name, []workflow.Edge{{From: workflow.Start, To: node}}, 0)
}

// agentGraph makes the workflow of a Workflow agent, once for all that refer to it.
func (b *builder) agentGraph(a *declarative.Agent) *workflow.Workflow {
	if wf, known := b.graphs[a.Name]; known {
		return wf
	}
	at := agentPath(a.Name)
	outer := b.checkState
	b.checkState = b.stateCheck(at+".state_schema", a.Graph.StateSchema)
	wf := b.graph(a.Name, at, a.Graph)
	b.checkState = outer
	b.graphs[a.Name] = wf
	return wf
}

// graph makes a workflow. Its name is that of the agent that it belongs to.
func (b *builder) graph(agent, at string, g *declarative.Graph) *workflow.Workflow {
	nodes := map[string]workflow.Node{"START": workflow.Start}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		nodes[n.ID] = b.node(agent, fmt.Sprintf("%s.nodes[%s]", at, n.ID), n, nodes)
	}
	if b.found.HasErrors() {
		return nil
	}
	var edges []workflow.Edge
	for _, e := range g.Edges {
		for _, from := range e.From {
			for _, to := range e.To {
				edges = append(edges, workflow.Edge{From: nodes[from], To: nodes[to], Route: route(e.Routes)})
			}
		}
	}
	return b.workflow(agent, edges, g.MaxConcurrency)
}

func route(texts []string) workflow.Route {
	if len(texts) == 0 {
		return nil
	}
	return workflow.MultiRoute[string](texts)
}

// workflow hands the graph to the engine, whose checks the validator has already made: a refusal here means that the
// two disagree, and is shown as what it is.
func (b *builder) workflow(name string, edges []workflow.Edge, maxConcurrency int) *workflow.Workflow {
	wf, err := workflow.New(name, edges, workflow.WithMaxConcurrency(maxConcurrency), workflow.WithStateCheck(b.checkState))
	if err != nil {
		var def *workflow.DefinitionError
		if !errors.As(err, &def) {
			b.report(agentPath(name), diag.BadValue, err.Error(), "")
			return nil
		}
		for _, p := range def.Problems {
			b.report(agentPath(name), diag.Code(p.Rule), p.Message, p.Hint)
		}
	}
	return wf
}

// node makes one node of an agent's graph. Siblings are all of that graph, complete when the graph is.
func (b *builder) node(agent, at string, n *declarative.Node, siblings map[string]workflow.Node) workflow.Node {
	switch body := n.Body.(type) {
	case *declarative.Function:
		return b.functionNode(at, n, body)
	case *declarative.CEL:
		return b.celNode(at, n, body)
	case *declarative.Tool:
		return b.toolNode(at, n, body)
	case *declarative.LLM:
		return b.llmNode(at, n, body)
	case *declarative.AgentRef:
		return b.agentRefNode(at, n, body)
	case *declarative.Join:
		return workflow.NewJoinNodeWithConfig(n.ID, b.nodeConfig(at, n))
	case *declarative.Subgraph:
		return b.subgraphNode(agent, at, n, body)
	case *declarative.Worker:
		return b.workerNode(agent, at, n, body)
	case *declarative.HITL:
		return b.hitlNode(at, n, body)
	case *declarative.Dynamic:
		return b.dynamicNode(agent, at, n, body, siblings)
	default:
		b.notInThisBuild(at+".type", fmt.Sprintf("a node of type %s", n.Type))
		return nil
	}
}

// functionNode calls a registered Go function.
func (b *builder) functionNode(at string, n *declarative.Node, body *declarative.Function) workflow.Node {
	fn, ok := b.opts.Functions[body.Function]
	if !ok {
		b.report(at+".function", diag.UnknownRef, fmt.Sprintf("%q is not a function of this program", body.Function),
			unknownHint("functions", body.Function, b.opts.Functions))
		return nil
	}
	config := body.Config
	run := func(ctx *workflow.Context, input any) (workflow.Result, error) { return fn(ctx, input, config) }
	cfg := b.nodeConfig(at, n)
	cfg.RerunOnResume = body.RerunOnResume != nil && *body.RerunOnResume
	return workflow.NewNode(n.ID, run, cfg)
}

// evalBool evaluates a condition; [expr.Bool] programs give nothing but booleans.
func evalBool(ctx context.Context, p *expr.Program, act *expr.Activation) (bool, error) {
	value, err := p.Eval(ctx, act)
	holds, _ := value.(bool)
	return holds, err
}
