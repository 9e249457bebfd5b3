package openairesponses

import "github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"

// With returns the profile with single deviations set by name, as a configuration has them. The error names the one that
// isn't known or has a value that isn't, and what is expected.
func (p Profile) With(overrides map[string]string) (Profile, error) {
	return oai.Apply(p, known(), overrides)
}

// Overrides returns the names of all deviations that can be set. None of the chat API's is among them.
func Overrides() []string { return oai.Keys(known()) }

func known() []oai.Override[Profile] {
	return []oai.Override[Profile]{
		oai.Flag("encryptedReasoning", func(p *Profile) *bool { return &p.Encrypted }),
		oai.List("reasoningEfforts", func(p *Profile) *[]string { return &p.Levels }),
		oai.Flag("reasoningFixesSampling", func(p *Profile) *bool { return &p.ThinkingFixes }),
		oai.Flag("responseCacheKey", func(p *Profile) *bool { return &p.CacheKey }),
		oai.Number("leastOutputTokens", func(p *Profile) *int { return &p.LeastLimit }),
		oai.Flag("noInputImages", func(p *Profile) *bool { return &p.NoImages }),
		oai.Flag("toolSearch", func(p *Profile) *bool { return &p.ToolSearch }),
		oai.Flag("strictTextFormat", func(p *Profile) *bool { return &p.Strict }),
	}
}
