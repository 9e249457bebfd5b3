package adkparity_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/plait-dev/plait/test/adkparity"
)

// scenariosPage is the documentation of what is compared.
const scenariosPage = "SCENARIOS.md"

// names lists all scenarios that are compared.
func names() []string {
	all := []string{"TestConformance_one_name_for_two", "TestConformance_support_triage"}
	for _, s := range slices.Concat(scenarios(), agentScenarios(), teamScenarios()) {
		all = append(all, s.name)
	}
	for _, s := range branchScenarios() {
		all = append(all, s.name)
	}
	for _, s := range refusals() {
		all = append(all, s.name)
	}
	for _, p := range pairings() {
		all = append(all, p.name)
	}
	return all
}

// What the table names exists, each row says what or why, each section is there, and no scenario of ours stands outside
// of the table for nothing: it shows what ADK has no test for.
func TestCoverage_names_exist(t *testing.T) {
	known, sections, seen := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, name := range names() {
		if known[name] {
			t.Errorf("two scenarios are called %q", name)
		}
		known[name] = true
	}
	for _, d := range Differences() {
		known[d.ID] = true
	}
	for _, c := range Coverage() {
		sections[c.Section] = true
		if key := c.Section + c.Theirs; seen[key] {
			t.Errorf("%s stands twice in the table", key)
		} else {
			seen[key] = true
		}
		if len(c.By) == 0 && c.Why == "" {
			t.Errorf("%s %s: neither what shows it nor why nothing does", c.Section, c.Theirs)
		}
		for _, name := range c.By {
			if !known[name] {
				t.Errorf("%s %s: there is no scenario or difference %q", c.Section, c.Theirs, name)
			}
		}
	}
	for section := range strings.FieldsSeq("6.1 6.2 6.3 6.4 6.5 6.6 6.7 6.8 6.9 6.10 6.11 6.12 6.13 6.14") {
		if !sections[section] {
			t.Errorf("section %s has no row", section)
		}
	}
}

// Each scenario of ours is in the table, but for what ADK has no test for.
func TestCoverage_is_complete(t *testing.T) {
	beyond := regexp.MustCompile(`^(scheduler/(a panic|a loop|state)|caller/cancels what succeeds all the same|` +
		`branches/(one route of several|a loop on a branch|a nested workflow|a retry|items that are workflows)|documents/llm)$`)
	covered := map[string]bool{}
	for _, c := range Coverage() {
		for _, name := range c.By {
			covered[name] = true
		}
	}
	for _, name := range names() {
		if covered[name] == beyond.MatchString(name) {
			t.Errorf("%s: in the table %v, said to be beyond it %v", name, covered[name], !covered[name])
		}
	}
}

func TestCoverage_page(t *testing.T) { checkPage(t, scenariosPage, Scenarios()) }
