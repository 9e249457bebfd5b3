package build

import (
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func unknownHint[V any](what, name string, known map[string]V) string {
	return listHint(what, name, sortedKeys(known))
}

// listHint proposes the nearest name, or lists what there is.
func listHint(what, name string, known []string) string {
	if question := diag.DidYouMean(name, known); question != "" {
		return question
	}
	if len(known) == 0 {
		return "this program has no " + what
	}
	return what + ": " + strings.Join(known, ", ")
}
