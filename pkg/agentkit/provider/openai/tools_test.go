package openai_test

import (
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai/oaitest"
)

func TestStrictTools(t *testing.T) {
	const fits = `{"type":"object","properties":{"z":{"type":"string"}},"required":["z"],"additionalProperties":false}`
	for _, c := range []struct{ profile, schema, warn string }{
		{"openai", fits, ""},
		{"openai", strings.Replace(fits, `["z"]`, `[]`, 1), `the arguments of the tool a aren't bound to its schema: this vendor can't take the optional member "z" in it`},
		{"deepseek", fits, "this vendor isn't known to be able to"},
	} {
		req := oaitest.Hi()
		req.Tools = []core.Spec{{Name: "a", Strict: true, InputSchema: []byte(c.schema)}, {Name: "b"}}
		body, warnings := send(t, named(t, c.profile, "m"), req)
		if got := strings.Count(body, `,"strict":true}`); (got == 1) != (c.warn == "") || got > 1 {
			t.Errorf("%s %s: %s", c.profile, c.schema, body)
		}
		if got := strings.Join(warnings, "\n"); !strings.Contains(got, c.warn) || (got == "") != (c.warn == "") {
			t.Errorf("%s %s: warnings %q", c.profile, c.schema, warnings)
		}
	}
}
