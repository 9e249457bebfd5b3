package catalog

import (
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

// longGemini is the length in tokens beyond which Google's large models cost more.
const longGemini = 200_000

// googleModels are those of Google. Their caches fill by themselves, so writing costs what input costs. The prices of 3.7
// and 3.8 Flash aren't here: those that the vendor names end on 2026-12-31.
func googleModels() []Entry {
	levels := []string{"low", "medium", "high"}
	four := []string{"minimal", "low", "medium", "high"}
	return slices.Concat(
		from(meterTable,
			gemini("gemini-4-neon", nil, prices(3, 15, 0.15, 3)),
			gemini("gemini-4-hydrogen", nil, prices(1.5, 7.5, 0.075, 1.5)),
		),
		from(meterArgon,
			gemini("gemini-4-argon", levels, prices(4, 20, 0.2, 4)), // since 2026-12-01
		),
		from(catwalk,
			gemini("gemini-3.8-flash", levels, cost.Tariff{}),
			gemini("gemini-3.7-flash", levels, cost.Tariff{}),
			gemini("gemini-3.6-flash", four, prices(1.5, 7.5, 0.15, 1.5)),
			gemini("gemini-3.5-flash-lite", four, prices(0.3, 2.5, 0.03, 0.3)),
			gemini("gemini-3.1-flash-lite", four, prices(0.25, 1.5, 0.025, 0.25)),
			gemini("gemini-3-flash", four, prices(0.5, 3, 0.05, 0.5)),
			gemini("gemini-2.5-pro", nil, surcharged(prices(1.25, 10, 0.125, 1.25), longGemini)),
			gemini("gemini-2.5-flash", nil, prices(0.3, 2.5, 0.03, 0.3)),
		),
	)
}

// gemini is an entry of Google: all models listed have the same limits, read images, and write text.
func gemini(id string, efforts []string, tariff cost.Tariff) Entry {
	return Entry{Vendor: Google, ID: id, ContextWindow: 1_048_576, MaxOutput: 65_536, Input: seeing(), Output: writing(),
		Efforts: efforts, Tariff: tariff}
}
