package cost

import "github.com/plait-dev/plait/pkg/agentkit/core"

// Prices are in US dollars for a million tokens.
type Prices struct{ Input, Output, CacheRead, CacheWrite float64 }

// Of returns what a usage costs, in US dollars.
func (p Prices) Of(u core.Usage) float64 {
	const million = 1e6
	return (float64(u.Input)*p.Input + float64(u.Output)*p.Output +
		float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / million
}

// Tariff is what a model costs. The zero Tariff is one that isn't known.
type Tariff struct {
	Prices

	// Above is the length of a prompt, in tokens and with those of caches, beyond which every token of the call costs the
	// prices of Long; 0 means that length makes no difference.
	Above int64
	Long  Prices
}

// Known reports whether there are prices. A model that costs nothing is told apart from one whose prices nobody knows by
// its having a price for something, so it has none here.
func (t Tariff) Known() bool { return t != Tariff{} }

// Of returns what a call costs, in US dollars; 0 when the prices aren't known.
func (t Tariff) Of(u core.Usage) float64 {
	if t.Above > 0 && u.Input+u.CacheRead+u.CacheWrite > t.Above {
		return t.Long.Of(u)
	}
	return t.Prices.Of(u)
}
