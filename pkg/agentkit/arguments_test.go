package agentkit_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// FuzzArguments gives the loop whatever a model may write as arguments. Either the tool gets these very bytes, and they
// are an object; or the model is told what is wrong with them, and the tool isn't run.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		``, ` `, `{}`, ` {"a": 1.50, "b":[1e2, "\u00e9"]} `, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"text":"cut of`, `{"a":`,
		`[1]`, `null`, `"x"`, `{"a":1}}`, `{'a':1}`, strings.Repeat(`{"a":`, 101), "{\"a\":\"\x00\"}", `{"x":{{user}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		raw = strings.ToValidUTF8(raw, "?") // a script is JSON
		if strings.Contains(raw, "{{") {
			t.Skip("a placeholder of the script")
		}
		look := says("look", "ok")
		model := script(t, faux.Turn{Calls: []faux.Call{rawCall("look", raw)}}, faux.Turn{Text: "done"})
		log := &flakyLog{}
		run(t, agentkit.Config{Model: model, Tools: []core.Tool{look}}, agentkit.RunInput{Input: "go", Log: log})
		if kept := core.CallsOf(log.Messages()[0])[0].Args; kept != raw {
			t.Errorf("committed %q, the model wrote %q", kept, raw)
		}
		result := results(model.last(t).Messages)[0]
		switch ran := look.runs(); {
		case len(ran) == 0 && !result.Error:
			t.Errorf("%q: not run, and not told", raw)
		case len(ran) == 0 && !strings.HasPrefix(result.Text, "not run: the arguments of look are not a JSON object: byte "):
			t.Errorf("%q: told %q", raw, result.Text)
		case len(ran) == 1:
			var object map[string]json.RawMessage
			got := string(ran[0].Args)
			if err := json.Unmarshal(ran[0].Args, &object); err != nil || got != raw && strings.TrimSpace(raw) != "" {
				t.Errorf("%q: the tool got %q (err %v)", raw, got, err)
			}
		}
	})
}

func TestTheKeyOfACallIsGivenToTheTool(t *testing.T) {
	look := newTool("look", func(_ context.Context, call core.Call) (core.Result, error) { return core.TextResult(call.Key), nil })
	turn := faux.Turn{Calls: []faux.Call{call("look", `{}`), call("look", `{}`)}}
	cfg := agentkit.Config{Model: script(t, turn, faux.Turn{Text: "ok"}), Tools: []core.Tool{look}}
	run(t, cfg, agentkit.RunInput{Input: "go", Key: func(id string) string { return "base/" + id }})
	keys := map[string]string{}
	for _, c := range look.runs() {
		keys[c.ID] = c.Key
	}
	if len(keys) != 2 || keys["c1"] != "base/c1" || keys["c2"] != "base/c2" {
		t.Errorf("keys %v", keys)
	}
}
