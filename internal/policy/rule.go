package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Rule bounds what some packages of ours depend on. Exactly one of Only and Never is set.
type Rule struct {
	Of Patterns // the packages that are bound
	// But are exceptions among Of.
	But Patterns

	// Only lists everything that they may import, beside each other. It is followed through packages of ours and ends
	// at others: what an allowed library needs is its own matter.
	Only Patterns
	// Never lists what they may not depend on, directly or through anything.
	Never Patterns
	// Save are exceptions among Never.
	Save Patterns

	Why string
}

// Owner says that only some packages of ours import a library, so that its types stay behind their seam.
type Owner struct {
	Library Pattern
	By      Patterns
	Why     string
}

// Violation is one dependency that a rule forbids.
type Violation struct {
	// Chain leads from the bound package to the forbidden one, by import paths.
	Chain []string
	Why   string
}

func (v Violation) String() string {
	chain := make([]string, len(v.Chain))
	for i, path := range v.Chain {
		chain[i] = short(path)
	}
	return fmt.Sprintf("%s: %s", strings.Join(chain, " -> "), v.Why)
}

// Check gives, for each package that the rule binds, the shortest way to each thing that the rule forbids.
func (r Rule) Check(graph Graph) []Violation {
	var found []Violation
	for _, path := range graph.Paths() {
		if pkg := graph[path]; r.binds(pkg) {
			found = append(found, r.checkPackage(graph, pkg)...)
		}
	}
	return found
}

func (r Rule) binds(pkg *Package) bool {
	return r.Of.match(pkg) && !r.But.match(pkg)
}

func (r Rule) checkPackage(graph Graph, from *Package) []Violation {
	var found []Violation
	chains := [][]string{{from.ImportPath}}
	seen := map[string]bool{from.ImportPath: true}
	for len(chains) > 0 {
		chain := chains[0]
		chains = chains[1:]
		for _, path := range graph[chain[len(chain)-1]].Imports {
			pkg := graph[path]
			if seen[path] || pkg == nil { // nil: "C" and "unsafe" aren't packages
				continue
			}
			seen[path] = true
			next := slices.Concat(chain, []string{path})
			switch {
			case r.forbids(pkg):
				found = append(found, Violation{Chain: next, Why: r.Why})
			case r.follows(pkg):
				chains = append(chains, next)
			}
		}
	}
	return found
}

func (r Rule) forbids(pkg *Package) bool {
	if r.Only != nil {
		return !r.Only.match(pkg) && !r.binds(pkg)
	}
	return r.Never.match(pkg) && !r.Save.match(pkg)
}

func (r Rule) follows(pkg *Package) bool {
	return r.Only == nil || strings.HasPrefix(pkg.ImportPath, ModulePath)
}

// Check gives the imports of the library by others than its owners.
func (o Owner) Check(graph Graph) []Violation {
	var found []Violation
	for _, path := range graph.Paths() {
		pkg := graph[path]
		if !strings.HasPrefix(path, ModulePath) || o.By.match(pkg) {
			continue
		}
		for _, imported := range pkg.Imports {
			if target := graph[imported]; target != nil && o.Library.matches(target) {
				found = append(found, Violation{Chain: []string{path, imported}, Why: o.Why})
			}
		}
	}
	return found
}
