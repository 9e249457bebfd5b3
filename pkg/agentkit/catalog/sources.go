package catalog

// Where the tables were read, and on which day. What a vendor's own page said comes before what others say of it; where
// others didn't agree, nothing was taken.
const (
	claudePrices = "https://platform.claude.com/docs/en/about-claude/pricing"
	openAIModel  = "https://developers.openai.com/api/docs/models/"
	catwalk      = "charm.land/catwalk v0.52.86 (2026-10-28)"
	meterTable   = "https://github.com/iyulab/TokenMeter/releases/tag/v0.17.0"
	lastRead     = "2026-12-01"
)

// from says of entries where they were read.
func from(source string, entries ...Entry) []Entry {
	for i := range entries {
		entries[i].Source, entries[i].Read = source, lastRead
	}
	return entries
}

func seeing() []Modality  { return []Modality{Text, Image} }
func writing() []Modality { return []Modality{Text} }
