package oai_test

import (
	"encoding/json"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

func TestWhatTheNameOfAModelTells(t *testing.T) {
	type tells struct{ plain, samples, samplesOff, stops, toolsOrThought bool }
	nothing := tells{samples: true, samplesOff: true, stops: true}
	plain := tells{plain: true, samples: true, samplesOff: true, stops: true}
	always := tells{}
	for name, want := range map[string]tells{
		"": nothing, "my-model": nothing, "gpt-oss-120b": nothing, "gpt-": nothing, "gpt-1234567": nothing, "codex-mini-latest": nothing,
		"omni": nothing, "gpt-4.1.2": nothing,
		"gpt-3.5-turbo": plain, "gpt-4": plain, "gpt-4o-mini": plain, "GPT-4.1": plain, "gpt-4.5-preview": plain, "chatgpt-4o-latest": plain,
		"ft:gpt-4o-mini:org::id": plain, "openai/gpt-4.1": plain, "gpt-5-chat-latest": plain,
		"o1": always, "o3-pro": always, "openai/o4-mini": always, "gpt-5": {}, "gpt-5-mini-2025-08-07": {},
		"gpt-5.1": {samples: true, samplesOff: true}, "gpt-5.1-chat-latest": {samples: true, samplesOff: true},
		"gpt-5.4-2026-03-05": {samples: true, samplesOff: true, toolsOrThought: true},
		"gpt-5.6-sol":        {samplesOff: true, toolsOrThought: true},
		"gpt-6-astra":        {samplesOff: true},
		"gpt-6-sol":          {samplesOff: true, toolsOrThought: true},
		"gpt-6.1-sol":        {samplesOff: true},
	} {
		m := oai.ModelOf(name)
		got := tells{m.Plain(), m.Samples(""), m.Samples("none"), m.Stops(), m.ToolsOrThought()}
		if got != want {
			t.Errorf("%q: %+v, want %+v", name, got, want)
		}
		if m.Samples("high") != (m.Plain() || want == nothing) {
			t.Errorf("%q samples at high effort: %v", name, m.Samples("high"))
		}
	}
}

func TestTheVersionIsPartOfTheBaseURL(t *testing.T) {
	for _, c := range []struct{ base, vendor, want string }{
		{"http://localhost:8000", "", "v1/responses"},
		{"http://localhost:8000/", "", "v1/responses"},
		{"http://localhost:8000/v1", "", "responses"},
		{"https://api.deepseek.com", "https://api.deepseek.com", "responses"},
		{"https://api.deepseek.com/", "https://api.deepseek.com", "responses"},
		{"https://gateway.example/openai/v1?k=v", "https://api.openai.com/v1", "responses"},
		{"", "", "responses"},
		{":", "", "responses"},
	} {
		if got := oai.Path(c.base, c.vendor, "responses"); got != c.want {
			t.Errorf("%q: %s, want %s", c.base, got, c.want)
		}
	}
}

func TestTheProfileOfAVendor(t *testing.T) {
	all := []string{"https://api.openai.com/v1", "https://api.deepseek.com", "api.moonshot.cn", ""}
	for base, want := range map[string]string{
		"": all[0], "http://localhost:8000/v1": all[0], ":": all[0], "https://eu.api.openai.com/v1": all[0],
		"https://API.DeepSeek.com/v1": all[1], "https://api.deepseek.com:443": all[1], "https://api.moonshot.cn/v1": all[2],
	} {
		if got := oai.OfVendor(base, all, func(p string) []string { return []string{p} }); got != want {
			t.Errorf("%q: %s, want %s", base, got, want)
		}
	}
}

func TestWhatStandsAgainstAStrictSchema(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{},"additionalProperties":false}`:                                            "",
		`{"type":"object","additionalProperties":false,"definitions":{"x":{"type":"object"}}}`:                      "an object with members that it doesn't name (additionalProperties: false is missing)",
		`{"type":["object","null"],"additionalProperties":true}`:                                                    "an object with members that it doesn't name (additionalProperties: false is missing)",
		`{"required":["b"],"type":"object","additionalProperties":false,"properties":{"b":{},"a":{"items":{}}}}`:    `the optional member "a"`,
		`{"type":"object","additionalProperties":false,"properties":{"a":{"items":[{}]}},"required":["a"]}`:         "a schema that allows everything or nothing",
		`{"type":"object","additionalProperties":false,"properties":{"a":{"anyOf":[{"not":{}}]}},"required":["a"]}`: `the keyword "not"`,
		`{"type":"object","additionalProperties":false,"properties":{"a":{"format":"date"},"b":{"format":"uri"}}}`:  `the format "uri"`,
		`{"type":"object",`: "what isn't JSON",
		``:                  "what isn't JSON",
	} {
		if got := oai.AgainstStrict(json.RawMessage(schema)); got != want {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}
