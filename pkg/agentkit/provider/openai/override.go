package openai

import "github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"

// With returns the profile with single deviations set by name, as a configuration has them. The error names the one that
// isn't known or has a value that isn't, and what is expected.
func (p Profile) With(overrides map[string]string) (Profile, error) {
	return oai.Apply(p, known(), overrides)
}

// Overrides returns the names of all deviations that can be set.
func Overrides() []string { return oai.Keys(known()) }

func known() []oai.Override[Profile] {
	return []oai.Override[Profile]{
		oai.Word("limit", func(p *Profile) *string { return &p.Limit },
			map[string]string{"max_tokens": "max_tokens", "max_completion_tokens": "max_completion_tokens"}),
		oai.Flag("stores", func(p *Profile) *bool { return &p.Stores }),
		oai.Flag("promptCacheKey", func(p *Profile) *bool { return &p.CacheKey }),
		oai.Flag("seed", func(p *Profile) *bool { return &p.Seed }),
		oai.Flag("cost", func(p *Profile) *bool { return &p.Cost }),
		oai.Flag("noStops", func(p *Profile) *bool { return &p.NoStops }),
		oai.Number("mostStops", func(p *Profile) *int { return &p.MostStops }),
		oai.Flag("noImages", func(p *Profile) *bool { return &p.NoImages }),
		oai.Flag("thinkingFixesSampling", func(p *Profile) *bool { return &p.ThinkingFixes }),
		oai.Word("thinking", func(p *Profile) *Think { return &p.Think }, map[string]Think{
			"effort": ThinkEffort, "object": ThinkObject, "switch": ThinkSwitch, "both": ThinkBoth}),
		oai.List("thinkingLevels", func(p *Profile) *[]string { return &p.Levels }),
		oai.Word("replay", func(p *Profile) *Replay { return &p.Replay }, map[string]Replay{
			"none": ReplayNone, "text": ReplayText, "details": ReplayDetails}),
		oai.Flag("demandsReasoning", func(p *Profile) *bool { return &p.Demanded }),
		oai.Word("schemas", func(p *Profile) *Bind { return &p.Bind }, map[string]Bind{
			"any": BindSchema, "strict": BindStrict, "object": BindObject}),
	}
}
