package catalog

import (
	"slices"
	"strings"
)

// Where the tables were read, and on which day. What a vendor's own page said comes before what others say of it; where
// others didn't agree, nothing was taken.
// Pages of a vendor stand in front, then collections of others, which say where they have it from, then what one program's
// authors noted when they read the vendor's page.
const (
	claudePages  = "https://platform.claude.com/docs/en/models/"
	claudePrices = "https://platform.claude.com/docs/en/about-claude/pricing"
	openAIModel  = "https://developers.openai.com/api/docs/models/"
	catwalk      = "charm.land/catwalk v0.52.86 (2026-10-28)"
	meterTable   = "https://github.com/iyulab/TokenMeter/releases/tag/v0.17.0"
	meterArgon   = "https://github.com/iyulab/TokenMeter/releases/tag/v0.13.1"
	claudit      = "https://github.com/kurofune/claudit/releases/tag/v1.9.2"
	lastRead     = "2026-12-01"
)

// from says of entries where they were read.
func from(source string, entries ...Entry) []Entry {
	for i := range entries {
		entries[i].Source, entries[i].Read, entries[i].Secondhand = source, lastRead, !ofVendor(source)
	}
	return entries
}

// ofVendor says whether a source is a vendor's own page.
func ofVendor(source string) bool {
	return slices.ContainsFunc([]string{claudePages, claudePrices, openAIModel},
		func(page string) bool { return strings.HasPrefix(source, page) })
}

func seeing() []Modality  { return []Modality{Text, Image} }
func writing() []Modality { return []Modality{Text} }
