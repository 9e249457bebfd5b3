//go:build unix

package tools_test

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeIsRefusedInsteadOfWaitedFor(t *testing.T) {
	w := newWorkspace(t, nil)
	if err := syscall.Mkfifo(filepath.Join(w.dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.fails("read_file", m{"path": "pipe"}, `"pipe" is not a regular file`)
	w.fails("write_file", m{"path": "pipe", "content": "x"}, `"pipe" is not a regular file`)
}
