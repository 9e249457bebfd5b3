package anthropic_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/anthropic"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

// send sends a request and returns its headers, its body and the warnings.
func send(t *testing.T, opts anthropic.Options, req *core.Request) (http.Header, []byte, []string) {
	t.Helper()
	opts.Credentials = provider.Static(provider.APIKey("sk-x"))
	if opts.Model == "" {
		opts.Model = "claude-sonnet-4-6"
	}
	reply := wiretest.Reply{ContentType: "text/event-stream", Body: string(bytes.Join(stream(wiretest.Answer{StopWord: "end_turn"}), nil))}
	x := wiretest.Ask(t, func(o provider.Options) (core.Model, error) {
		opts.Options = o
		return anthropic.New(opts)
	}, opts.Options, req, reply)
	if x.Err != nil {
		t.Fatal(x.Err)
	}
	if err := check([]byte(x.Body)); err != nil {
		t.Errorf("the vendor would refuse this: %v\n%s", err, x.Body)
	}
	return x.Header, []byte(x.Body), x.Answer.Warnings
}

func says(text string) core.Message {
	return core.Message{Role: core.RoleModel, Author: "a", Parts: []core.Part{core.Text{Text: text}}}
}

func TestRequestGolden(t *testing.T) {
	req := &core.Request{System: "Be brief.", Messages: []core.Message{core.UserMessage("Hi")},
		Tools: []core.Spec{{Name: "find", Description: "Finds.", InputSchema: json.RawMessage(`{"type":"object", "z":2.50}`)}}}
	header, body, _ := send(t, anthropic.Options{}, req)
	const want = `{"model":"claude-sonnet-4-6","max_tokens":32000,"stream":true,` +
		`"tools":[{"name":"find","description":"Finds.","input_schema":{"type":"object", "z":2.50}}],` +
		`"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]}]}`
	if string(body) != want {
		t.Errorf("body\n got %s\nwant %s", body, want)
	}
	if header.Get("X-Api-Key") != "sk-x" || header.Get("Anthropic-Version") != "2023-06-01" || header.Get("Anthropic-Beta") != "" {
		t.Errorf("headers %v", header)
	}
}

// marked returns where the cached prefix ends, as the texts of the blocks.
func marked(t *testing.T, body []byte) (texts []string, how string) {
	r, err := parse(body)
	if err != nil {
		t.Fatal(err)
	}
	add := func(name string, mark json.RawMessage) {
		if mark != nil {
			texts, how = append(texts, name), string(mark)
		}
	}
	for _, tool := range r.Tools {
		add(tool.Name, tool.Cache)
	}
	for _, b := range r.System {
		add(b.Text, b.Cache)
	}
	for _, m := range r.Messages {
		for _, b := range m.Content {
			add(b.Text, b.Cache)
		}
	}
	return texts, how
}

func TestWhereTheCachedPrefixEnds(t *testing.T) {
	chat := []core.Message{core.UserMessage("1"), says("2"), core.UserMessage("3"), says("4"), core.UserMessage("5")}
	tools := []core.Spec{{Name: "a"}, {Name: "b"}}
	for _, c := range []struct {
		name  string
		cache anthropic.Cache
		req   core.Request
		want  []string
		how   string
	}{
		{"system and the newest two", "", core.Request{System: "s", Tools: tools, Messages: chat}, []string{"s", "3", "5"}, `{"type":"ephemeral"}`},
		{"tools when there is no system prompt", "", core.Request{Tools: tools, Messages: chat[:1]}, []string{"b", "1"}, `{"type":"ephemeral"}`},
		{"for an hour", anthropic.CacheHour, core.Request{System: "s", Messages: chat[:1]}, []string{"s", "1"}, `{"type":"ephemeral","ttl":"1h"}`},
		{"off", anthropic.CacheOff, core.Request{System: "s", Tools: tools, Messages: chat}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body, _ := send(t, anthropic.Options{Cache: c.cache}, &c.req)
			got, how := marked(t, body)
			if diff := cmp.Diff(c.want, got); diff != "" || how != c.how {
				t.Errorf("marks %s (-want +got):\n%s", how, diff)
			}
		})
	}
}

// What a turn sends begins with the bytes of the turn before, but for where the marks are.
func TestAHistoryThatGrowsKeepsItsBytes(t *testing.T) {
	chat := []core.Message{core.UserMessage("1"), says("2"), core.UserMessage("3"), says("4"), core.UserMessage("5")}
	unmarked := func(n int) string {
		_, body, _ := send(t, anthropic.Options{Cache: anthropic.CacheOff}, &core.Request{System: "s", Messages: chat[:n]})
		return strings.TrimSuffix(string(body), "]}")
	}
	if one, two := unmarked(3), unmarked(5); !strings.HasPrefix(two, one) {
		t.Errorf("\n%s\n%s", one, two)
	}
}

func TestSettingsByGeneration(t *testing.T) {
	half, two := 0.5, 2.0
	warm := core.Generate{Temperature: &half, Thinking: "medium"}
	for _, c := range []struct {
		name, model string
		generate    core.Generate
		want        string // of the body, between model and stream
		warnings    []string
	}{
		{"effort", "claude-opus-4-6", core.Generate{Thinking: "max"},
			`"max_tokens":32000,"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}`, nil},
		{"a budget", "claude-sonnet-4-5-20250929", core.Generate{Thinking: "high"},
			`"max_tokens":32000,"thinking":{"type":"enabled","budget_tokens":16000}`, nil},
		{"a budget below a low limit", "claude-3-7-sonnet-latest", core.Generate{Thinking: "low", MaxOutputTokens: 1500},
			`"max_tokens":1500,"thinking":{"type":"enabled","budget_tokens":1024}`, nil},
		{"blank stops", "claude-opus-4-6", core.Generate{Stop: []string{"\n", "END", ""}}, `"max_tokens":32000,"stop_sequences":["END"]`,
			[]string{`stop "\n" isn't sent: this vendor takes no blank ones`, `stop "" isn't sent: this vendor takes no blank ones`}},
		{"no room to think", "claude-opus-4-20250514", core.Generate{Thinking: "low", MaxOutputTokens: 1000},
			`"max_tokens":1000`, []string{`thinking "low": more than 1024 output tokens are needed to think`}},
		{"one that doesn't think", "claude-3-5-haiku-20241022", core.Generate{Thinking: "low"},
			`"max_tokens":8192`, []string{`thinking "low": the model claude-3-5-haiku-20241022 doesn't think`}},
		{"an old one", "claude-3-haiku-20240307", core.Generate{Temperature: &half}, `"max_tokens":4096,"temperature":0.5`, nil},
		{"off is off", "claude-opus-4-6", core.Generate{Thinking: "none", TopP: &half}, `"max_tokens":32000,"top_p":0.5`, nil},
		{"off has to be said", "claude-sonnet-5", core.Generate{Thinking: "off"}, `"max_tokens":32000,"thinking":{"type":"disabled"}`, nil},
		{"off is between tools", "claude-sonnet-5-5", core.Generate{Thinking: "none"}, `"max_tokens":32000,"thinking":{"type":"between_tools"}`, nil},
		{"thinking goes before sampling", "claude-opus-4-6", warm,
			`"max_tokens":32000,"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}`,
			[]string{"temperature isn't sent: the model claude-opus-4-6 doesn't take it when it thinks"}},
		{"sampling is gone", "claude-opus-4-7", core.Generate{Temperature: &half, TopP: &half}, `"max_tokens":32000`,
			[]string{"temperature isn't sent: models since 4.7, as claude-opus-4-7, take none", "top_p isn't sent: models since 4.7, as claude-opus-4-7, take none"}},
		{"a name of a gateway", "my-model", core.Generate{Temperature: &two},
			`"max_tokens":32000,"temperature":1`, []string{"temperature 2: this vendor takes at most 1, which is sent"}},
		{"one of both", "claude-sonnet-4-6", core.Generate{Temperature: &half, TopP: &half, Stop: []string{"X\n"}},
			`"max_tokens":32000,"temperature":0.5,"stop_sequences":["X\n"]`, []string{"top_p isn't sent: this vendor takes either temperature or top_p"}},
		{"a point in the name", "anthropic/claude-opus-4.8", core.Generate{Thinking: "xhigh"},
			`"max_tokens":32000,"thinking":{"type":"adaptive"},"output_config":{"effort":"xhigh"}`, nil},
		{"a new family", "claude-fable-5", core.Generate{Temperature: &half}, `"max_tokens":32000`,
			[]string{"temperature isn't sent: models since 4.7, as claude-fable-5, take none"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body, warnings := send(t, anthropic.Options{Options: provider.Options{Model: c.model}},
				&core.Request{Messages: []core.Message{core.UserMessage("Hi")}, Generate: c.generate})
			got, _, _ := strings.Cut(string(body), `,"stream":true`)
			_, got, _ = strings.Cut(got, `",`)
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if diff := cmp.Diff(c.warnings, warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// A model with a budget can't begin to think among calls that it, or another one, made without.
func TestThinkingAmongCalls(t *testing.T) {
	call := core.ToolCall{ID: "1", Name: "f", Args: "{}"}
	thought := core.Thinking{Text: "h", Signature: "s"}
	result := core.Message{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "1", Name: "f", Text: "r"}}}
	reply := func(parts ...core.Part) core.Message { return core.Message{Role: core.RoleModel, Parts: parts} }
	user := core.UserMessage("u")
	for _, c := range []struct {
		name, model string
		msgs        []core.Message
		thinks      bool
	}{
		{"thought out", "claude-sonnet-4-5", []core.Message{user, reply(thought, call), result}, true},
		{"not thought out", "claude-sonnet-4-5", []core.Message{user, reply(core.Text{Text: "x"}, call), result}, false},
		{"without a signature", "claude-sonnet-4-5", []core.Message{user, reply(core.Thinking{Text: "h"}, call), result}, false},
		{"of an earlier question", "claude-sonnet-4-5", []core.Message{user, reply(call), result, user}, true},
		{"answers without calls", "claude-sonnet-4-5", []core.Message{reply(core.Text{Text: "x"})}, true},
		{"a model with effort", "claude-sonnet-4-6", []core.Message{user, reply(call), result}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body, warnings := send(t, anthropic.Options{Options: provider.Options{Model: c.model}},
				&core.Request{Messages: c.msgs, Generate: core.Generate{Thinking: "low"}})
			if r, err := parse(body); err != nil || (len(r.Thinking) > 0) != c.thinks || (len(warnings) == 0) != c.thinks {
				t.Errorf("thinking %s, warnings %q, err %v", r.Thinking, warnings, err)
			}
		})
	}
}

func TestOutputSchemas(t *testing.T) {
	for _, c := range []struct{ name, schema, want, against string }{
		{"objects are closed", `{"type":"object","properties":{"z":{"type":"object","properties":{}},"a":{"type":"array","items":{"type":"object","properties":{"b":{}},"additionalProperties":false}}}}`,
			`{"type":"object","properties":{"z":{"type":"object","properties":{},"additionalProperties":false},"a":{"type":"array","items":{"type":"object","properties":{"b":{}},"additionalProperties":false}}},"additionalProperties":false}`, ""},
		{"bounds are left to the check", `{"type":"string","minLength":1,"pattern":"^a","enum":["a","b"],"format":"regex","description":"d"}`,
			`{"type":"string","enum":["a","b"],"description":"d"}`, ""},
		{"alternatives", `{"anyOf":[{"type":"null"},{"$ref":"#/$defs/x"}],"$defs":{"x":{"type":"number","minimum":2.50,"const":1e2}},"format":"uuid"}`,
			`{"anyOf":[{"type":"null"},{"$ref":"#/$defs/x"}],"$defs":{"x":{"type":"number","const":1e2}},"format":"uuid"}`, ""},
		{"a map", `{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`, "", "an object with members that aren't named"},
		{"any object", `{"type":["object","null"]}`, "", "an object whose members aren't named"},
		{"anything", `{"type":"object","properties":{"a":true}}`, "", "a schema that allows everything or nothing"},
		{"another keyword", `{"type":"array","prefixItems":[{}]}`, "", `the keyword "prefixItems"`},
		{"no schema", `{"type":7`, "", `byte 9: the text ends where "," or "}" is expected`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body, warnings := send(t, anthropic.Options{}, &core.Request{OutputSchema: json.RawMessage(c.schema)})
			r, err := parse(body)
			if err != nil || string(r.OutputConfig.Format.Schema) != c.want {
				t.Errorf("\n got %s, %v\nwant %s", r.OutputConfig.Format.Schema, err, c.want)
			}
			told := slices.ContainsFunc(r.System, func(b item) bool { return strings.HasSuffix(b.Text, c.schema) })
			warned := len(warnings) == 1 && strings.HasSuffix(warnings[0], "this vendor can't take "+c.against+" in it")
			if (c.against != "") != warned || told != warned {
				t.Errorf("told %v, warnings %q", told, warnings)
			}
		})
	}
	_, body, warnings := send(t, anthropic.Options{Options: provider.Options{Model: "claude-3-5-haiku-latest"}},
		&core.Request{System: "s", OutputSchema: json.RawMessage(`{"type":"string"}`)})
	if r, err := parse(body); err != nil || len(r.System) != 2 || r.OutputConfig.Format.Type != "" || len(warnings) != 1 {
		t.Errorf("an old model: %s, warnings %q", body, warnings)
	}
}

func TestWhatTheMessagesHaveToLookLike(t *testing.T) {
	call := core.Message{Role: core.RoleModel, Parts: []core.Part{core.Text{Text: " \n"}, core.ToolCall{ID: "1", Name: "f", Args: "[1"}}}
	result := core.Message{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "1", Name: "f"}}}
	shot := core.Message{Role: core.RoleUser, Parts: []core.Part{core.Image{MediaType: "image/bmp"}, core.Text{Text: "x"}}}
	for _, c := range []struct {
		name string
		msgs []core.Message
		want string
	}{
		{"nothing was said", nil, `[{"role":"user","content":[{"type":"text","text":"Go on."}]}]`},
		{"the model spoke first and last", []core.Message{says("a")}, `[{"role":"user","content":[{"type":"text","text":"Go on."}]},` +
			`{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"user","content":[{"type":"text","text":"Go on."}]}]`},
		{"blank text, arguments that are no object, and a result of nothing", []core.Message{core.UserMessage("u"), call, result},
			`[{"role":"user","content":[{"type":"text","text":"u"}]},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{"INVALID_JSON":"[1"}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1"}]}]`},
		{"a question behind results stands in one message with them", []core.Message{core.UserMessage("u"), call, result, core.UserMessage("more")},
			`[{"role":"user","content":[{"type":"text","text":"u"}]},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{"INVALID_JSON":"[1"}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1"},{"type":"text","text":"more"}]}]`},
		{"an image of another kind", []core.Message{shot}, `[{"role":"user","content":[{"type":"text","text":"x"}]}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body, _ := send(t, anthropic.Options{Cache: anthropic.CacheOff}, &core.Request{Messages: c.msgs})
			_, got, _ := strings.Cut(string(body), `"messages":`)
			if got = strings.TrimSuffix(got, "}"); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}
