package manifests

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Load reads the manifests of files and of folders, whose files *.yaml, *.yml and *.json count, but not those of folders
// in them. Everything that is wrong is in the error, each with file and line; then there is no Set.
//
// The objects are those of one namespace. See [Loader] for files with several.
func Load(paths ...string) (*Set, error) { return Loader{}.Load(paths...) }

// Loader reads manifests. The zero value takes the namespace that the files have, and refuses several.
type Loader struct {
	// Namespace is the one whose objects count. Objects that name none belong to it.
	Namespace string
}

// Load is [Load] with the settings of the loader.
func (l Loader) Load(paths ...string) (*Set, error) {
	r := &reading{}
	for _, path := range paths {
		files, err := filesOf(path)
		if err != nil {
			r.errs = append(r.errs, err)
		}
		for _, file := range files {
			r.file(file)
		}
	}
	return r.set(l.Namespace)
}

// LoadTexts is [Loader.Load] of files that were read already, by name. The error is one or more of [Problem], joined, or
// says that the files have several namespaces.
func (l Loader) LoadTexts(files map[string][]byte) (*Set, error) {
	r := &reading{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		r.text(name, files[name])
	}
	return r.set(l.Namespace)
}

// Problem is what is wrong with an object of a file.
type Problem struct {
	File string
	// Line is the one that the object begins at, from 1.
	Line int
	// Message begins with the kind and the name of the object if they are known.
	Message string
}

func (p *Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message) }

// Problems are those that an error of the package holds.
func Problems(err error) []*Problem {
	var several interface{ Unwrap() []error }
	if p, one := errors.AsType[*Problem](err); one && !errors.As(err, &several) {
		return []*Problem{p}
	}
	var all []*Problem
	if several != nil {
		for _, e := range several.Unwrap() {
			all = append(all, Problems(e)...)
		}
	}
	return all
}

// filesOf are the files that a path stands for.
func filesOf(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	var files []string
	for _, e := range entries {
		if !e.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name())) {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	return files, err
}

// reading collects the objects of files, and what is wrong with them.
type reading struct {
	objects []object
	errs    []error
}

// set makes a set of what was read, unless something is wrong.
func (r *reading) set(namespace string) (*Set, error) {
	set, err := collect(r.objects, namespace)
	if err = errors.Join(append(r.errs, err)...); err != nil {
		return nil, err
	}
	return set, nil
}

// place is where an object begins.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

func (p place) problem(format string, args ...any) error {
	return &Problem{p.file, p.line, fmt.Sprintf(format, args...)}
}

func (r *reading) wrongf(at place, format string, args ...any) {
	r.errs = append(r.errs, at.problem(format, args...))
}

func (r *reading) file(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		r.errs = append(r.errs, err)
		return
	}
	r.text(path, text)
}

func (r *reading) text(path string, text []byte) {
	if strings.EqualFold(filepath.Ext(path), ".json") {
		r.json(place{path, 1}, text)
		return
	}
	r.yaml(path, text)
}
