package openai

import (
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func TestDeclaredToolsComeFromTheCache(t *testing.T) {
	w := &wire{model: "m"}
	wiretest.DeclaresFromCache(t, &w.tools, w.Encode)
}
