package harness

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/harnesstest"
)

func TestSettings_defaults(t *testing.T) {
	s, err := readSettings(func(name string) (string, bool) {
		vars := map[string]string{envConfigDigest: "x", envAuth: authNone}
		return vars[name], vars[name] != ""
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.configPath != "/etc/plait/config.json" || s.listenAddr != ":8080" || s.healthAddr != ":8081" || s.data != "/data" ||
		s.workspace != "/workspace" || s.drainDelay.String() != "5s" || s.maxRuns != 64 || s.maxBody != 4<<20 {
		t.Errorf("the defaults are %+v", s)
	}
}

func TestSettings_unknown_variables(t *testing.T) {
	got := unknownVariables([]string{"PLAIT_AUTH=none", "PLAIT_MAX_CONCURENT_RUNS=1", "PATH=/bin", "PLAIT_SECRET_MODEL_DEFAULT_API_KEY=x", "PLAIT_TERMINATION_LOG=x"})
	if diff := cmp.Diff([]string{"PLAIT_MAX_CONCURENT_RUNS"}, got); diff != "" {
		t.Error(diff)
	}
}

// Whoever builds an image of their own has the page alone.
func TestSettings_are_documented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(harnesstest.Repository(), "docs", "harness.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(PLAIT_[A-Z0-9_]+)`").FindAllStringSubmatch(string(text), -1)
	documented := map[string]bool{}
	for _, m := range named {
		documented[m[1]] = true
		if !slices.Contains(variables(), m[1]) {
			t.Errorf("the page names %s, which nothing reads", m[1])
		}
	}
	for _, name := range variables() {
		if !documented[name] {
			t.Errorf("the page doesn't name %s", name)
		}
	}
}
