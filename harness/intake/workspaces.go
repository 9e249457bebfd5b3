package intake

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/tools"
)

// fileTools are the harness tools of this release.
func fileTools() []string { return []string{"read_file", "write_file", "list_files", "edit_file"} }

// workspaces opens the workspace of each session once, until it is released: the tools of a workspace order their changes
// among themselves.
type workspaces struct {
	dir func(session string) string

	mu   sync.Mutex
	open map[string]*tools.Workspace
}

// tools returns the harness tools for a session.
func (w *workspaces) tools(session string) ([]core.Tool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if space, ok := w.open[session]; ok {
		return space.Tools(), nil
	}
	dir := w.dir(session)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	space, err := tools.OpenWorkspace(dir)
	if err != nil {
		return nil, err
	}
	if w.open == nil {
		w.open = map[string]*tools.Workspace{}
	}
	w.open[session] = space
	return space.Tools(), nil
}

// release closes the workspace of one session.
func (w *workspaces) release(session string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	space, ok := w.open[session]
	if !ok {
		return nil
	}
	delete(w.open, session)
	return space.Close()
}

func (w *workspaces) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for session, space := range w.open {
		errs = append(errs, space.Close())
		delete(w.open, session)
	}
	return errors.Join(errs...)
}
