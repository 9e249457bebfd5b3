package capture

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A reference that was edited, is missing, or is left over, is told.
func TestDiffer(t *testing.T) {
	write := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	kept := write(map[string]string{"a/same.json": "{}", "a/edited.json": "{1}", "a/left.json": "{}"})
	fresh := write(map[string]string{"a/same.json": "{}", "a/edited.json": "{2}", "b/missing.json": "{}"})
	got, err := differ(kept, fresh)
	slices.Sort(got)
	want := []string{"a/edited.json isn't what the SDK does, from byte 1 on", "a/left.json belongs to no scenario", "b/missing.json isn't there"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("err %v, got %q, want %q", err, got, want)
	}
	if _, err := differ(filepath.Join(kept, "none"), fresh); err == nil {
		t.Error("a directory that isn't there is compared")
	}
}
