package google_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

// TestSignaturesStayOnTheirParts: what the vendor said goes back as it came, each signature on its own part.
func TestSignaturesStayOnTheirParts(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []string
		want  []core.Part
		sent  string // empty: the parts as they came
	}{
		{"thought, text and call", []string{`{"text":"hm","thought":true,"thoughtSignature":"a+/="}`, `{"text":"so","thoughtSignature":"b"}`,
			`{"functionCall":{"id":"x","name":"f","args":{}},"thoughtSignature":"c"}`},
			[]core.Part{core.Thinking{Text: "hm", Signature: "a+/="}, core.Text{Text: "so", Signature: "b"},
				core.ToolCall{ID: "x", Name: "f", Args: "{}", Signature: "c"}}, ""},
		{"the first of parallel calls has it", []string{`{"functionCall":{"id":"x","name":"f","args":{}},"thoughtSignature":"c"}`,
			`{"functionCall":{"id":"y","name":"f","args":{}}}`},
			[]core.Part{core.ToolCall{ID: "x", Name: "f", Args: "{}", Signature: "c"}, core.ToolCall{ID: "y", Name: "f", Args: "{}"}}, ""},
		{"it closes the text before it", []string{`{"text":"so"}`, `{"text":" it is"}`, `{"text":"","thoughtSignature":"b"}`, `{"text":"More."}`},
			[]core.Part{core.Text{Text: "so it is", Signature: "b"}, core.Text{Text: "More."}},
			`{"text":"so it is","thoughtSignature":"b"},{"text":"More."}`},
		{"it stands alone behind thoughts", []string{`{"text":"hm","thought":true,"thoughtSignature":"a"}`, `{"thoughtSignature":"b"}`},
			[]core.Part{core.Thinking{Text: "hm", Signature: "a"}, core.Text{Signature: "b"}},
			`{"text":"hm","thought":true,"thoughtSignature":"a"},{"text":"","thoughtSignature":"b"}`},
		{"text behind a call is a part of its own", []string{`{"text":"I look."}`, `{"functionCall":{"id":"x","name":"f","args":{}},"thoughtSignature":"c"}`,
			`{"text":"Done."}`},
			[]core.Part{core.Text{Text: "I look."}, core.ToolCall{ID: "x", Name: "f", Args: "{}", Signature: "c"}, core.Text{Text: "Done."}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			streamed, inOne := both(t, c.parts...)
			for how, x := range map[string]wiretest.Exchange{"streamed": streamed, "in one piece": inOne} {
				if diff := cmp.Diff(c.want, x.Answer.Parts); diff != "" || x.Err != nil {
					t.Fatalf("%s: err %v (-want +got):\n%s", how, x.Err, diff)
				}
			}
			want := c.sent
			for i := 0; i < len(c.parts) && c.sent == ""; i++ {
				want += "," + c.parts[i]
			}
			msgs := []core.Message{core.UserMessage("go"), model(streamed.Answer.Parts...)}
			for _, p := range core.CallsOf(msgs[1]) {
				msgs = append(msgs, result(p.ID))
			}
			x := ask(t, google.Options{}, talk(append(msgs, core.UserMessage("on"))...), says)
			wantWithin(t, contents(x), `{"role":"model","parts":[`+trimComma(want)+`]}`)
		})
	}
}

// TestSummariesOfThoughtsStayHere: without a signature they are for people only.
func TestSummariesOfThoughtsStayHere(t *testing.T) {
	x := ask(t, google.Options{}, talk(core.UserMessage("go"), model(core.Thinking{Text: "hm"}), model(core.Thinking{Text: "hm"}, call("a", "s")),
		result("a")), says)
	wantWithin(t, contents(x), `[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"id":"a"`)
}

// TestCallsOfAnotherModel: newer models refuse a call without a signature, so that the vendor's words stand for the one
// that another model's message can't have. Older ones take none.
func TestCallsOfAnotherModel(t *testing.T) {
	const mark = `"thoughtSignature":"skip_thought_signature_validator"`
	const bare = `{"functionCall":{"id":"a","name":"f","args":{"id":"a"}}}`
	const marked = `{"functionCall":{"id":"a","name":"f","args":{"id":"a"}},` + mark + `}`
	const second = `,{"functionCall":{"id":"b","name":"f","args":{"id":"b"}}}]`
	said := core.Text{Text: "t", Signature: "s"}
	for _, c := range []struct {
		name, model string
		parts       []core.Part
		want        string
	}{
		{"none has one", "gemini-3-pro", []core.Part{call("a", ""), call("b", "")}, "[" + marked + second},
		{"a name without a version", "gemini-flash-latest", []core.Part{call("a", ""), call("b", "")}, "[" + marked + second},
		{"an older model", "gemini-2.5-pro", []core.Part{call("a", ""), call("b", "")}, "[" + bare + second},
		{"a model of another name", "gemma-4", []core.Part{call("a", ""), call("b", "")}, "[" + bare + second},
		{"the text has one", "gemini-3-pro", []core.Part{said, call("a", ""), call("b", "")}, "," + bare + second},
	} {
		opts := google.Options{}
		opts.Model = c.model
		msgs := []core.Message{core.UserMessage("go"), model(c.parts...), result("a"), result("b")}
		x := ask(t, opts, talk(slices.Concat(msgs, msgs)...), says)
		if x.Err != nil {
			t.Errorf("%s: %v", c.name, x.Err)
		}
		wantWithin(t, contents(x), c.want)
	}
}
