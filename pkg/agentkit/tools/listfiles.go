package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

type listFiles struct{ w *Workspace }

func (listFiles) Spec() core.Spec {
	return core.Spec{
		Name: "list_files",
		Description: "Lists files and folders of the workspace, one path a line, sorted; folders end with a slash. " +
			"Links are listed and not followed.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"Folder to list, relative to the workspace. Default: the workspace itself."},` +
			`"recursive":{"type":"boolean","description":"Whether folders below are listed, too. Default false."}},` +
			`"required":[],"additionalProperties":false}`),
		Guidelines: []string{"Paths are relative to the workspace."},
		ReadOnly:   true,
		Idempotent: true,
	}
}

func (t listFiles) Run(ctx context.Context, call core.Call) (core.Result, error) {
	name, recursive := ".", false
	if err := bind(call.Args, field{"path", &name, false}, field{"recursive", &recursive, false}); err != nil {
		return core.Result{}, err
	}
	dir, err := local(name)
	if err != nil {
		return core.Result{}, err
	}
	if info, err := t.w.root.Stat(dir); err != nil {
		return core.Result{}, explain(name, err)
	} else if !info.IsDir() {
		return core.Result{}, fmt.Errorf("%q is a file; read_file shows what is in it", name)
	}
	paths, more, err := t.walk(ctx, filepath.ToSlash(dir), recursive)
	switch {
	case err != nil:
		return core.Result{}, explain(name, err)
	case len(paths) == 0:
		return core.TextResult(name + " is empty"), nil
	}
	text := strings.Join(paths, "\n") + "\n"
	if more {
		text += fmt.Sprintf("[cut: there are more than %d; list a folder below]\n", MaxEntries)
	}
	return core.TextResult(text), nil
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// walk returns what is in a folder, in the order of names at each level.
func (t listFiles) walk(ctx context.Context, dir string, recursive bool) (paths []string, more bool, err error) {
	err = fs.WalkDir(t.w.root.FS(), dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == dir:
			return err
		case err != nil: // a folder that can't be read; it is listed already
			return fs.SkipDir
		case p == dir:
			return nil
		case len(paths) == MaxEntries:
			more = true
			return errEnough
		}
		if !d.IsDir() {
			paths = append(paths, oneLine(p))
			return nil
		}
		paths = append(paths, oneLine(p)+"/")
		if !recursive {
			return fs.SkipDir
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return paths, more, err
}

// oneLine quotes a name that would spoil the list.
func oneLine(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		return strconv.Quote(name)
	}
	return name
}
