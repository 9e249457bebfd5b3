package project

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// Project is a document with its run file, read and not checked yet.
type Project struct {
	// RunFile is the path of the run file, and Settings what it says; a document alone has neither.
	RunFile  string
	Settings RunFile

	// Node is the way to the only node that runs, see [declarative.OneNode]; empty: the whole document does.
	Node string

	// Texts are the files that were read, by the names that findings call them.
	Texts map[string][]byte

	dir      string // paths of the run file are relative to it
	document string // the path of the document
}

// Open reads what a path names: a folder with a run file, a run file, or a document. With an error among the findings
// there is no project; what can't be read at all is an error.
func Open(path string) (*Project, diag.List, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		file := filepath.Join(path, FileName)
		if !exists(file) {
			return nil, nil, fmt.Errorf("the folder %s has no %s: name a document, a run file, or a folder with one", path, FileName)
		}
		path = file
	}
	data, err := ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	if !isRunFile(path, data) {
		return &Project{Texts: map[string][]byte{path: data}, dir: filepath.Dir(path), document: path}, nil, nil
	}
	p, found := open(path, data)
	if found.HasErrors() {
		return p, found, nil
	}
	return p, append(found, p.readFiles()...), nil
}

// OpenRunFile reads a run file and leaves the document that it names alone, for those who have the document already.
func OpenRunFile(path string) (*Project, diag.List, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	p, found := open(path, data)
	return p, found, nil
}

// Bare is the project of a document that has no run file.
func Bare() *Project { return &Project{} }

func open(path string, data []byte) (*Project, diag.List) {
	p := &Project{Texts: map[string][]byte{path: data}, RunFile: path, dir: filepath.Dir(path)}
	settings, found := parseRunFile(path, data)
	if !found.HasErrors() {
		p.Settings, p.document = *settings, resolve(p.dir, settings.Document)
	}
	return p, found
}

// ReadFile reads a file up to the size that a document may have and a byte more, so that whoever parses it can tell that it
// is too large.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, source.MaxBytes+1))
}

// load reads the document, with its prompts inlined. It is nil when its text can't be read as one.
func (p *Project) load() (*declarative.Document, []declarative.PromptUse, diag.List, error) {
	doc, found := declarative.Load(p.document, p.Texts[p.document])
	if doc == nil {
		return nil, nil, found, nil
	}
	lookup, err := openPrompts(resolve(p.dir, p.Settings.Prompts), p.noPrompts())
	if err != nil {
		return nil, nil, found, fmt.Errorf("prompts: %w", err)
	}
	uses, more := declarative.InlinePrompts(doc, lookup)
	return doc, uses, append(found, more...), nil
}

// StoreDir is the folder that the run file names for sessions, or "".
func (p *Project) StoreDir() string { return resolve(p.dir, p.Settings.Store) }

// WorkspaceDir is the folder that the run file names for files, or "".
func (p *Project) WorkspaceDir() string { return resolve(p.dir, p.Settings.Workspace) }

// LookupEnv reads a variable that the run file lists.
func (p *Project) LookupEnv(name string) (string, bool) {
	for _, v := range p.Settings.variables() {
		switch {
		case v.Name != name:
		case v.FromEnv != "":
			return os.LookupEnv(v.FromEnv)
		default:
			return v.Value, true
		}
	}
	return "", false
}

// variables are those of the run file, with those that it reads for its own models and servers under the name that it
// reads.
func (f *RunFile) variables() []EnvVar {
	vars := f.Env
	for _, m := range f.Models {
		if m.APIKeyEnv != "" {
			vars = append(vars, EnvVar{Name: m.APIKeyEnv, FromEnv: m.APIKeyEnv})
		}
	}
	for _, s := range f.Servers {
		for _, v := range s.Env {
			if v.FromEnv != "" {
				vars = append(vars, EnvVar{Name: v.FromEnv, FromEnv: v.FromEnv})
			}
		}
	}
	return vars
}
