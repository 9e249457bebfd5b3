package build

import (
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/workflow"
)

// agentRefNode runs another agent of the document.
func (b *builder) agentRefNode(at string, n *declarative.Node, body *declarative.AgentRef) workflow.Node {
	cfg := b.nodeConfig(at, n)
	cfg.Isolated = body.Isolation == declarative.Isolated
	return b.agentNode(n.ID, b.checked.Agent(body.Agent), singleTurnMode, cfg)
}

// agentNode makes a node that runs an agent of the document. The mode is that of an LlmAgent that says none.
func (b *builder) agentNode(id string, a *declarative.Agent, mode string, cfg workflow.NodeConfig) workflow.Node {
	if cfg.Blame == nil { // it stands for no node of a graph
		cfg.Blame = blameAgent(a)
	}
	switch a.Class {
	case declarative.WorkflowAgent:
		return workflow.NewWorkflowNode(id, b.agentGraph(a), cfg)
	case declarative.SequentialAgent, declarative.ParallelAgent, declarative.LoopAgent:
		return workflow.NewTeamNode(id, b.team(a), cfg)
	default:
		return b.llmAgentNode(id, a, mode, cfg)
	}
}

// team makes the team of an agent of agents, once for all that refer to it. Its members have the names of the agents.
func (b *builder) team(a *declarative.Agent) *workflow.Team {
	if t, known := b.teams[a.Name]; known {
		return t
	}
	var members []workflow.Node
	for _, s := range a.SubAgents {
		cfg := workflow.NodeConfig{Isolated: s.Isolation == declarative.Isolated}
		members = append(members, b.agentNode(s.Name, b.checked.Agent(s.Name), singleTurnMode, cfg))
	}
	var t *workflow.Team
	switch a.Class {
	case declarative.ParallelAgent:
		t = workflow.NewParallel(a.Name, members...)
	case declarative.LoopAgent:
		t = workflow.NewLoop(a.Name, a.MaxIterations, members...)
	default:
		t = workflow.NewSequence(a.Name, members...)
	}
	b.teams[a.Name] = t
	return t
}
