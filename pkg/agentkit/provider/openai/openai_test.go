package openai_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai/oaitest"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

// named returns options with a profile and a model.
func named(t *testing.T, profile, model string) openai.Options {
	t.Helper()
	p, err := openai.ProfileNamed(profile)
	if err != nil {
		t.Fatal(err)
	}
	return openai.Options{Options: provider.Options{Model: model}, Profile: p}
}

// ask sends a request to a server that answers as it is told.
func ask(t *testing.T, opts openai.Options, req *core.Request, reply wiretest.Reply) wiretest.Exchange {
	t.Helper()
	return wiretest.Ask(t, func(o provider.Options) (core.Model, error) {
		opts.Options = o
		return openai.New(opts)
	}, opts.Options, req, reply)
}

// send sends a request and returns its body and the warnings.
func send(t *testing.T, opts openai.Options, req *core.Request) (body string, warnings []string) {
	t.Helper()
	x := ask(t, opts, req, oaitest.Stream(delta(`"content":"x"`), ended("stop"), done))
	if x.Err != nil {
		t.Fatal(x.Err)
	}
	if err := check([]byte(x.Body)); err != nil {
		t.Errorf("the vendor would refuse this: %v\n%s", err, x.Body)
	}
	return x.Body, x.Answer.Warnings
}

// receive returns what a profile makes of a stream.
func receive(t *testing.T, profile string, events ...string) (core.Answer, error) {
	t.Helper()
	x := ask(t, named(t, profile, "m"), oaitest.Hi(), oaitest.Stream(events...))
	return x.Answer, x.Err
}

// delta is an event with a piece of the message.
func delta(members string) string { return `{"choices":[{"index":0,"delta":{` + members + `}}]}` }

// ended is an event with the reason of the end.
func ended(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const done = "[DONE]"

func TestRequestGolden(t *testing.T) {
	req := &core.Request{System: "Be <brief>.", Messages: []core.Message{core.UserMessage("Hi")},
		Tools:        []core.Spec{{Name: "find", Description: "Finds.", InputSchema: json.RawMessage(`{"type":"object", "z":2.50}`)}},
		OutputSchema: json.RawMessage(`{"type":"object", "properties":{},"additionalProperties":false}`)}
	opts := named(t, "openai", "gpt-4.1")
	opts.CacheKey = "agent-1"
	opts.Credentials = provider.Static(provider.APIKey("sk-x"))
	x := ask(t, opts, req, oaitest.Stream(ended("stop"), done))
	const want = `{"model":"gpt-4.1","stream":true,"stream_options":{"include_usage":true},"store":false,"prompt_cache_key":"agent-1",` +
		`"response_format":{"type":"json_schema","json_schema":{"name":"output","strict":true,"schema":{"type":"object", "properties":{},"additionalProperties":false}}},` +
		`"tools":[{"type":"function","function":{"name":"find","description":"Finds.","parameters":{"type":"object", "z":2.50}}}],` +
		`"messages":[{"role":"system","content":"Be <brief>."},{"role":"user","content":"Hi"}]}`
	if x.Body != want || len(x.Answer.Warnings) > 0 || x.Err != nil {
		t.Errorf("body, warnings %q, err %v\n got %s\nwant %s", x.Answer.Warnings, x.Err, x.Body, want)
	}
	if x.URL != "/v1/chat/completions" || x.Header.Get("Authorization") != "Bearer sk-x" {
		t.Errorf("path %s, headers %v", x.URL, x.Header)
	}
	opts.Whole = true
	x = ask(t, opts, oaitest.Hi(), oaitest.Whole(`{"choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}]}`))
	if x.Err != nil || strings.Contains(x.Body, "stream") {
		t.Errorf("asked for in one piece: %s, %v", x.Body, x.Err)
	}
}

func TestEndpoints(t *testing.T) {
	for base, want := range map[string]string{
		"":                     "/v1/chat/completions",
		"/v1/":                 "/v1/chat/completions",
		"/api/paas/v4":         "/api/paas/v4/chat/completions",
		"/v1beta/openai/":      "/v1beta/openai/chat/completions",
		"/v1/chat/completions": "/v1/chat/completions",
		"/openai/v1?api=x":     "/openai/v1/chat/completions?api=x",
	} {
		opts := named(t, "openai-compatible", "m")
		opts.BaseURL = base
		if x := ask(t, opts, oaitest.Hi(), oaitest.Stream(ended("stop"), done)); x.URL != want || x.Err != nil {
			t.Errorf("base %q: %s (err %v), want %s", base, x.URL, x.Err, want)
		}
	}
}

func TestSomebodyHasToSpeak(t *testing.T) {
	silent := model(core.Thinking{Text: "a", Signature: "s"})
	body, _ := send(t, named(t, "openai", "m"), &core.Request{System: "s", Messages: []core.Message{silent}})
	if got := messages(t, body); got != `[{"role":"system","content":"s"},{"role":"user","content":"Go on."}]` {
		t.Error(got)
	}
}

// What a turn sends begins with the bytes of the turn before.
func TestAHistoryThatGrowsKeepsItsBytes(t *testing.T) {
	says := func(text string) core.Message {
		return core.Message{Role: core.RoleModel, Parts: []core.Part{core.Text{Text: text}}}
	}
	chat := []core.Message{core.UserMessage("1"), says("2"), core.UserMessage("3"), says("4"), core.UserMessage("5")}
	first := func(n int) string {
		body, _ := send(t, named(t, "openai", "m"), &core.Request{System: "s", Messages: chat[:n]})
		return strings.TrimSuffix(body, "]}")
	}
	if one, two := first(3), first(5); !strings.HasPrefix(two, one) {
		t.Errorf("\n%s\n%s", one, two)
	}
}

// messages returns what a request says.
func messages(t *testing.T, body string) string {
	t.Helper()
	return oaitest.Said(t, body, "messages")
}

func model(parts ...core.Part) core.Message {
	return core.Message{Role: core.RoleModel, Model: "m", Parts: parts}
}

func call(id, args string) core.ToolCall { return core.ToolCall{ID: id, Name: "look", Args: args} }

func result(r core.ToolResult) core.Message {
	r.Name = "look"
	return core.Message{Role: core.RoleTool, Parts: []core.Part{r}}
}

func TestResultsAndTheirImages(t *testing.T) {
	png := core.Image{MediaType: "image/png"}
	req := &core.Request{
		Image: func(context.Context, core.Image) ([]byte, error) { return []byte{1, 2, 3}, nil },
		Messages: []core.Message{
			core.UserMessage("Hi"),
			model(call("a", `{"z" : 1}`), call("b", `{"cut`), call("c", "")),
			result(core.ToolResult{ID: "a", Images: []core.Image{png}}),
			result(core.ToolResult{ID: "b", Text: "no such thing", Error: true}),
			result(core.ToolResult{ID: "c", Text: "two", Images: []core.Image{{MediaType: "image/tiff"}, png}}),
			model(core.Text{Text: "A "}, core.Text{Text: "cat."}, png),
			{Role: core.RoleUser, Parts: []core.Part{core.Text{Text: "And?"}, core.Text{Text: "Hm?"}}},
		},
	}
	body, warnings := send(t, named(t, "openai-compatible", "m"), req)
	const want = `[{"role":"user","content":"Hi"},` +
		`{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"a","type":"function","function":{"name":"look","arguments":"{\"z\" : 1}"}},` +
		`{"id":"b","type":"function","function":{"name":"look","arguments":"{\"INVALID_JSON\":\"{\\\"cut\"}"}},` +
		`{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"a","content":"The images follow."},` +
		`{"role":"tool","tool_call_id":"b","content":"Error: no such thing"},` +
		`{"role":"tool","tool_call_id":"c","content":"two"},` +
		`{"role":"user","content":[{"type":"text","text":"Images of the result of look:"},` +
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,AQID"}},` +
		`{"type":"text","text":"Images of the result of look:"},` +
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,AQID"}}]},` +
		`{"role":"assistant","content":"A cat."},` +
		`{"role":"user","content":[{"type":"text","text":"And?"},{"type":"text","text":"Hm?"}]}]`
	if got := messages(t, body); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if diff := cmp.Diff([]string{
		`an image of type "image/tiff" is left out: this vendor takes PNG, JPEG, GIF and WebP`,
		`an image in a message of the model is left out: this vendor takes none there`,
	}, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestOutputSchemas(t *testing.T) {
	for _, c := range []struct{ name, profile, schema, want, warning string }{
		{"strict", "openai", `{"type":"object","properties":{"z":{"type":"array","items":{"$ref":"#/$defs/x"}},"a":{"anyOf":[{"type":"null"},{"type":"string","pattern":"^a"}]}},"required":["a","z"],"additionalProperties":false,"$defs":{"x":{"type":"number","minimum":2.50}}}`, "strict", ""},
		{"an optional member", "openai", `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, "hint", `the optional member "a"`},
		{"an open object", "openrouter", `{"type":"object","properties":{"a":{"type":"object"}},"required":["a"],"additionalProperties":false}`, "hint",
			"an object with members that it doesn't name (additionalProperties: false is missing)"},
		{"a keyword", "moonshot", `{"type":"object","additionalProperties":false,"allOf":[{}]}`, "hint", `the keyword "allOf"`},
		{"another root", "openai", `{"type":"string"}`, "hint", "anything but an object at the root"},
		{"anything", "openai", `true`, "hint", "a schema that allows everything or nothing"},
		{"any schema can be enforced", "vllm", `{"oneOf":[{"type":"string"}]}`, "bound", ""},
		{"an object of any kind", "deepseek", `{"type":"object"}`, "object", "it is asked for in words: this vendor binds to none"},
		{"not even an object", "deepseek", `{"type":"string"}`, "words", "it is asked for in words: this vendor binds to none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := oaitest.Hi()
			req.System, req.OutputSchema = "s", json.RawMessage(c.schema)
			body, warnings := send(t, named(t, c.profile, "m"), req)
			said := strings.Contains(messages(t, body), oaitest.Quote("s\n\n"+provider.SchemaText(req.OutputSchema)))
			if got := howBound(t, body, c.schema); got != c.want || said != (c.want == "object" || c.want == "words") {
				t.Errorf("%s (said %v), want %s: %s", got, said, c.want, body)
			}
			if c.warning == "" && len(warnings) > 0 || c.warning != "" && (len(warnings) != 1 || !strings.Contains(warnings[0], c.warning)) {
				t.Errorf("warnings %q, want one with %q", warnings, c.warning)
			}
		})
	}
}

// howBound says how a request binds the answer to a schema.
func howBound(t *testing.T, body, schema string) string {
	t.Helper()
	r, err := parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	f := r.Format
	switch {
	case f.Type == "":
		return "words"
	case f.Type == "json_object":
		return "object"
	case string(f.Schema.Schema) != schema || f.Schema.Name == "":
		return "another schema"
	case f.Schema.Strict == nil:
		return "bound"
	case *f.Schema.Strict:
		return "strict"
	}
	return "hint"
}
