package catalog

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// revision matches what vendors put behind a name for one state of a model: a day, a number of three digits, the sign of
// a preview.
var revision = regexp.MustCompile(`^([-@](20\d{6}|20\d\d-\d\d-\d\d|\d{3}|\d{4}|preview(-\d\d-(\d\d|20\d\d))?|exp(-\d\d-\d\d)?|latest|v\d+(:\d+)?|default))+$`)

// dated reports whether a name is another one with a date or a revision behind it.
func dated(name, id string) bool {
	rest, ok := strings.CutPrefix(name, id)
	return ok && revision.MatchString(rest)
}

// version is the numbers in a name, in their order.
type version []int

func (v version) compare(other version) int { return slices.Compare(v, other) }

// parsed is a name in its two parts.
type parsed struct {
	family string
	version
}

// parse takes a name such as claude-sonnet-4-6 or gpt-5.6-sol apart. Dates and signs of a preview belong to neither part.
func parse(name string) parsed {
	var p parsed
	var words []string
	for word := range strings.FieldsFuncSeq(name, func(c rune) bool { return c == '-' || c == '.' || c == '@' || c == '_' }) {
		n, err := strconv.Atoi(word)
		switch {
		case err == nil && len(word) < 3:
			p.version = append(p.version, n)
		case err == nil, slices.Contains([]string{"preview", "latest", "exp", "experimental"}, word):
		default:
			words = append(words, word)
		}
	}
	p.family = strings.Join(words, "-")
	return p
}
