package manifests

import (
	"errors"
	"fmt"
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
	set, err := collect(r.objects, l.Namespace)
	if err = errors.Join(append(r.errs, err)...); err != nil {
		return nil, err
	}
	return set, nil
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

// place is where an object begins.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

func (r *reading) wrongf(at place, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...)))
}

func (r *reading) file(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		r.errs = append(r.errs, err)
		return
	}
	if strings.EqualFold(filepath.Ext(path), ".json") {
		r.json(place{path, 1}, text)
		return
	}
	r.yaml(path, text)
}
