package project

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// readFiles reads the document that the run file names, and reports what it names and can't be read, all of it.
func (p *Project) readFiles() diag.List {
	var found diag.List
	report := func(at source.Place, err error) {
		hint := ""
		switch {
		case err == nil:
			return
		case errors.Is(err, fs.ErrNotExist):
			hint = "paths are relative to the folder of the run file"
		}
		found = append(found, at.Diagnostic(diag.BadValue, fmt.Sprintf("%q: %s", at.Key(), fileProblem(err)), hint))
	}
	text, err := ReadFile(p.document)
	report(p.Settings.place.Field("document"), err)
	if err == nil {
		p.Texts[p.document] = text
	}
	for _, m := range p.Settings.Models {
		if m.Script != "" {
			_, err := readScript(resolve(p.dir, m.Script))
			report(m.place.Field("script"), err)
		}
	}
	_, err = openPrompts(resolve(p.dir, p.Settings.Prompts), "")
	report(p.Settings.place.Field("prompts"), err)
	found.Sort()
	return found
}

// fileProblem is what is wrong with a file, without the name of a system call.
func fileProblem(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Sprintf("%s: %v", path.Path, path.Err)
	}
	return err.Error()
}

// strangeServers reports servers of the run file that the document doesn't have.
func (p *Project) strangeServers(doc *declarative.Document) diag.List {
	var found diag.List
	names := make([]string, 0, len(doc.MCPServers))
	for _, s := range doc.MCPServers {
		names = append(names, s.Name)
	}
	for _, s := range p.Settings.Servers {
		if !slices.Contains(names, s.Name) {
			at := p.Settings.place.Field("mcpServers").Entry(s.Name)
			found = append(found, at.KeyDiagnostic(diag.UnknownRef, fmt.Sprintf("the document has no MCP server %q", s.Name),
				diag.DidYouMean(s.Name, names)))
		}
	}
	return found
}
