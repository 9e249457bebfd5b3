package harness

import (
	"encoding/json"
	"maps"
	"runtime/debug"
	"slices"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
)

// capabilities are what documents can use of this program. A Harness object repeats them, so that a controller can check
// names before it makes a pod.
type capabilities struct {
	Documents      bool     `json:"documents"`
	Functions      []string `json:"functions"`
	Tools          []string `json:"tools"`
	Hooks          []string `json:"hooks"`
	ConfigVersions []string `json:"configVersions"`
}

// capabilities are those of this program, as JSON.
func (r *registry) capabilities() (string, error) {
	text, err := json.MarshalIndent(capabilities{
		Documents:      true,
		Functions:      slices.Sorted(slices.Values(append(names(r.functions), names(r.schedulers)...))),
		Tools:          names(r.tools),
		Hooks:          names(r.hooks),
		ConfigVersions: []string{adkconfigv1.Version},
	}, "", "  ")
	return string(text), err
}

func names[V any](m map[string]V) []string {
	return append([]string{}, slices.Sorted(maps.Keys(m))...)
}

// version is that of the module that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "harness (unknown)"
	}
	return "harness " + info.Main.Version + " " + info.GoVersion
}
