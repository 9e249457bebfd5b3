package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Package is what a rule needs to know about one Go package.
type Package struct {
	ImportPath string   `json:"ImportPath"`
	Standard   bool     `json:"Standard"`
	Imports    []string `json:"Imports"`
	CgoFiles   []string `json:"CgoFiles"`
	Module     *Module  `json:"Module"`
}

// Module is the module that a package belongs to; packages of the standard library have none.
type Module struct {
	Path    string `json:"Path"`
	Version string `json:"Version"`
	Dir     string `json:"Dir"`
	Main    bool   `json:"Main"`
}

// Graph holds packages and all that they depend on, by import path.
type Graph map[string]*Package

// Load lists the packages of the module in dir with everything that they import, tests left out. The environment is
// that of the process with env added.
func Load(ctx context.Context, dir string, env ...string) (Graph, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Standard,Imports,CgoFiles,Module", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w\n%s", dir, err, stderr.String())
	}
	graph := Graph{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		pkg := &Package{}
		switch err := decoder.Decode(pkg); {
		case errors.Is(err, io.EOF):
			return graph, nil
		case err != nil:
			return nil, fmt.Errorf("output of go list: %w", err)
		}
		graph[pkg.ImportPath] = pkg
	}
}

// LoadAll is Load for each of the systems, as GOOS names them, in one graph: a file for one system imports, too.
func LoadAll(ctx context.Context, dir string, systems ...string) (Graph, error) {
	all := Graph{}
	for _, system := range systems {
		graph, err := Load(ctx, dir, "GOOS="+system, "CGO_ENABLED=0")
		if err != nil {
			return nil, err
		}
		for path, pkg := range graph {
			if known := all[path]; known != nil {
				pkg.Imports = append(pkg.Imports, known.Imports...)
			}
			slices.Sort(pkg.Imports)
			pkg.Imports = slices.Compact(pkg.Imports)
			all[path] = pkg
		}
	}
	return all, nil
}

// Paths gives the import paths in order.
func (g Graph) Paths() []string {
	return slices.Sorted(maps.Keys(g))
}

// Has reports whether the pattern matches a package of the graph.
func (g Graph) Has(p Pattern) bool {
	for _, pkg := range g {
		if p.matches(pkg) {
			return true
		}
	}
	return false
}

// Cgo gives the packages outside the standard library that contain C. Only a graph that was loaded with CGO_ENABLED=1
// knows.
func (g Graph) Cgo() []string {
	return slices.DeleteFunc(g.Paths(), func(path string) bool {
		return g[path].Standard || len(g[path].CgoFiles) == 0
	})
}
