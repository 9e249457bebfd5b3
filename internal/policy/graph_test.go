package policy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/internal/policy"
)

// The module in testdata/probe does what ours mustn't, so that these tests show what the go command really says.
const probe = "testdata/probe"

func TestProbeBreaksARule(t *testing.T) {
	graph, err := policy.LoadAll(t.Context(), probe, systems()...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, violation := range policy.Rules()[0].Check(graph) {
		chain, _, _ := strings.Cut(violation.String(), ":")
		got = append(got, chain)
	}
	if diff := cmp.Diff([]string{"./pkg/journal -> ./pkg/middle"}, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}

func TestProbeBreaksItOnOneSystemOnly(t *testing.T) {
	graph, err := policy.LoadAll(t.Context(), probe, "linux")
	if err != nil {
		t.Fatal(err)
	}
	if found := policy.Rules()[0].Check(graph); found != nil {
		t.Errorf("violations %v: the probe no longer shows that other systems' files are read", found)
	}
}

func TestProbeUsesCgo(t *testing.T) {
	const native = "github.com/plait-dev/plait/native"
	for setting, want := range map[string][]string{"1": {native}, "0": {}} {
		graph, err := policy.Load(t.Context(), probe, "CGO_ENABLED="+setting)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, graph.Cgo()); diff != "" {
			t.Errorf("CGO_ENABLED=%s: packages with cgo (-want +got):\n%s", setting, diff)
		}
	}
}

func TestLoadSaysWhatTheGoCommandSays(t *testing.T) {
	_, err := policy.Load(t.Context(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "directory prefix . does not contain main module") &&
		!strings.Contains(err.Error(), "go.mod file not found") {
		t.Errorf("error %v, want what go list says about a directory without a module", err)
	}
}

func TestHas(t *testing.T) {
	graph := makeGraph("github.com/plait-dev/plait/pkg/a", "example.com/b/v2/c", "fmt")
	for pattern, want := range map[policy.Pattern]bool{
		"./pkg/a": true, "./pkg/...": true, "./pkg": false, "./pkg/a/...": true, "./...": true, ".": false,
		"example.com/b/...": true, "example.com/b": false, "example.com/b/v2/c": true, "std": true, "fmt": true,
	} {
		if got := graph.Has(pattern); got != want {
			t.Errorf("Has(%s) = %t, want %t", pattern, got, want)
		}
	}
}
