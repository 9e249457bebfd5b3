package google

import (
	"strconv"
	"strings"
)

// generation is a model's version as its name tells it, in tenths: 25 for gemini-2.5-flash, 30 for gemini-3-pro. Zero means
// that the name doesn't tell, as with the names of a gateway; such a model is taken for a new one that still accepts
// everything.
type generation int

// newest is that of names without a version, such as gemini-flash-latest.
const newest generation = 1 << 10

func generationOf(model string) generation {
	_, name, ok := strings.Cut(strings.ToLower(model), "gemini-")
	if !ok {
		return 0
	}
	if strings.HasPrefix(name, "3.5-flash-lite") { // it came together with 3.6
		return 36
	}
	name, _, _ = strings.Cut(name, "-")
	number, err := strconv.ParseFloat(name, 64)
	if err != nil || number <= 0 || number >= 100 {
		return newest
	}
	return generation(10*number + 0.5)
}

// The abilities changed with the generations: models think since 2.5, which is told how much in tokens, while later ones
// are told a level. Since 3 an answer may be bound to a schema while there are tools, results hold images, and a call
// without a signature is refused. Since 3.6 the settings of the sampling have no effect, and are going to be refused.
func (g generation) thinks() bool            { return g == 0 || g >= 25 }
func (g generation) hasLevels() bool         { return g == 0 || g >= 30 }
func (g generation) bindsBesideTools() bool  { return g == 0 || g >= 30 }
func (g generation) showsResults() bool      { return g == 0 || g >= 30 }
func (g generation) demandsSignatures() bool { return g >= 30 }
func (g generation) samples() bool           { return g < 36 }

// hasMinimal reports whether a model that has levels knows the lowest one: small ones do, and those of middle size did
// until 3.7.
func (g generation) hasMinimal(model string) bool {
	model = strings.ToLower(model)
	return strings.Contains(model, "lite") || g >= 30 && g < 37 && !strings.Contains(model, "pro")
}
