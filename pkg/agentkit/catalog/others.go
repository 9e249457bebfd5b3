package catalog

// otherModels are those of vendors who offer OpenAI's API. DeepSeek's prices change with the hour of the day, which a table
// can't say, and Moonshot's were found in one place only: neither is here.
func otherModels() []Entry {
	deepSeek := func(id string) Entry {
		return Entry{Vendor: DeepSeek, ID: id, ContextWindow: 1_000_000, MaxOutput: 384_000, Input: writing(), Output: writing()}
	}
	kimi := func(id string, window int64) Entry {
		return Entry{Vendor: Moonshot, ID: id, ContextWindow: window, Input: seeing(), Output: writing()}
	}
	return from(catwalk,
		deepSeek("deepseek-v4-pro"),
		deepSeek("deepseek-v4-flash"),
		kimi("kimi-k3", 1_048_576),
		kimi("kimi-k2.7-code", 262_144),
		kimi("kimi-k2.6", 262_144),
		kimi("kimi-k2.5", 262_144),
	)
}
