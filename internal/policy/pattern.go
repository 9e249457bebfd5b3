package policy

import "strings"

// ModulePath is the module that the rules are about.
const ModulePath = "github.com/plait-dev/plait"

// Pattern names packages as the go command does: an import path, or a path of ours that begins with "./", and with
// "/..." at the end all packages below it as well. "std" is the standard library.
type Pattern string

const standardLibrary Pattern = "std"

// path is the import path of the pattern, or of the tree that it names.
func (p Pattern) path() string {
	path := strings.TrimSuffix(string(p), "/...")
	if path == "." {
		return ModulePath
	}
	if below, ok := strings.CutPrefix(path, "./"); ok {
		return ModulePath + "/" + below
	}
	return path
}

func (p Pattern) matches(pkg *Package) bool {
	if p == standardLibrary {
		return pkg.Standard
	}
	if pkg.ImportPath == p.path() {
		return true
	}
	return strings.HasSuffix(string(p), "/...") && strings.HasPrefix(pkg.ImportPath, p.path()+"/")
}

// Patterns match what one of them matches.
type Patterns []Pattern

func (ps Patterns) match(pkg *Package) bool {
	for _, p := range ps {
		if p.matches(pkg) {
			return true
		}
	}
	return false
}

// short gives our own packages the form of a pattern.
func short(importPath string) string {
	if below, ok := strings.CutPrefix(importPath, ModulePath); ok {
		return "." + below
	}
	return importPath
}
