package reference

import (
	"fmt"
	"slices"
	"strings"
)

// Outcome is what became of one damaged answer.
type Outcome string

// The outcomes.
const (
	Same   Outcome = "same"   // what is read in the answer as it was
	Other  Outcome = "other"  // something else, and no error
	Failed Outcome = "failed" // an error
)

// Damage is what became of answers that were damaged in one way.
type Damage struct {
	How string `json:"how"`

	// Outcomes are those of all places from the first to the last, such as "2944 other, 51 same".
	Outcomes string `json:"outcomes"`
}

// Tell writes outcomes.
func Tell(outcomes []Outcome) string {
	var runs []string
	for i := 0; i < len(outcomes); {
		n := 1
		for i+n < len(outcomes) && outcomes[i+n] == outcomes[i] {
			n++
		}
		runs = append(runs, fmt.Sprintf("%d %s", n, outcomes[i]))
		i += n
	}
	return strings.Join(runs, ", ")
}

// Has reports whether an outcome is among them.
func (d Damage) Has(o Outcome) bool {
	return slices.Contains(strings.Fields(strings.ReplaceAll(d.Outcomes, ",", "")), string(o))
}
