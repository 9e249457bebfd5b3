package anthropic

import (
	"strconv"
	"strings"
)

// generation is a model's version as its name tells it, in tenths: 35 for claude-3-5-haiku, 46 for claude-sonnet-4-6, 40
// for claude-opus-4-20250514. Zero means that the name doesn't tell, as with the names of a gateway; such a model is
// taken for a new one that still accepts everything.
type generation int

func generationOf(model string) generation {
	_, name, ok := strings.Cut(strings.ToLower(model), "claude-")
	if !ok {
		return 0
	}
	name = strings.ReplaceAll(name, ".", "-")
	for parts := strings.Split(name, "-"); len(parts) > 0; parts = parts[1:] {
		major, ok := version(parts[0])
		if !ok {
			continue
		}
		if len(parts) > 1 {
			if minor, ok := version(parts[1]); ok {
				return generation(10*major + minor)
			}
		}
		return generation(10 * major)
	}
	return 0
}

// version reads a number of one digit; what is longer is a date.
func version(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && len(text) == 1
}

// outputTokens is the default of max_tokens: no model of the generation allows less.
func (g generation) outputTokens() int {
	switch {
	case g == 0 || g >= 40:
		return 32000
	case g >= 35:
		return 8192
	}
	return 4096
}

// The abilities changed with the generations: reasoning began with a budget of tokens (3.7), became the model's own
// decision with a level of effort (4.6), took the sampling settings with it (4.7), and began unasked (5). Answers can be
// bound to a schema since 4.5, and since then models search for tools.
func (g generation) thinks() bool    { return g == 0 || g >= 37 }
func (g generation) hasEffort() bool { return g == 0 || g >= 46 }
func (g generation) samples() bool   { return g < 47 }
func (g generation) binds() bool     { return g == 0 || g >= 45 }
func (g generation) searches() bool  { return g == 0 || g >= 45 }

// rest is how a model that thinks unasked is told not to; empty when it isn't needed. Since 5.5 it still thinks between
// its calls. https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide
func (g generation) rest() string {
	switch {
	case g >= 55:
		return "between_tools"
	case g >= 50:
		return "disabled"
	}
	return ""
}
