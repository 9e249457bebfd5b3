package ollama

import (
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// A schema is serialized with the first request that declares it. What later ones send is what the cache kept.
func TestDeclaredToolsComeFromTheCache(t *testing.T) {
	const kept = `{"name":"kept"}`
	tools := []core.Spec{{Name: "find", InputSchema: []byte(`{"type":"object"}`)}}
	w := &wire{model: "m"}
	w.tools.Get(&tools[0], func(j *jsonx.Writer, _ *core.Spec) { j.Raw([]byte(kept)) })
	d := &provider.Draft{}
	if err := w.Encode(t.Context(), &core.Request{Tools: tools}, d); err != nil {
		t.Fatal(err)
	}
	if body := string(d.Bytes()); !strings.Contains(body, kept) || strings.Contains(body, "find") {
		t.Errorf("the tools weren't taken from the cache: %s", body)
	}
}
