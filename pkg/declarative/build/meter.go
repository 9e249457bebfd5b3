package build

import (
	"cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/workflow"
)

// meter counts the model calls of one activation, for the run and for what the document bounds around it.
type meter struct{ ctx *workflow.Context }

var _ agentkit.Meter = meter{}

// Allow implements [agentkit.Meter].
func (m meter) Allow() error { return m.ctx.AllowModelCall() }

// Charge implements [agentkit.Meter].
func (m meter) Charge(u core.Usage) { m.ctx.Spend(u) }

// part is an agent of the document, wherever it runs, or an llm node, whose place is known when it runs.
func part(at, what, name string, l declarative.AgentLimits) workflow.Part {
	return workflow.Part{Name: "the " + what + " " + name, Field: at + ".limits", Author: name, Limits: partLimits(l)}
}

func partLimits(l declarative.AgentLimits) workflow.PartLimits {
	return workflow.PartLimits{MaxTokens: l.MaxTokens, MaxCostUSD: l.MaxCostUSD, MaxDuration: l.MaxDuration}
}

func runLimits(l declarative.RunLimits) workflow.Limits {
	return workflow.Limits{MaxSteps: l.MaxSteps, MaxVisits: l.MaxVisits, MaxDuration: l.MaxDuration,
		MaxTokens: l.MaxTokens, MaxCostUSD: l.MaxCostUSD}
}

// maxTurns is how many turns an activation of an agent may take.
func (b *builder) maxTurns(l declarative.AgentLimits) int {
	turns := cmp.Or(l.MaxTurns, agentkit.DefaultMaxTurns)
	if most := b.opts.MaxTurns; most > 0 {
		turns = min(turns, most)
	}
	return turns
}
