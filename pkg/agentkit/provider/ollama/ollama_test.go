package ollama_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/ollama"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

func TestAWholeRequest(t *testing.T) {
	half, seed := 0.5, int64(7)
	req := talk(
		core.Message{Role: core.RoleUser, Parts: []core.Part{core.Text{Text: "What is this?"}, core.Image{Digest: "1"}, core.Text{Text: "Look."}}},
		core.Message{Role: core.RoleModel, Parts: []core.Part{core.Thinking{Text: "Hm."}, core.Text{Text: "I "},
			core.ToolCall{ID: "call_a", Name: "f", Args: `{"b" : 2.50,"a":1}`}, core.ToolCall{ID: "position_1", Name: "g"}, core.Text{Text: "look."}}},
		core.Message{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "call_a", Name: "f", Text: "r", Images: []core.Image{{Digest: "1"}}}}},
		core.Message{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "position_1", Name: "g", Text: "no", Error: true}}},
	)
	req.System = "Be <terse>."
	req.Tools = []core.Spec{{Name: "f", Description: "Does.", InputSchema: json.RawMessage(`{"type": "object", "minimum":1.0}`)}, {Name: "g"}}
	req.Generate = core.Generate{Temperature: &half, TopP: &half, MaxOutputTokens: 9, Stop: []string{"END"}, Seed: &seed}
	req.Image = func(context.Context, core.Image) ([]byte, error) { return []byte{1}, nil }
	const want = `{"model":"qwen3:8b","stream":true,"truncate":false,"shift":false,` +
		`"options":{"num_ctx":8192,"num_predict":9,"temperature":0.5,"top_p":0.5,"seed":7,"stop":["END"]},` +
		`"tools":[{"type":"function","function":{"name":"f","description":"Does.","parameters":{"type": "object", "minimum":1.0}}},` +
		`{"type":"function","function":{"name":"g","description":"","parameters":{"type":"object","properties":{}}}}],` +
		`"messages":[{"role":"system","content":"Be <terse>."},{"role":"user","content":"What is this?\nLook.","images":["AQ=="]},` +
		`{"role":"assistant","content":"I look.","thinking":"Hm.","tool_calls":[` +
		`{"id":"call_a","function":{"name":"f","arguments":{"b" : 2.50,"a":1}}},{"id":"position_1","function":{"name":"g","arguments":{}}}]},` +
		`{"role":"tool","content":"r","tool_name":"f","tool_call_id":"call_a","images":["AQ=="]},` +
		`{"role":"tool","content":"no","tool_name":"g","tool_call_id":"position_1"}]}`
	x := ask(t, ollama.Options{ContextTokens: 8192}, req, says)
	if diff := cmp.Diff(want, x.Body); diff != "" || x.Err != nil || len(x.Answer.Warnings) > 0 {
		t.Errorf("err %v, warnings %q (-want +got):\n%s", x.Err, x.Answer.Warnings, diff)
	}
}

func TestABareRequestHoldsNothingMore(t *testing.T) {
	for inOne, want := range map[bool]string{
		false: `{"model":"qwen3:8b","stream":true,"truncate":false,"shift":false,"messages":[{"role":"user","content":"hello"}]}`,
		true:  `{"model":"qwen3:8b","stream":false,"truncate":false,"shift":false,"messages":[{"role":"user","content":"hello"}]}`,
	} {
		opts := ollama.Options{}
		opts.Whole = inOne
		opts.Credentials = provider.Static(provider.APIKey("k"))
		x := ask(t, opts, hello(), says)
		if x.Body != want || x.URL != "/api/chat" || x.Header.Get("Authorization") != "Bearer k" || x.Err != nil {
			t.Errorf("sent to %s with %q (err %v):\n%s, want\n%s", x.URL, x.Header.Get("Authorization"), x.Err, x.Body, want)
		}
	}
}

func TestOutputSchema(t *testing.T) {
	const bound = `"shift":false,"format":{"type": "object"},"messages":[{"role":"system","content":"Be terse."},{"role":"user"`
	const inWords = `"messages":[{"role":"system","content":"Be terse.\n\nAnswer with JSON of this schema, and with nothing else:\n{\"type\": \"object\"}"},` +
		`{"role":"user"`
	for _, c := range []struct {
		system string
		tools  []core.Spec
		want   string
	}{
		{"Be terse.", nil, bound},
		{"Be terse.", []core.Spec{{Name: "f"}}, inWords},
		{"", []core.Spec{{Name: "f"}}, strings.Replace(inWords, `Be terse.\n\n`, "", 1)},
	} {
		req := hello()
		req.System, req.OutputSchema, req.Tools = c.system, json.RawMessage(`{"type": "object"}`), c.tools
		x := ask(t, ollama.Options{}, req, says)
		warned := strings.Contains(strings.Join(x.Answer.Warnings, ""), "can't be bound while it has tools")
		if !strings.Contains(x.Body, c.want) || warned != (len(c.tools) > 0) || len(c.tools) > 0 && strings.Contains(x.Body, `"format"`) {
			t.Errorf("%q, %d tools: sent %s, want %s; warnings %q", c.system, len(c.tools), x.Body, c.want, x.Answer.Warnings)
		}
	}
}

func TestThereIsNoDefaultServer(t *testing.T) {
	if _, err := ollama.New(ollama.Options{Options: provider.Options{Model: "x"}}); err == nil || !strings.Contains(err.Error(), "base URL") {
		t.Errorf("err = %v", err)
	}
}

func TestWhoSpeaksLast(t *testing.T) {
	said := core.Message{Role: core.RoleModel, Parts: []core.Part{core.Text{Text: "a"}}}
	const goOn = `{"role":"user","content":"Go on."}]}`
	for _, c := range []struct {
		name string
		req  *core.Request
		want string
	}{
		{"nobody", talk(), `"messages":[` + goOn},
		{"the model", talk(core.UserMessage("u"), said), `{"role":"assistant","content":"a"},` + goOn},
		{"the user", talk(said, core.UserMessage("u")), `{"role":"assistant","content":"a"},{"role":"user","content":"u"}]}`},
	} {
		if x := ask(t, ollama.Options{}, c.req, says); !strings.HasSuffix(x.Body, c.want) || x.Err != nil {
			t.Errorf("%s: sent %s (err %v), want at its end %s", c.name, x.Body, x.Err, c.want)
		}
	}
}

func TestThinking(t *testing.T) {
	for _, c := range []struct{ model, level, want, warning string }{
		{"qwen3", "", "", ""},
		{"qwen3", "none", `,"think":false`, ""},
		{"qwen3", "off", `,"think":false`, ""},
		{"qwen3", "high", `,"think":true`, "not how much"},
		{"qwen3", "galactic", "", "one of none, minimal, low"},
		{"gpt-oss:20b", "low", `,"think":"low"`, ""},
		{"gpt-oss:20b", "high", `,"think":"high"`, ""},
		{"gpt-oss:20b", "max", `,"think":"high"`, "high is sent"},
		{"registry/me/GPT-OSS", "none", `,"think":"low"`, "low is sent"},
	} {
		opts := ollama.Options{}
		opts.Model = c.model
		req := hello()
		req.Generate.Thinking = c.level
		x := ask(t, opts, req, says)
		warnings := strings.Join(x.Answer.Warnings, "\n")
		if !strings.Contains(x.Body, `"shift":false`+c.want+`,"messages"`) || !strings.Contains(warnings, c.warning) ||
			(warnings == "") != (c.warning == "") {
			t.Errorf("%s, %q: sent %s, want %s; warnings %q", c.model, c.level, x.Body, c.want, warnings)
		}
	}
}

// TestReasoningIsHeardAgain: what a model thought goes back to it among the calls that it led to, as models in a loop of
// calls want it.
func TestReasoningIsHeardAgain(t *testing.T) {
	x := ask(t, ollama.Options{}, hello(), `{"message":{"thinking":"I have "},"done":false}`, `{"message":{"thinking":"to look."},"done":false}`,
		`{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]},"done":false}`, `{"done":true,"done_reason":"stop"}`)
	said := core.Message{Role: core.RoleModel, Model: "qwen3:8b", Parts: x.Answer.Parts}
	msgs := []core.Message{core.UserMessage("hello"), said,
		{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "a", Name: "f", Text: "r"}}}}
	const want = `{"role":"assistant","content":"","thinking":"I have to look.","tool_calls":[`
	x = ask(t, ollama.Options{}, talk(session.Repair(msgs, "qwen3:8b")...), says)
	if !strings.Contains(x.Body, want) || x.Err != nil {
		t.Errorf("sent %s (err %v), want in it %s", x.Body, x.Err, want)
	}
}

func TestWithheldReasoningIsReported(t *testing.T) {
	x := ask(t, ollama.Options{}, talk(core.Message{Role: core.RoleModel,
		Parts: []core.Part{core.Thinking{Signature: "s", Redacted: true}, core.Text{Text: "a"}}}), says)
	if strings.Contains(x.Body, "thinking") || !strings.Contains(strings.Join(x.Answer.Warnings, ""), "withheld reasoning is left out") {
		t.Errorf("sent %s, warnings %q", x.Body, x.Answer.Warnings)
	}
}
