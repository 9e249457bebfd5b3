package catalog

import (
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

// anthropicModels are those of Anthropic. Writing to a cache is charged for its length; the price here is that of five
// minutes, the wire's default. Models before 4.6 are told in tokens how much to think.
func anthropicModels() []Entry {
	small, large := int64(200_000), int64(1_000_000)
	always := []string{"low", "medium", "high", "xhigh", "max"}
	optional := []string{"none", "low", "medium", "high", "xhigh", "max"}
	early := []string{"none", "low", "medium", "high", "max"}
	return slices.Concat(
		from(claudePrices,
			claude("claude-fable-5-1", large, 128_000, always, prices(10, 50, 0.25, 12.5)),
			claude("claude-fable-5", large, 128_000, always, prices(10, 50, 1, 12.5)),
			claude("claude-opus-5", large, 128_000, optional, prices(5, 25, 0.5, 6.25)),
			claude("claude-opus-4-8", large, 128_000, optional, prices(5, 25, 0.5, 6.25)),
			claude("claude-opus-4-7", large, 128_000, optional, prices(5, 25, 0.5, 6.25)),
			claude("claude-opus-4-6", small, 128_000, early, prices(5, 25, 0.5, 6.25)),
			claude("claude-opus-4-5", small, 64_000, nil, prices(5, 25, 0.5, 6.25)),
		),
		from(claudePages+"opus-5-5/overview", claude("claude-opus-5-5", large, 128_000, always, prices(4, 20, 0.2, 5))),
		from(claudePages+"sonnet-5-5/overview",
			claude("claude-sonnet-5", large, 128_000, optional, prices(2, 10, 0.2, 2.5)),
			claude("claude-haiku-4-5", small, 64_000, nil, prices(1, 5, 0.1, 1.25)),
		),
		from(catwalk,
			claude("claude-sonnet-4-6", small, 128_000, early, prices(3, 15, 0.3, 3.75)),
			claude("claude-sonnet-4-5", small, 64_000, nil, prices(3, 15, 0.3, 3.75)),
		),
		from(claudit,
			// The vendor's page that was read was older: it had reads of the cache at twice the price, that of before 2026-10-07.
			claude("claude-sonnet-5-5", large, 128_000, optional, prices(2, 10, 0.1, 2.5)),
			claude("claude-haiku-5-5", large, 128_000, nil, longer(prices(0.1, 0.5, 0.01, 0.125), 100_000,
				cost.Prices{Input: 0.5, Output: 2.5, CacheRead: 0.05, CacheWrite: 0.625})),
		),
	)
}

// claude is an entry of Anthropic. All their models read images and write text.
func claude(id string, window, output int64, efforts []string, tariff cost.Tariff) Entry {
	return Entry{Vendor: Anthropic, ID: id, ContextWindow: window, MaxOutput: output, Input: seeing(), Output: writing(),
		Efforts: efforts, Tariff: tariff}
}

// prices is a tariff in which length makes no difference.
func prices(input, output, cacheRead, cacheWrite float64) cost.Tariff {
	return cost.Tariff{Prices: cost.Prices{Input: input, Output: output, CacheRead: cacheRead, CacheWrite: cacheWrite}}
}

// longer gives a tariff the prices of prompts beyond a length.
func longer(t cost.Tariff, above int64, long cost.Prices) cost.Tariff {
	t.Above, t.Long = above, long
	return t
}

// surcharged gives a tariff what several vendors charge beyond a length: twice as much for what is read, half as much
// again for what is written.
func surcharged(t cost.Tariff, above int64) cost.Tariff {
	return longer(t, above, cost.Prices{
		Input: 2 * t.Input, Output: 1.5 * t.Output, CacheRead: 2 * t.CacheRead, CacheWrite: 2 * t.CacheWrite,
	})
}
