package build

import (
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// maxTransfers bounds how often the agents of a conversation hand it on before one of them answers.
const maxTransfers = 20

// conversation is an LlmAgent with the sub-agents that its model may transfer to. They speak one after the other, in one
// branch of the transcript, until one gives an answer instead of handing on. A sub-agent that has others below it is a
// conversation within this one, so that what is below an agent is found, and counted, under its path.
type conversation struct {
	name    string // of the agent that leads it
	part    workflow.Part
	members map[string]member
	root    *conversation // the outermost one around it, or itself
	place   string        // what the definition of its node has behind that of the root's
	resumes bool          // of the root: a message goes to whoever spoke last
}

// member is who takes part in a conversation.
type member struct {
	node  workflow.Node
	inner *conversation // nil for those without sub-agents of their own
	llm   bool
}

var _ workflow.Agent = (*conversation)(nil)

// Name implements [workflow.Agent].
func (c *conversation) Name() string { return c.name }

// Run lets the members speak. A route that a member produces is the agent that it hands the conversation to; if that isn't
// one of them it is one of the conversation around this one.
func (c *conversation) Run(ctx *workflow.Context, input any) (workflow.Result, error) {
	_, leave := ctx.Enter(c.part) // whose time the agents keep that speak in it
	defer leave()
	next := c.first(ctx)
	for range maxTransfers + 1 {
		res, err := workflow.RunNodeResult(ctx, c.members[next].node, input)
		if err != nil || len(res.Routes) == 0 {
			return res, err
		}
		next = res.Routes[0]
		if _, within := c.members[next]; !within {
			return res, nil
		}
	}
	return workflow.Result{}, workflow.Terminal(workflow.Errorf(workflow.CodeLimit,
		"the agents of %s handed the conversation on %d times, and none of them answered", c.name, maxTransfers))
}

// first is who begins: in a chat the one who spoke last, else the agent that leads.
func (c *conversation) first(ctx *workflow.Context) string {
	if !c.root.resumes {
		return c.name
	}
	root := strings.TrimSuffix(ctx.Definition(), c.place) + "/"
	for _, n := range slices.Backward(ctx.Before()) {
		m, ok := n.Record.(journal.Msg)
		if !ok {
			continue
		}
		speaker, below := strings.CutPrefix(workflow.DefinitionOf(m.Path), root)
		if !below || !c.root.isSpeaker(strings.Split(speaker, "/")) {
			continue
		}
		if own, isOwn := strings.CutPrefix("/"+speaker, c.place+"/"); isOwn {
			name, _, _ := strings.Cut(own, "/")
			return name
		}
		return c.name
	}
	return c.name
}

// isSpeaker says that a way down from the conversation leads to a model that takes part in it: not to an agent that one of
// them calls as a tool, nor into a graph.
func (c *conversation) isSpeaker(way []string) bool {
	m := c.members[way[0]]
	if m.inner != nil {
		return len(way) > 1 && m.inner.isSpeaker(way[1:])
	}
	return m.llm && len(way) == 1
}

// node makes the node of the conversation.
func (c *conversation) node(id string, cfg workflow.NodeConfig) workflow.Node {
	return workflow.NewManagingAgentNode(id, c, workflow.DynamicConfig{NodeConfig: cfg, MaxChildren: maxTransfers + 1})
}

// llmAgentNode makes a node that runs an LlmAgent, with the agents that it may transfer to.
func (b *builder) llmAgentNode(id string, a *declarative.Agent, mode string, cfg workflow.NodeConfig) workflow.Node {
	if len(b.transferable(a)) == 0 {
		return b.speaker(a, mode, nil).node(id, cfg)
	}
	c := &conversation{resumes: orDefault(a.LLM.Mode, mode) == chatMode}
	c.root = c
	b.fill(c, a, mode, nil)
	return c.node(id, cfg)
}

// fill adds the agent that leads a conversation, and its sub-agents. Around are the agents outside of it that the first one
// may transfer to.
func (b *builder) fill(c *conversation, a *declarative.Agent, mode string, around []*declarative.Agent) {
	subs := b.transferable(a)
	c.name, c.part = a.Name, part(agentPath(a.Name), "agent", a.Name, a.LLM.Limits)
	c.part.Leads = true
	leader := b.speaker(a, mode, slices.Concat(subs, around))
	leader.part = workflow.Part{} // its limits are those of the whole conversation
	c.members = map[string]member{a.Name: {llm: true, node: leader.node(a.Name, workflow.NodeConfig{Blame: blameAgent(a)})}}
	for _, s := range subs {
		peers := slices.DeleteFunc(slices.Clone(subs), func(p *declarative.Agent) bool { return p == s })
		c.members[s.Name] = b.member(c, s, slices.Concat([]*declarative.Agent{a}, peers))
	}
}

// member makes a sub-agent of a conversation.
func (b *builder) member(c *conversation, a *declarative.Agent, targets []*declarative.Agent) member {
	switch {
	case a.LLM == nil:
		return member{node: b.agentNode(a.Name, a, singleTurnMode, workflow.NodeConfig{})}
	case len(b.transferable(a)) == 0:
		return member{llm: true, node: b.speaker(a, chatMode, targets).node(a.Name, workflow.NodeConfig{Blame: blameAgent(a)})}
	}
	inner := &conversation{root: c.root, place: c.place + "/" + a.Name}
	b.fill(inner, a, chatMode, targets)
	return member{inner: inner, llm: true, node: inner.node(a.Name, workflow.NodeConfig{Blame: blameAgent(a)})}
}

// speaker makes an LlmAgent with the tools that its sub-agents are, and with the tool by which it hands a conversation on.
func (b *builder) speaker(a *declarative.Agent, mode string, targets []*declarative.Agent) *llmAgent {
	s := b.llmAgent(agentPath(a.Name), a.Name, a.LLM, a.LLM.OutputSchema, mode)
	for _, sub := range a.SubAgents {
		if b.isTool(sub) {
			s.tools = append(s.tools, b.agentToolSource(sub.Name, sub.Isolation))
			s.manages = true
		}
	}
	if len(targets) > 0 {
		s.tools = append(s.tools, transferSource(targets))
		s.transfers = true
	}
	return s
}

// transferable are the sub-agents of an LlmAgent that its model may transfer to.
func (b *builder) transferable(a *declarative.Agent) []*declarative.Agent {
	var subs []*declarative.Agent
	for _, s := range a.SubAgents {
		if sub := b.checked.Agent(s.Name); !b.isTool(s) && !slices.Contains(subs, sub) {
			subs = append(subs, sub)
		}
	}
	return subs
}

// isTool says that a model calls a sub-agent as a tool: one that works in a session of its own, and one that sees its input
// alone, which in a conversation would be nothing.
func (b *builder) isTool(s declarative.SubAgent) bool {
	llm := b.checked.Agent(s.Name).LLM
	return s.Isolation == declarative.Isolated || llm != nil && llm.Mode == singleTurnMode
}
