package provider

import (
	"cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// bounded returns the request as the model can take it by what is known of it, and tells the caller what was changed.
func (m *Model) bounded(req *core.Request, d *Draft) *core.Request {
	known := &m.opts.Known
	if note := known.Note(); note != "" {
		d.Warnf("%s", note)
	}
	own := *req
	g := &own.Generate
	if most := int(known.MaxOutput); most > 0 && g.MaxOutputTokens > most {
		d.Warnf("%d output tokens: the model %s writes at most %d, which is sent", g.MaxOutputTokens, m.opts.Model, most)
		g.MaxOutputTokens = most
	}
	if m.traits.LimitDemanded {
		g.MaxOutputTokens = cmp.Or(g.MaxOutputTokens, m.outputLimit())
	}
	if effort := known.Effort(g.Thinking); effort != g.Thinking {
		if g.Thinking != "off" || effort != "none" { // two words for one thing
			d.Warnf("thinking %q: the model %s doesn't have it; %s is sent", g.Thinking, m.opts.Model, effort)
		}
		g.Thinking = effort
	}
	return &own
}

// outputLimit is the default for wires that demand one: all that the model can write, or half of a window that is smaller
// than that, which has to hold the prompt as well. 0 when nothing is known.
func (m *Model) outputLimit() int {
	limit := m.opts.Known.MaxOutput
	if half := m.opts.Known.ContextWindow / 2; half > 0 && limit > 0 {
		limit = min(limit, half)
	}
	return int(limit)
}
