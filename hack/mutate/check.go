package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Folder is a folder with rows.tsv and the patches, and the module that they are about.
type Folder struct {
	Root  string // of the module
	Dir   string // that of rows.tsv, from Root
	Count int    // of rows
}

// Mutation is a live row with its mutated files.
type Mutation struct {
	Row

	Files map[string]string // by path from the root of the module
}

// Check reads the table and the patches of the live rows, and reports what can be seen without a compiler. It returns all
// rows, and the mutations that can be made.
func (f Folder) Check() (rows []Row, mutations []Mutation, problems []Problem, err error) {
	table, err := os.ReadFile(filepath.Join(f.Root, f.Dir, "rows.tsv"))
	if err != nil {
		return nil, nil, nil, err
	}
	rows, problems = ParseRows(string(table), f.Count)
	tests := testIndex{root: f.Root, known: map[string]map[string]bool{}}
	used := map[string]bool{}
	for _, row := range rows {
		if row.State != Live {
			continue
		}
		used[row.Patch] = true
		files, err := f.mutate(row)
		if err == nil {
			err = tests.check(row)
		}
		if err != nil {
			problems = append(problems, Problem{row.ID, err.Error()})
			continue
		}
		mutations = append(mutations, Mutation{row, files})
	}
	unused, err := f.unused(used)
	return rows, mutations, append(problems, unused...), err
}

// mutate applies the patch of a row.
func (f Folder) mutate(row Row) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(f.Root, f.Dir, "rows", row.Patch))
	if err != nil {
		return nil, fmt.Errorf("the patch can't be read: %w", err)
	}
	patch, err := ParsePatch(string(text))
	if err != nil {
		return nil, fmt.Errorf("the patch %s: %w", row.Patch, err)
	}
	files, err := patch.Apply(func(name string) (string, error) {
		if strings.HasSuffix(name, "_test.go") {
			return "", fmt.Errorf("%s is a test: a mutation changes what is tested", name)
		}
		text, err := os.ReadFile(filepath.Join(f.Root, filepath.FromSlash(name)))
		return string(text), err
	})
	if err != nil {
		return nil, fmt.Errorf("the patch %s doesn't apply: %w", row.Patch, err)
	}
	return files, nil
}

// unused reports patches that no live row names.
func (f Folder) unused(used map[string]bool) ([]Problem, error) {
	entries, err := os.ReadDir(filepath.Join(f.Root, f.Dir, "rows"))
	if err != nil {
		return nil, err
	}
	var problems []Problem
	for _, e := range entries {
		if !used[e.Name()] {
			problems = append(problems, Problem{Text: "the patch " + e.Name() + " belongs to no live row"})
		}
	}
	return problems, nil
}

// testIndex knows the tests of packages.
type testIndex struct {
	root  string
	known map[string]map[string]bool
}

// check reports a test of a row that isn't there.
func (x testIndex) check(row Row) error {
	if x.known[row.Package] == nil {
		names, err := testsIn(filepath.Join(x.root, filepath.FromSlash(row.Package)))
		if err != nil {
			return err
		}
		x.known[row.Package] = names
	}
	for _, name := range row.Tests {
		if !x.known[row.Package][name] {
			return fmt.Errorf("there is no test %s in %s", name, row.Package)
		}
	}
	return nil
}

// testsIn lists the functions of the test files of a folder that are tests or fuzz targets by their names.
func testsIn(dir string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, file := range files {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Recv == nil && (strings.HasPrefix(fn.Name.Name, "Test") || strings.HasPrefix(fn.Name.Name, "Fuzz")) {
				names[fn.Name.Name] = true
			}
		}
	}
	return names, nil
}
