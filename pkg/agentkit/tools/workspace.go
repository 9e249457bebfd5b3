package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Sizes of what file tools take and give, in bytes. What is read is cut with a remark, what is written is refused.
const (
	MaxRead    = 256 << 10
	MaxWrite   = 1 << 20
	MaxEntries = 1000 // of a listing
)

// Workspace is the folder that file tools work in. It is safe for concurrent use: what changes a file is done one at a
// time, so that two edits of one file in the same batch both count. Two workspaces of the same folder don't know of each
// other.
type Workspace struct {
	root *os.Root
	// changes is held from reading a file until its new content is in place.
	changes sync.Mutex
}

// OpenWorkspace opens a folder, which has to exist. The caller closes it when no tool uses it any more.
func OpenWorkspace(dir string) (*Workspace, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	return &Workspace{root: root}, nil
}

// Close gives the folder back.
func (w *Workspace) Close() error { return w.root.Close() }

// Tools returns the file tools, always in the same order.
func (w *Workspace) Tools() []core.Tool {
	return []core.Tool{readFile{w}, writeFile{w}, listFiles{w}, editFile{w}}
}

// local checks a path of the model and returns it in the form of the operating system. The rule is told in the error;
// that links don't lead out is the root's business.
func local(name string) (string, error) {
	switch {
	case name == "":
		return "", errors.New("path is empty: give a path relative to the workspace")
	case strings.ContainsRune(name, 0):
		return "", fmt.Errorf("path %q holds a NUL byte", name)
	}
	clean := path.Clean(filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", outside(name)
	}
	return filepath.FromSlash(clean), nil
}

func outside(name string) error {
	return fmt.Errorf("path %q leads out of the workspace: give a path relative to its root; "+
		"absolute paths, .. above the root and links that lead outside are refused", name)
}

// explain turns an error of the file system into what a model can act on.
func explain(name string, err error) error {
	var pe *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file or folder %q", name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%q: the permission is missing", name)
	case strings.Contains(err.Error(), "path escapes from parent"): // os.Root has no error to compare with
		return outside(name)
	case errors.As(err, &pe):
		return fmt.Errorf("%q: %w", name, pe.Err)
	}
	return fmt.Errorf("%q: %w", name, err)
}
