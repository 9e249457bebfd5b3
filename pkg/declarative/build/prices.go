package build

import (
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// checkPrices reports the models that a limit of costs is over and whose prices aren't known: such a limit would never be
// reached.
func (b *builder) checkPrices() {
	root := b.checked.Root
	costs := costs{b: b, of: "the run", seen: map[string]bool{}}
	costs.limited = b.checked.Document.Limits.MaxCostUSD > 0 || b.opts.CostLimited
	costs.agent(root)
}

// costs is a walk over the agents and nodes that limits of costs are over.
type costs struct {
	b       *builder
	limited bool   // a limit is over what is visited
	of      string // whose it is
	seen    map[string]bool
}

// agent visits an agent, and those that it refers to.
func (c *costs) agent(a *declarative.Agent) {
	key := fmt.Sprintf("%s %t", a.Name, c.limited)
	if c.seen[key] || c.limited && c.seen[a.Name+" true"] {
		return
	}
	c.seen[key] = true
	inner := *c
	if a.LLM != nil {
		inner.llm(agentPath(a.Name), "the agent "+a.Name, a.LLM)
	}
	if a.Graph != nil {
		inner.graph(agentPath(a.Name), a.Graph)
	}
	for _, s := range a.SubAgents {
		inner.agent(c.b.checked.Agent(s.Name))
	}
}

// llm visits a body that calls a model, and the agents that are its tools.
func (c *costs) llm(at, name string, body *declarative.LLM) {
	if body.Limits.MaxCostUSD > 0 {
		c.limited, c.of = true, name
	}
	if model := orDefault(body.Model, "default"); c.limited {
		if m := c.b.opts.Models[model]; m != nil {
			c.priced(at+".model", model, m)
		}
	}
	for _, t := range body.Tools {
		if t.Agent != "" {
			c.agent(c.b.checked.Agent(t.Agent))
		}
	}
}

func (c *costs) priced(at, name string, m core.Model) {
	if _, known := core.PriceOf(m, core.Usage{}); known {
		return
	}
	c.b.report(at, diag.UnknownPrice,
		fmt.Sprintf("the prices of the model %q (%s) aren't known, and max_cost_usd of %s is over its calls", name, m.Name(), c.of),
		"say what it costs where the model is configured, under catalog: inputPrice and outputPrice in US dollars for a million "+
			"tokens, 0 for a model that is free")
}

// graph visits the nodes of a graph.
func (c *costs) graph(at string, g *declarative.Graph) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		c.node(fmt.Sprintf("%s.nodes[%s]", at, n.ID), n)
	}
}

func (c *costs) node(at string, n *declarative.Node) {
	inner := *c
	switch body := n.Body.(type) {
	case *declarative.LLM:
		inner.llm(at, "the node "+n.ID, body)
	case *declarative.AgentRef:
		inner.agent(c.b.checked.Agent(body.Agent))
	case *declarative.Subgraph:
		if body.Graph != nil {
			inner.graph(at, body.Graph)
		} else {
			inner.agent(c.b.checked.Agent(body.Agent))
		}
	case *declarative.Worker:
		inner.node(at+".worker", &body.Worker)
	case *declarative.Dynamic:
		for i := range body.Children {
			if child := body.Children[i].Inline; child != nil {
				inner.node(fmt.Sprintf("%s.children[%d]", at, i), child)
			}
		}
	}
}
