package main_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/cmd/plait/internal/cli"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Each code about objects of a cluster has manifests in testdata/objects that give it, with the text, and right ones.
func TestEveryCodeOfObjectsHasAGoldenFile(t *testing.T) {
	t.Chdir("testdata/objects")
	for _, row := range diag.Table() {
		if row.Stage != diag.StageObjects {
			continue
		}
		file := string(row.Code)
		_, said := validate(t, file+".yaml")
		if *update {
			if err := os.WriteFile(file+".txt", []byte(said), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), said); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if !strings.Contains(said, row.Severity.String()+"["+file+"]: ") {
			t.Errorf("%s.yaml doesn't give %s", file, file)
		}
		if code, said := validate(t, file+".right.yaml"); code != 0 || said != "" {
			t.Errorf("%s.right.yaml: exit code %d\n%s", file, code, said)
		}
	}
}

// The samples are valid together.
func TestSamplesAreValid(t *testing.T) {
	if code, said := validate(t, "../../config/samples"); code != 0 || said != "" {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// validate runs plait validate, and returns its exit code and what it says on standard error.
func validate(t *testing.T, path string) (code int, said string) {
	t.Helper()
	var out, err bytes.Buffer
	code = cli.Main(t.Context(), []string{"validate", "--strict", path}, cli.Streams{In: &bytes.Buffer{}, Out: &out, Err: &err})
	return code, err.String()
}
