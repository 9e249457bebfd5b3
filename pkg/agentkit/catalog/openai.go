package catalog

import (
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

// longGPT is the length in tokens beyond which OpenAI's large models cost more.
const longGPT = 272_000

// openAIModels are those of OpenAI. Where there is no price for writing to a cache, it is that of input. The models of 5.6
// have none: what was read of them didn't agree.
func openAIModels() []Entry {
	large, small := int64(1_050_000), int64(400_000)
	always := []string{"low", "medium", "high", "xhigh", "max"}
	optional := []string{"none", "low", "medium", "high", "xhigh", "max"}
	minimal := []string{"minimal", "low", "medium", "high"}
	long := func(t cost.Tariff) cost.Tariff { return surcharged(t, longGPT) }
	return slices.Concat(
		from(openAIModel+"gpt-6.2-sol", gpt("gpt-6.2-sol", large, 128_000, always, long(prices(2, 10, 0.1, 2.5)))),
		from(openAIModel+"gpt-6-sol", gpt("gpt-6-sol", large, 128_000, optional, long(prices(2, 10, 0.2, 2.5)))),
		from(openAIModel+"gpt-5-codex", gpt("gpt-5-codex", small, 128_000, nil, prices(1.25, 10, 0.125, 1.25))),
		from(openAIModel+"gpt-5-nano", gpt("gpt-5-nano", small, 128_000, minimal, prices(0.05, 0.4, 0.005, 0.05))),
		from(meterTable, gpt("gpt-6.2-astra", large, 0, always, long(prices(8, 40, 0.4, 10)))),
		from(catwalk,
			gpt("gpt-6.1-sol", large, 128_000, always, long(prices(2, 10, 0.1, 2.5))),
			gpt("gpt-6.1-terra", large, 128_000, always, long(prices(1, 5, 0.05, 1.25))),
			gpt("gpt-6-astra", large, 128_000, always, long(prices(10, 50, 1, 12.5))),
			gpt("gpt-6-luna", large, 128_000, optional, long(prices(0.1, 0.5, 0.01, 0.125))),
			gpt("gpt-5.6-sol", large, 128_000, optional, cost.Tariff{}),
			gpt("gpt-5.6-terra", large, 128_000, optional, cost.Tariff{}),
			gpt("gpt-5.6-luna", large, 128_000, optional, cost.Tariff{}),
			gpt("gpt-5.5", large, 128_000, nil, long(prices(5, 30, 0.5, 5))),
			gpt("gpt-5.4", large, 128_000, nil, long(prices(2.5, 15, 0.25, 2.5))),
			gpt("gpt-5.4-mini", small, 128_000, nil, prices(0.75, 4.5, 0.075, 0.75)),
			gpt("gpt-5.4-nano", small, 128_000, nil, prices(0.2, 1.25, 0.02, 0.2)),
			gpt("gpt-5.2", small, 128_000, nil, prices(1.75, 14, 0.175, 1.75)),
			gpt("gpt-5.1", small, 128_000, nil, prices(1.25, 10, 0.125, 1.25)),
			gpt("gpt-5", small, 128_000, minimal, prices(1.25, 10, 0.125, 1.25)),
			gpt("gpt-5-mini", small, 128_000, minimal, prices(0.25, 2, 0.025, 0.25)),
			gpt("gpt-4.1", 1_047_576, 0, nil, prices(2, 8, 0.5, 2)),
			gpt("gpt-4o", 128_000, 0, nil, prices(2.5, 10, 1.25, 2.5)),
			gpt("gpt-4o-mini", 128_000, 0, nil, prices(0.15, 0.6, 0.075, 0.15)),
			gpt("o3", 200_000, 0, []string{"low", "medium", "high"}, prices(2, 8, 0.5, 2)),
		),
	)
}

// gpt is an entry of OpenAI. All models listed read images and write text.
func gpt(id string, window, output int64, efforts []string, tariff cost.Tariff) Entry {
	return Entry{Vendor: OpenAI, ID: id, ContextWindow: window, MaxOutput: output, Input: seeing(), Output: writing(),
		Efforts: efforts, Tariff: tariff}
}
