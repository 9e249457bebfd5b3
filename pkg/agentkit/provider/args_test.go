package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// What a model wrote as arguments can be sent again on wires that want an object, whatever it is: an object stays as it is,
// and other bytes are still to be read in it.
func FuzzObjectArgs(f *testing.F) {
	for _, seed := range []string{
		``, " \n", `{}`, ` {"a": 1.50} `, `{"a":1,"a":2}`, `{"text":"cut of`, `{"a":`, `[1]`, `null`, `"x"`, `{"a":1}}`, "{\"a\":\"\x00\"}",
		"\xff", `{"INVALID_JSON":"{"}`, strings.Repeat(`{"a":`, 101) + "1" + strings.Repeat("}", 101),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := provider.ObjectArgs(raw)
		members, err := jsonx.Members(got)
		if err != nil {
			t.Fatalf("%q became %s: %v", raw, got, err)
		}
		if _, err := jsonx.Members([]byte(raw)); err == nil {
			if string(got) != raw {
				t.Errorf("the object %q became %s", raw, got)
			}
			return
		}
		if strings.Trim(raw, " \t\r\n") == "" {
			if len(members) != 0 {
				t.Errorf("nothing became %s", got)
			}
			return
		}
		var text string
		if len(members) != 1 || json.Unmarshal(members[0].Value, &text) != nil || text != strings.ToValidUTF8(raw, "\ufffd") && !strings.Contains(text, "\ufffd") {
			t.Errorf("%q became %s", raw, got)
		}
	})
}
