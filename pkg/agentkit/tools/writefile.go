package tools

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

type writeFile struct{ w *Workspace }

func (writeFile) Spec() core.Spec {
	return core.Spec{
		Name: "write_file",
		Description: "Writes a text file of the workspace: creates it, with the folders that it needs, or replaces all of " +
			"its content. To change parts of a file use edit_file.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"Path of the file, relative to the workspace."},` +
			`"content":{"type":"string","description":"The whole new content, at most 1 MiB."}},` +
			`"required":["path","content"],"additionalProperties":false}`),
		Guidelines: []string{"Paths are relative to the workspace."},
		Idempotent: true,
	}
}

func (t writeFile) Run(_ context.Context, call core.Call) (core.Result, error) {
	var name, content string
	if err := bind(call.Args, field{"path", &name, true}, field{"content", &content, true}); err != nil {
		return core.Result{}, err
	}
	file, err := local(name)
	if err != nil {
		return core.Result{}, err
	}
	t.w.changes.Lock()
	defer t.w.changes.Unlock()
	created, err := t.w.replace(name, file, content)
	if err != nil {
		return core.Result{}, err
	}
	did := "replaced"
	if created {
		did = "created"
	}
	return core.TextResult(fmt.Sprintf("%s %s (%d bytes)", did, name, len(content))), nil
}

// replace puts the content in place of the file in one step: whoever reads the file sees the old content or the new one.
// The caller holds changes.
func (w *Workspace) replace(name, file, content string) (created bool, err error) {
	if len(content) > MaxWrite {
		return false, fmt.Errorf("%q: the content has %d bytes, %d are allowed", name, len(content), MaxWrite)
	}
	mode, created, err := w.target(name, file)
	if err != nil {
		return false, err
	}
	if dir := filepath.Dir(file); dir != "." && created {
		if err := w.root.MkdirAll(dir, 0o755); err != nil {
			return false, explain(name, err)
		}
	}
	temp := file + "." + rand.Text()[:10] + ".tmp"
	if err := w.writeNew(temp, content, mode); err != nil {
		return false, errors.Join(explain(name, err), w.remove(temp))
	}
	if err := w.root.Rename(temp, file); err != nil {
		return false, errors.Join(explain(name, err), w.remove(temp))
	}
	return created, nil
}

// target looks at what is going to be replaced. A link is refused: it would be replaced by a file, and what it points to
// would stay as it is.
func (w *Workspace) target(name, file string) (mode fs.FileMode, created bool, err error) {
	info, err := w.root.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0o644, true, nil
	case err != nil:
		return 0, false, explain(name, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return 0, false, fmt.Errorf("%q is a link; write to the file that it points to", name)
	case info.IsDir():
		return 0, false, fmt.Errorf("%q is a folder", name)
	case !info.Mode().IsRegular():
		return 0, false, fmt.Errorf("%q is not a regular file", name)
	}
	return info.Mode().Perm(), false, nil
}

func (w *Workspace) writeNew(file, content string, mode fs.FileMode) error {
	f, err := w.root.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	return errors.Join(err, f.Close())
}

// remove deletes what a failed write left, if it left anything.
func (w *Workspace) remove(file string) error {
	if err := w.root.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the temporary file %q is left: %w", file, err)
	}
	return nil
}
