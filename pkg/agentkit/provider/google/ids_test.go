package google_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func named(id, args string) core.ToolCall { return core.ToolCall{ID: id, Name: "f", Args: args} }

func TestIDsOfCalls(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []string
		want  []core.Part
	}{
		{"the server's", []string{`{"functionCall":{"id":"x1","name":"f","args":{"a" :1.0}}}`, `{"functionCall":{"name":"f","id":"x2"}}`},
			[]core.Part{named("x1", `{"a" :1.0}`), named("x2", "{}")}},
		{"none", []string{`{"functionCall":{"name":"f","args":{}}}`, `{"text":"and"}`, `{"functionCall":{"id":"","name":"f","args":null}}`},
			[]core.Part{named("position_0", "{}"), core.Text{Text: "and"}, named("position_1", "{}")}},
		{"some", []string{`{"functionCall":{"name":"f"}}`, `{"functionCall":{"id":"x","name":"f"}}`, `{"functionCall":{"name":"f"}}`},
			[]core.Part{named("position_0", "{}"), named("x", "{}"), named("position_2", "{}")}},
		{"one twice", []string{`{"functionCall":{"id":"x","name":"f"}}`, `{"functionCall":{"id":"x","name":"f"}}`},
			[]core.Part{named("x", "{}"), named("position_1", "{}")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			streamed, inOne := both(t, c.parts...)
			for how, x := range map[string]wiretest.Exchange{"streamed": streamed, "in one piece": inOne} {
				if diff := cmp.Diff(c.want, x.Answer.Parts); diff != "" || x.Err != nil || x.Answer.Stop != core.StopToolUse {
					t.Errorf("%s: stop %s, err %v (-want +got):\n%s", how, x.Answer.Stop, x.Err, diff)
				}
			}
		})
	}
}

func TestResultsShareAContentInTheOrderOfTheirCalls(t *testing.T) {
	msgs := []core.Message{core.UserMessage("go"),
		model(call("a", "s"), call("position_1", ""), call("c", "")), result("a"), result("position_1"), result("c"),
		core.UserMessage("on")}
	const (
		with = `[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[` +
			`{"functionCall":{"id":"a","name":"f","args":{"id":"a"}},"thoughtSignature":"s"},` +
			`{"functionCall":{"name":"f","args":{"id":"position_1"}}},{"functionCall":{"id":"c","name":"f","args":{"id":"c"}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"of a"}}},` +
			`{"functionResponse":{"name":"f","response":{"output":"of position_1"}}},` +
			`{"functionResponse":{"id":"c","name":"f","response":{"output":"of c"}}}]},` +
			`{"role":"user","parts":[{"text":"on"}]}]`
		without = `[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[` +
			`{"functionCall":{"name":"f","args":{"id":"a"}},"thoughtSignature":"s"},` +
			`{"functionCall":{"name":"f","args":{"id":"position_1"}}},{"functionCall":{"name":"f","args":{"id":"c"}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"of a"}}},` +
			`{"functionResponse":{"name":"f","response":{"output":"of position_1"}}},` +
			`{"functionResponse":{"name":"f","response":{"output":"of c"}}}]},` +
			`{"role":"user","parts":[{"text":"on"}]}]`
	)
	for noIDs, want := range map[bool]string{false: with, true: without} {
		x := ask(t, google.Options{NoIDs: noIDs}, talk(msgs...), says)
		if diff := cmp.Diff(want, contents(x)); diff != "" || x.Err != nil {
			t.Errorf("without ids %v: err %v (-want +got):\n%s", noIDs, x.Err, diff)
		}
	}
}

func TestACallWithoutANameIsNoAnswer(t *testing.T) {
	x, _ := both(t, `{"functionCall":{"id":"x","args":{}}}`)
	wantClass(t, x.Err, core.ClassBadAnswer)
}
