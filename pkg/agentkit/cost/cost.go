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

	// Free says that the model costs nothing, which is something else than that nobody knows what it costs.
	Free bool
}

// Known reports whether it is known what the model costs.
func (t Tariff) Known() bool { return t != Tariff{} }

// Of returns what a call costs, in US dollars; 0 when the prices aren't known.
func (t Tariff) Of(u core.Usage) float64 {
	if t.Above > 0 && u.Input+u.CacheRead+u.CacheWrite > t.Above {
		return t.Long.Of(u)
	}
	return t.Prices.Of(u)
}
