package provider

import (
	"context"
	"iter"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Prices are in US dollars for a million tokens.
type Prices struct{ Input, Output, CacheRead, CacheWrite float64 }

// Priced returns a model whose answers tell what they cost.
func Priced(m core.Model, p Prices) core.Model { return priced{m, p} }

type priced struct {
	core.Model
	prices Prices
}

// Stream adds the cost to the usage.
func (m priced) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		for d, err := range m.Model.Stream(ctx, req) {
			if d.Kind == core.Done {
				d.Usage.Cost = m.prices.of(d.Usage)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

func (p Prices) of(u core.Usage) float64 {
	const million = 1e6
	return (float64(u.Input)*p.Input + float64(u.Output)*p.Output +
		float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / million
}
