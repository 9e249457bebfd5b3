package policy_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/plait-dev/plait/internal/policy"
)

const (
	root = "../.."
	// maxFileLines is the hard stop; most files should stay below two thirds of it.
	maxFileLines = 600

	exprPackage     = "github.com/plait-dev/plait/pkg/declarative/expr"
	expressionMaker = "NewSource"
	expressionOwner = "pkg/declarative"
)

// systems are those that plait is built for.
func systems() []string { return []string{"linux", "darwin", "windows"} }

func TestImportRules(t *testing.T) {
	graph := loadRepository(t)
	for _, rule := range policy.Rules() {
		for _, violation := range rule.Check(graph) {
			t.Error(violation)
		}
	}
	for _, owner := range policy.Owners() {
		for _, violation := range owner.Check(graph) {
			t.Error(violation)
		}
	}
}

// A pattern that matches nothing forbids nothing.
func TestPatternsMatchSomething(t *testing.T) {
	graph := loadRepository(t)
	unmatched := policy.Unmatched()
	for _, pattern := range policy.AllPatterns() {
		switch found, expected := graph.Has(pattern), !slices.Contains(unmatched, pattern); {
		case !found && expected:
			t.Errorf("%s matches no package: misspelt, or to be listed in Unmatched", pattern)
		case found && !expected:
			t.Errorf("%s matches packages by now: take it out of Unmatched", pattern)
		}
	}
	for _, pattern := range unmatched {
		if !slices.Contains(policy.AllPatterns(), pattern) {
			t.Errorf("%s is in Unmatched and in no rule", pattern)
		}
	}
}

func TestNoCgoOutsideStandardLibrary(t *testing.T) {
	graph, err := policy.Load(t.Context(), root, "CGO_ENABLED=1")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range graph.Cgo() {
		t.Errorf("%s uses cgo: plait is built with CGO_ENABLED=0", path)
	}
}

func TestLicencesOfDependencies(t *testing.T) {
	modules := loadRepository(t).Modules()
	if len(modules) == 0 {
		t.Fatal("no dependencies found")
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		problems, err := policy.ModuleProblems(modules[path].Dir)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, problem := range problems {
			t.Errorf("%s %s: %s", path, modules[path].Version, problem)
		}
	}
}

func TestNothingRegistersItself(t *testing.T) {
	for _, file := range sources(t) {
		if file.Generated || file.Test {
			continue
		}
		for _, place := range file.InitFuncs() {
			t.Errorf("%s: func init: importing a package must change nothing; register with an instance", place)
		}
	}
}

// An expression that was put together from parts at run time would be code from outside the document.
func TestExpressionsComeFromTheLoader(t *testing.T) {
	declared := false
	for _, file := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(file.Path))
		declared = declared || policy.ModulePath+"/"+dir == exprPackage && file.Declares(expressionMaker)
		if file.Test || dir == expressionOwner {
			continue
		}
		for _, place := range file.Uses(exprPackage, expressionMaker) {
			t.Errorf("%s: only the loader, %s, makes expressions", place, expressionOwner)
		}
	}
	if !declared {
		t.Errorf("%s declares no %s: this test guards a name that is gone", exprPackage, expressionMaker)
	}
}

func TestFilesAreShort(t *testing.T) {
	for _, file := range sources(t) {
		if !file.Generated && file.Lines > maxFileLines {
			t.Errorf("%s has %d lines, more than %d: it holds more than one concept", file.Path, file.Lines, maxFileLines)
		}
	}
}

func loadRepository(t *testing.T) policy.Graph {
	t.Helper()
	graph, err := policy.LoadAll(t.Context(), root, systems()...)
	if err != nil {
		t.Fatal(err)
	}
	return graph
}

func sources(t *testing.T) []policy.File {
	t.Helper()
	files, err := policy.Sources(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go files found")
	}
	return files
}
