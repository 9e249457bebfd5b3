package build

import (
	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/workflow"
)

// meter counts the model calls of one activation for the run and for what the document bounds: an llm node, or an agent
// wherever it runs.
type meter struct {
	ctx   *workflow.Context
	part  workflow.Spender
	limit int64 // of the part; 0: none
}

var _ agentkit.Meter = meter{}

func (a *llmAgent) meter(ctx *workflow.Context) meter {
	m := meter{ctx: ctx, part: workflow.Spender{Author: a.name}, limit: a.maxTokens}
	if a.inline {
		m.part.Node = ctx.Definition()
	}
	return m
}

// Allow implements [agentkit.Meter].
func (m meter) Allow() error {
	if used := m.ctx.Tokens(m.part); m.limit > 0 && used >= m.limit {
		return &agentkit.LimitError{Limit: "max_tokens", Value: float64(m.limit), Used: float64(used)}
	}
	return m.ctx.AllowModelCall()
}

// Charge implements [agentkit.Meter].
func (m meter) Charge(u core.Usage) { m.ctx.Spend(m.part, u.Tokens()) }
