// Package samples_test keeps the samples in step with the example that they show on a cluster.
package samples_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the files anew")

const example = "../../examples/support-triage"

func TestConfigMapsHoldTheExample(t *testing.T) {
	tests := []struct{ file, want string }{
		{"document.yaml", configMap(t, "support-triage", "agentsystem.yaml")},
		{"modelscript.yaml", configMap(t, "default-model", "model.yaml")},
		{"prompts.yaml", read(t, filepath.Join(example, "prompts.yaml"))},
	}
	for _, tt := range tests {
		if *update {
			if err := os.WriteFile(tt.file, []byte(tt.want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(tt.want, read(t, tt.file)); diff != "" {
			t.Errorf("%s isn't what -update writes (-want +got):\n%s", tt.file, diff)
		}
	}
}

// configMap is a ConfigMap with a file of the example as its only key.
func configMap(t *testing.T, name, key string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# A file of examples/support-triage, as it is applied to a cluster.\n")
	b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  " + key + ": |\n")
	for line := range strings.Lines(read(t, filepath.Join(example, key))) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
