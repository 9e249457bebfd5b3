package compile_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// Whatever an object lacks, there is an answer: a revision, a refusal with a sentence, or something that is missing.
func TestObjectsWithHoles(t *testing.T) {
	for kind, hole := range map[string]func(w *world, cut func(any)){
		"AgentTemplate":   func(w *world, cut func(any)) { cut(w.template) },
		"Harness":         func(w *world, cut func(any)) { cut(w.harness) },
		"ModelConfig":     func(w *world, cut func(any)) { cut(w.models["haiku"]) },
		"RemoteMCPServer": func(w *world, cut func(any)) { cut(w.servers["crm"]) },
	} {
		holes := 0
		for _, prompt := range []bool{false, true} {
			for i, done := 0, false; !done; i++ {
				w := fullWorld(prompt)
				hole(w, func(object any) { done = !cutField(t, object, i) })
				if !done {
					holes++
					answers(t, fmt.Sprintf("%s without field %d", kind, i), w)
				}
			}
		}
		if holes < 4 {
			t.Errorf("%s: %d holes were cut", kind, holes)
		}
	}
}

// fullWorld is a rich one with yet more fields set.
func fullWorld(prompt bool) *world {
	w := richWorld()
	w.harness.Spec.BYO.Capabilities = &v1alpha1.Capabilities{Documents: true, ConfigVersions: []string{"v1"}}
	w.harness.Spec.NetworkPolicy = &v1alpha1.NetworkPolicy{Enabled: new(false)}
	w.models["haiku"].Spec.RateLimits = &v1alpha1.RateLimits{RequestsPerMinute: 1}
	w.models["haiku"].Spec.Catalog = &v1alpha1.CatalogOverrides{ContextWindow: new(int64(1))}
	if prompt {
		w.prompt("Be kind.")
	}
	return w
}

// cutField removes the field with a number from an object, and says whether there is one.
func cutField(t *testing.T, object any, number int) bool {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var fields any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	if !cut(fields, &number) {
		return false
	}
	if data, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	switch o := object.(type) {
	case *v1alpha1.AgentTemplate:
		*o = v1alpha1.AgentTemplate{}
	case *v1alpha1.Harness:
		*o = v1alpha1.Harness{}
	case *v1alpha1.ModelConfig:
		*o = v1alpha1.ModelConfig{}
	case *v1alpha1.RemoteMCPServer:
		*o = v1alpha1.RemoteMCPServer{}
	}
	if err := json.Unmarshal(data, object); err != nil {
		t.Fatal(err)
	}
	return true
}

func cut(value any, number *int) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if *number == 0 {
				delete(v, name)
				return true
			}
			*number--
			if cut(v[name], number) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if cut(item, number) {
				return true
			}
		}
	}
	return false
}

func answers(t *testing.T, what string, w *world) {
	t.Helper()
	in := w.inputs()
	if _, err := compile.Resolve(t.Context(), w, in); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	res := compile.Compile(in)
	if (res.Revision == nil) == (res.Refusal == nil) || res.Refusal != nil && (res.Refusal.Reason == "" || res.Refusal.Message == "") {
		t.Errorf("%s: result %+v", what, res)
	}
}

// Reconcilers compile side by side and share what they have read.
func TestCompileSideBySide(t *testing.T) {
	in := richWorld().resolve(t)
	want := compile.Compile(in).Revision.Hash
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := compile.Compile(in).Revision.Hash; got != want {
				t.Errorf("hash %s, want %s", got, want)
			}
		})
	}
	wg.Wait()
}
