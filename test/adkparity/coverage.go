package adkparity

import (
	"fmt"
	"slices"
	"strings"
)

// Covered says what became of a scenario that ADK's own tests pin.
type Covered struct {
	// Section is a number of the specification of ADK's behaviour that this package was made by.
	Section string
	// Theirs is the scenario.
	Theirs string
	// By are scenarios of ours with the same result on both engines, and numbers of differences.
	By []string
	// Why says why there is nothing to compare, or what isn't.
	Why string
}

// Coverage lists all of ADK's scenarios.
func Coverage() []Covered {
	return slices.Concat(coverScheduler(), coverGraphs(), coverValidation(), coverNodes(), coverComposites(), coverPeople(), coverRest())
}

// Why there is nothing to compare.
const (
	oneResult  = "an activation of ours returns one result"
	noContent  = "a node of ours has outputs and no content with a role"
	insides    = "is about the insides of ADK"
	noOption   = "there is no such option in ours"
	goTypes    = "is about Go types in ADK's API; ours has its own tests of function nodes"
	ownSession = "ADK hides messages of one session by scopes; an isolated agent of ours has a state of its own, too, with tests in pkg/workflow"
)

func cover(section, theirs string, by ...string) Covered {
	return Covered{Section: section, Theirs: theirs, By: by}
}

func uncovered(section, theirs, why string) Covered {
	return Covered{Section: section, Theirs: theirs, Why: why}
}

func (c Covered) but(why string) Covered {
	c.Why = why
	return c
}

// how says in a word what became of a scenario.
func (c Covered) how() string {
	declared := func(by string) bool { return !strings.Contains(by, "/") && !strings.HasPrefix(by, "Test") }
	switch {
	case len(c.By) == 0:
		return "not compared"
	case !slices.ContainsFunc(c.By, func(by string) bool { return !declared(by) }):
		return "declared"
	}
	return "compared"
}

// Scenarios is the documentation of the coverage.
func Scenarios() string {
	var b strings.Builder
	counts := map[string]int{}
	for _, c := range Coverage() {
		counts[c.how()]++
	}
	fmt.Fprintf(&b, "# ADK's scenarios\n\n<!-- Written by go test -update in test/adkparity. -->\n\n"+
		"What ADK's own tests pin, and what shows it here: scenarios, which give the same on both engines, or rows of\n"+
		"[what is different](../../docs/adk-differences.md). %d are compared, %d differ as declared, %d can't be compared.\n\n"+
		"| | scenario | | shown by |\n|---|---|---|---|\n", counts["compared"], counts["declared"], counts["not compared"])
	for _, c := range Coverage() {
		shown := strings.Join(c.By, ", ")
		if c.Why != "" {
			shown = strings.TrimPrefix(shown+"; "+c.Why, "; ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.Section, c.Theirs, c.how(), cell(shown))
	}
	return b.String()
}
