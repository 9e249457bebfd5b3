package main_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file")

// build builds the demo.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "agentdemo")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

func TestTheDemoShowsTheSevenBehaviours(t *testing.T) {
	got, err := exec.CommandContext(t.Context(), build(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/demo.golden"
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// The agent SDK, three of its providers and the journal make a program of this module and the standard library.
func TestTheDemoNeedsNoOtherModule(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "version", "-m", build(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := 0
	for line := range strings.Lines(string(out)) {
		switch fields := strings.Fields(line); fields[0] {
		case "mod":
			modules++
		case "dep":
			t.Errorf("the program needs %s", fields[1])
		}
	}
	if modules != 1 {
		t.Errorf("%d modules in\n%s", modules, out)
	}
}
