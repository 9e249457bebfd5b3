package kubetest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-dev/plait/internal/kubetest"
)

func TestAssetsOfAFolderOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("KUBEBUILDER_ASSETS", dir)
	for _, program := range []string{"kube-apiserver", "etcd"} {
		if _, err := kubetest.Assets(); err == nil || !strings.Contains(err.Error(), program) || !strings.Contains(err.Error(), "make kube") {
			t.Errorf("without %s: %v, want an error that names it and the command", program, err)
		}
		if err := os.WriteFile(filepath.Join(dir, program), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := kubetest.Assets(); got != dir || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, dir)
	}
}
