package wiretest

import (
	"context"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// DeclaresFromCache checks that a wire serializes a tool with the first request that declares it, and that what later ones
// send is what its cache kept.
func DeclaresFromCache(
	t *testing.T, cache *provider.ToolCache, encode func(context.Context, *core.Request, *provider.Draft) error,
) {
	t.Helper()
	const kept = `{"name":"kept"}`
	tools := []core.Spec{{Name: "find", InputSchema: []byte(`{"type":"object"}`)}}
	cache.Get(&tools[0], func(j *jsonx.Writer, _ *core.Spec) string {
		j.Raw([]byte(kept))
		return ""
	})
	d := &provider.Draft{}
	if err := encode(t.Context(), &core.Request{Tools: tools}, d); err != nil {
		t.Fatal(err)
	}
	if body := string(d.Bytes()); !strings.Contains(body, kept) || strings.Contains(body, "find") {
		t.Errorf("the tools weren't taken from the cache: %s", body)
	}
}
