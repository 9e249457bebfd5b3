package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// File is one Go file of the module.
type File struct {
	Path      string // from the module's root, with slashes
	Lines     int
	Generated bool
	Test      bool

	syntax *ast.File
	places *token.FileSet
}

// Sources reads all Go files below root: for every system, with every build tag, but none of another module and none
// of testdata.
func Sources(root string) ([]File, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	tree := dir.FS()
	var files []File
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return skipDir(tree, name)
		case path.Ext(name) != ".go":
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := ParseFile(name, source)
		files = append(files, file)
		return err
	})
	return files, err
}

// ParseFile reads one file; name is its path from the module's root.
func ParseFile(name string, source []byte) (File, error) {
	places := token.NewFileSet()
	syntax, err := parser.ParseFile(places, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return File{}, err
	}
	return File{
		Path:      name,
		Lines:     strings.Count(string(source), "\n"),
		Generated: ast.IsGenerated(syntax),
		Test:      strings.HasSuffix(name, "_test.go"),
		syntax:    syntax,
		places:    places,
	}, nil
}

func skipDir(tree fs.FS, dir string) error {
	if dir == "." {
		return nil
	}
	name := path.Base(dir)
	if name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(tree, path.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// InitFuncs gives the places of all init functions.
func (f File) InitFuncs() []string {
	var found []string
	for _, decl := range f.syntax.Decls {
		if isFunc(decl, "init") {
			found = append(found, f.at(decl))
		}
	}
	return found
}

// Declares reports whether the file declares the function name.
func (f File) Declares(name string) bool {
	return slices.ContainsFunc(f.syntax.Decls, func(decl ast.Decl) bool { return isFunc(decl, name) })
}

func isFunc(decl ast.Decl, name string) bool {
	fn, ok := decl.(*ast.FuncDecl)
	return ok && fn.Recv == nil && fn.Name.Name == name
}

// Uses gives the places where the file names a function of the package importPath. Elsewhere a dot import of the
// package counts as one; in the package itself every mention does but the declaration.
func (f File) Uses(importPath, function string) []string {
	if path.Join(ModulePath, path.Dir(f.Path)) == importPath {
		return f.mentions(function)
	}
	alias, dot := f.importName(importPath)
	if dot != nil {
		return []string{f.at(dot)}
	}
	var found []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok && alias != "" && selector.Sel.Name == function {
			if base, ok := selector.X.(*ast.Ident); ok && base.Name == alias {
				found = append(found, f.at(selector))
			}
		}
		return true
	})
	return found
}

func (f File) mentions(function string) []string {
	var found []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return !isFunc(n, function)
		case *ast.Ident:
			if n.Name == function {
				found = append(found, f.at(n))
			}
		}
		return true
	})
	return found
}

// importName gives the name under which the file knows a package, and the import if that is a dot.
func (f File) importName(importPath string) (alias string, dot ast.Node) {
	for _, spec := range f.syntax.Imports {
		if imported, err := strconv.Unquote(spec.Path.Value); err != nil || imported != importPath {
			continue
		}
		switch {
		case spec.Name == nil:
			return path.Base(importPath), nil
		case spec.Name.Name == ".":
			return "", spec
		default:
			return spec.Name.Name, nil
		}
	}
	return "", nil
}

func (f File) at(n ast.Node) string {
	position := f.places.Position(n.Pos())
	return fmt.Sprintf("%s:%d", f.Path, position.Line)
}
