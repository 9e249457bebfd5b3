package openai_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai/oaitest"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

func TestProfilesAreFoundByTheirKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range openai.Profiles() {
		got, err := openai.ProfileNamed(p.Name)
		if err != nil || seen[p.Name] || cmp.Diff(p, got) != "" {
			t.Errorf("%q: %+v, %v", p.Name, got, err)
		}
		seen[p.Name] = true
	}
	_, err := openai.ProfileNamed("nobody")
	if err == nil || !strings.Contains(err.Error(), `profile "nobody": one of openai, openrouter, deepseek,`) {
		t.Errorf("err = %v", err)
	}
	if _, err := openai.New(openai.Options{Options: provider.Options{Model: "m"}}); err != nil {
		t.Errorf("the zero profile: %v", err)
	}
	opts := named(t, "vllm", "m")
	if _, err := openai.New(opts); err == nil {
		t.Error("vLLM is nowhere in particular")
	}
	opts.BaseURL, opts.CacheKey = "https://x.example", "k"
	if _, err := openai.New(opts); err == nil || err.Error() != `cache key "k": the profile "vllm" has none` {
		t.Errorf("err = %v", err)
	}
}

// A configuration that names no profile gets the one of the vendor that it names.
func TestTheProfileComesFromTheHost(t *testing.T) {
	for base, want := range map[string]string{
		"http://api.deepseek.com":     `,"thinking":{"type":"enabled"},"reasoning_effort":"high","max_tokens":9,`,
		"http://openrouter.ai/api/v1": `,"reasoning":{"effort":"high"},"max_tokens":9,`,
		"http://api.moonshot.cn/v1":   `,"thinking":{"type":"enabled"},"max_completion_tokens":9,`,
		"http://gateway.example/v1":   `,"store":false,"reasoning_effort":"high","max_completion_tokens":9,`,
	} {
		req := oaitest.Hi()
		req.Generate = core.Generate{Thinking: "high", MaxOutputTokens: 9}
		body := oaitest.SentTo(t, func(o provider.Options) (core.Model, error) { return openai.New(openai.Options{Options: o}) },
			provider.Options{Model: "m", BaseURL: base}, req)
		if !strings.Contains(body, want) {
			t.Errorf("%s: %s, want %s", base, body, want)
		}
	}
}

func TestDeviationsByName(t *testing.T) {
	base := named(t, "openai-compatible", "m").Profile
	got, err := base.With(map[string]string{"limit": "max_completion_tokens", "stores": "true", "promptCacheKey": "true", "seed": "false",
		"cost": "true", "noStops": "true", "mostStops": "9", "noImages": "true", "thinkingFixesSampling": "true", "thinking": "both",
		"thinkingLevels": "low, high", "replay": "details", "demandsReasoning": "true", "schemas": "object"})
	want := openai.Profile{Name: "openai-compatible", Limit: "max_completion_tokens", Stores: true, CacheKey: true, Cost: true, NoStops: true,
		MostStops: 9, NoImages: true, ThinkingFixes: true, Think: openai.ThinkBoth, Levels: []string{"low", "high"},
		Replay: openai.ReplayDetails, Demanded: true, Bind: openai.BindObject}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("err %v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(named(t, "openai-compatible", "m").Profile, base); diff != "" {
		t.Errorf("the profile itself changed:\n%s", diff)
	}
	for key, c := range map[string]struct{ value, want string }{
		"galaxy":    {"x", `override "galaxy": one of limit, stores, `},
		"seed":      {"yes", `override seed: true or false is expected, not "yes"`},
		"mostStops": {"-1", `override mostStops: a number from 0 on is expected, not "-1"`},
		"replay":    {"all", `override replay: one of details, none, text is expected, not "all"`},
	} {
		if _, err := base.With(map[string]string{key: c.value}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("err = %v, want %s", err, c.want)
		}
	}
	opts := named(t, "openai-compatible", "m")
	if opts.Profile, err = base.With(map[string]string{"noStops": "true", "thinkingLevels": ""}); err != nil {
		t.Fatal(err)
	}
	req := oaitest.Hi()
	req.Generate = core.Generate{Stop: []string{"X"}, Thinking: "low"}
	body, warnings := send(t, opts, req)
	if diff := cmp.Diff([]string{`thinking "low": this vendor can't be asked for it; the model's default is used`,
		"stop: this vendor takes no stop sequences"}, warnings); diff != "" || settings(body) != "" {
		t.Errorf("%s, warnings (-want +got):\n%s", body, diff)
	}
}

// Each row is a quirk: what the settings become behind a profile.
func TestSettings(t *testing.T) {
	half, seed := 0.5, int64(7)
	warm := func(thinking string) core.Generate { return core.Generate{Temperature: &half, Thinking: thinking} }
	const isnt = " isn't sent: the model "
	for _, c := range []struct {
		name, profile, model string
		generate             core.Generate
		want                 string // of the body, between model and messages
		warnings             []string
	}{
		{"OpenAI's limit", "openai", "gpt-4.1", core.Generate{MaxOutputTokens: 9}, `"store":false,"max_completion_tokens":9`, nil},
		{"Moonshot's, too", "moonshot", "kimi-k3", core.Generate{MaxOutputTokens: 9}, `"max_completion_tokens":9`, nil},
		{"the limit of all others", "vllm", "m", core.Generate{MaxOutputTokens: 9}, `"max_tokens":9`, nil},
		{"effort", "openai", "o4-mini", core.Generate{Thinking: "high"}, `"store":false,"reasoning_effort":"high"`, nil},
		{"OpenRouter has an object", "openrouter", "m", core.Generate{Thinking: "off"}, `"reasoning":{"effort":"none"}`, nil},
		{"DeepSeek has a switch and an effort", "deepseek", "m", core.Generate{Thinking: "max"},
			`"thinking":{"type":"enabled"},"reasoning_effort":"max"`, nil},
		{"DeepSeek off", "deepseek", "m", warm("none"), `"thinking":{"type":"disabled"},"temperature":0.5`, nil},
		{"DeepSeek samples its own way when it thinks", "deepseek", "m", warm(""), ``,
			[]string{"temperature" + isnt + "m doesn't take it when it thinks"}},
		{"Kimi has a switch", "moonshot", "kimi-k2.6", core.Generate{Thinking: "high"}, `"thinking":{"type":"enabled"}`,
			[]string{`thinking "high": the model kimi-k2.6 thinks or doesn't, without levels; it does`}},
		{"Kimi off", "moonshot", "kimi-k2.6", core.Generate{Thinking: "none"}, `"thinking":{"type":"disabled"}`, nil},
		{"Kimi K3 has an effort", "moonshot", "kimi-k3", core.Generate{Thinking: "low"}, `"reasoning_effort":"low"`, nil},
		{"Kimi's sampling is fixed", "moonshot", "kimi-k2.6", core.Generate{TopP: &half}, ``,
			[]string{"top_p" + isnt + "kimi-k2.6 doesn't take it"}},
		{"an older one of Moonshot samples", "moonshot", "moonshot-v1-8k", warm(""), `"temperature":0.5`, nil},
		{"vLLM has three levels", "vllm", "m", core.Generate{Thinking: "none"}, ``,
			[]string{`thinking "none": one of low, medium, high is expected; the model's default is used`}},
		{"who doesn't think isn't asked", "openai", "gpt-4o", core.Generate{Thinking: "high"}, `"store":false`,
			[]string{`thinking "high": the model gpt-4o doesn't think`}},
		{"nor told not to", "openai", "openai/gpt-4o", warm("off"), `"store":false,"temperature":0.5`, nil},
		{"who thinks doesn't sample", "openai", "gpt-5-mini", core.Generate{Temperature: &half, TopP: &half}, `"store":false`,
			[]string{"temperature" + isnt + "gpt-5-mini doesn't take it when it thinks", "top_p" + isnt + "gpt-5-mini doesn't take it when it thinks"}},
		{"unless it is off by itself", "openai", "gpt-5.2", warm(""), `"store":false,"temperature":0.5`, nil},
		{"or switched off", "openai", "gpt-5.6-sol", warm("none"), `"store":false,"reasoning_effort":"none","temperature":0.5`, nil},
		{"and not switched on", "openai", "gpt-5.2", warm("low"), `"store":false,"reasoning_effort":"low"`,
			[]string{"temperature" + isnt + "gpt-5.2 doesn't take it when it thinks"}},
		{"the chat model of version 5", "openai", "gpt-5-chat-latest", warm(""), `"store":false,"temperature":0.5`, nil},
		{"nor does it stop", "openai", "o3", core.Generate{Stop: []string{"X"}}, `"store":false`,
			[]string{"stop: the model o3 takes no stop sequences"}},
		{"four sequences", "openai", "chatgpt-4o-latest", core.Generate{Stop: []string{"1", "2", "3", "4", "5"}},
			`"store":false,"stop":["1","2","3","4"]`, []string{"stop: this vendor takes at most 4 sequences; those behind are left out"}},
		{"five", "moonshot", "m", core.Generate{Stop: []string{"1", "2", "3", "4", "5"}}, `"stop":["1","2","3","4","5"]`, nil},
		{"a seed", "openrouter", "m", core.Generate{Seed: &seed}, `"seed":7`, nil},
		{"none", "deepseek", "m", core.Generate{Seed: &seed}, ``, []string{"seed: this vendor takes none, so answers differ from run to run"}},
		{"a name of a gateway takes everything", "openai", "my-model", core.Generate{Temperature: &half, Stop: []string{"X"}, Thinking: "xhigh"},
			`"store":false,"reasoning_effort":"xhigh","temperature":0.5,"stop":["X"]`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := oaitest.Hi()
			req.Generate = c.generate
			body, warnings := send(t, named(t, c.profile, c.model), req)
			if got := settings(body); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if diff := cmp.Diff(c.warnings, warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// settings returns what stands between the asking for a stream and the tools or messages.
func settings(body string) string {
	_, got, _ := strings.Cut(body, `"stream_options":{"include_usage":true},`)
	got, _, _ = strings.Cut(got, `"messages":`)
	got, _, _ = strings.Cut(got, `"tools":`)
	return strings.TrimSuffix(got, ",")
}

// OpenAI refuses tools beside reasoning here, also beside the one that is a model's default.
func TestToolsBesideThinking(t *testing.T) {
	for _, c := range []struct {
		model, thinking, want string
		warned                bool
	}{
		{"gpt-5.4", "high", `"store":false,"reasoning_effort":"none"`, true},
		{"gpt-5.6-luna", "", `"store":false,"reasoning_effort":"none"`, true},
		{"gpt-5.6-luna", "off", `"store":false,"reasoning_effort":"none"`, false},
		{"gpt-5.2", "high", `"store":false,"reasoning_effort":"high"`, false},
		{"gpt-6-astra", "high", `"store":false,"reasoning_effort":"high"`, false},
	} {
		req := oaitest.Hi()
		req.Tools, req.Generate.Thinking = []core.Spec{{Name: "a"}}, c.thinking
		body, warnings := send(t, named(t, "openai", c.model), req)
		if got := settings(body); got != c.want || (len(warnings) > 0) != c.warned {
			t.Errorf("%s, thinking %q: %s, warnings %q", c.model, c.thinking, got, warnings)
		}
	}
	body, _ := send(t, named(t, "openai-compatible", "gpt-5.6"), &core.Request{Tools: []core.Spec{{Name: "a"}}, Messages: oaitest.Hi().Messages})
	if strings.Contains(body, "reasoning_effort") {
		t.Errorf("another vendor's: %s", body)
	}
}

// What a model thought comes in an answer, is kept in the session, and goes back.
func TestReasoningGoesBack(t *testing.T) {
	thought := func(member string) []string {
		return []string{delta(`"content":"","` + member + `":"a "`), delta(`"` + member + `":"b"`), delta(`"content":"x"`)}
	}
	calls := delta(`"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]`)
	anthropic := []string{
		delta(`"reasoning":"a ","reasoning_details":[{"type":"reasoning.text","text":"a ","format":"anthropic-claude-v1","index":0}]`),
		delta(`"reasoning":"b","reasoning_details":[{"type":"reasoning.text","text":"b","format":"anthropic-claude-v1","index":0}]`),
		delta(`"reasoning_details":[{"type":"reasoning.text","signature":"c2ln","format":"anthropic-claude-v1","index":0}]`),
		delta(`"content":"x"`),
		delta(`"reasoning_details":[{"type":"reasoning.encrypted","data":"ZGF0YQ==","id":"c","index":1},{"type":"reasoning.encrypted","data":"2","index":null}]`),
		delta(`"reasoning_details":[{"type":"reasoning.encrypted","data":"3","index":null}]`),
	}
	for _, c := range []struct {
		name, profile string
		events        []string
		want          string // behind the content
	}{
		{"DeepSeek", "deepseek", thought("reasoning_content"), `,"reasoning_content":"a b"`},
		{"DeepSeek demands it where there is none", "deepseek", []string{delta(`"content":"x"`)}, `,"reasoning_content":""`},
		{"Moonshot", "moonshot", thought("reasoning_content"), `,"reasoning_content":"a b"`},
		{"Moonshot takes an empty one for none", "moonshot", []string{delta(`"content":"x"`)}, `,"reasoning_content":" "`},
		{"vLLM of today", "vllm", thought("reasoning"), `,"reasoning":"a b"`},
		{"vLLM of yesterday", "vllm", thought("reasoning_content"), `,"reasoning_content":"a b"`},
		{"vLLM demands nothing", "vllm", []string{delta(`"content":"x"`)}, ``},
		{"OpenRouter in whole blocks", "openrouter", anthropic, `,"reasoning_details":[` +
			`{"type":"reasoning.text","text":"a b","format":"anthropic-claude-v1","index":0,"signature":"c2ln"},` +
			`{"type":"reasoning.encrypted","data":"ZGF0YQ==","id":"c","index":1},` +
			`{"type":"reasoning.encrypted","data":"2","index":null},{"type":"reasoning.encrypted","data":"3","index":null}]`},
		{"who is unknown doesn't get it", "openai-compatible", thought("reasoning_content"), ``},
		{"OpenAI has none", "openai", thought("reasoning_content"), ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := receive(t, c.profile, append(c.events, calls, ended("tool_calls"), done)...)
			if err != nil {
				t.Fatal(err)
			}
			said := session.Repair([]core.Message{core.UserMessage("Hi"), {Role: core.RoleModel, Model: "m", Parts: a.Parts}}, "m")
			body, warnings := send(t, named(t, c.profile, "m"), &core.Request{Messages: said})
			_, got, _ := strings.Cut(messages(t, body), `"content":"x"`)
			got, _, _ = strings.Cut(got, `,"tool_calls"`)
			if got != c.want || len(warnings) > 0 {
				t.Errorf("warnings %q\n got %s\nwant %s", warnings, got, c.want)
			}
		})
	}
}

// Reasoning that a limit cut off is signed like any other, but never goes back: nothing was said.
func TestReasoningAlone(t *testing.T) {
	a, err := receive(t, "deepseek", delta(`"reasoning_content":"a"`), ended("length"), done)
	want := []core.Part{core.Thinking{Text: "a", Signature: "reasoning_content"}}
	if diff := cmp.Diff(want, a.Parts); diff != "" || err != nil || a.Stop != core.StopMaxTokens {
		t.Errorf("stop %q, err %v (-want +got):\n%s", a.Stop, err, diff)
	}
	body, warnings := send(t, named(t, "deepseek", "m"), &core.Request{Messages: []core.Message{core.UserMessage("Hi"), model(a.Parts...), core.UserMessage("Hm?")}})
	if got := messages(t, body); got != `[{"role":"user","content":"Hi"},{"role":"user","content":"Hm?"}]` || len(warnings) > 0 {
		t.Errorf("warnings %q, %s", warnings, got)
	}
}

func TestReasoningOfAnotherKind(t *testing.T) {
	for profile, t1 := range map[string]core.Thinking{
		"openai":     {Text: "a", Signature: "reasoning_content"},
		"deepseek":   {Signature: "c2ln", Redacted: true},
		"openrouter": {Text: "a", Signature: `[{"type"`},
	} {
		said := []core.Message{core.UserMessage("Hi"), model(t1, core.Text{Text: "x"}), core.UserMessage("Hi")}
		body, warnings := send(t, named(t, profile, "m"), &core.Request{Messages: said})
		if len(warnings) != 1 || strings.Contains(body, `"reasoning`) {
			t.Errorf("%s: warnings %q, %s", profile, warnings, body)
		}
	}
}

// Text that comes in the details alone is shown as well.
func TestReasoningInDetailsAlone(t *testing.T) {
	a, err := receive(t, "openrouter", delta(`"reasoning_details":[{"type":"reasoning.summary","summary":"a","index":0}]`),
		delta(`"reasoning_details":[{"type":"reasoning.summary","summary":"b","index":0}]`), delta(`"content":"x"`), ended("stop"), done)
	want := []core.Part{core.Thinking{Text: "ab"}, core.Text{Text: "x"},
		core.Thinking{Signature: `[{"type":"reasoning.summary","summary":"ab","index":0}]`}}
	if diff := cmp.Diff(want, a.Parts); diff != "" || err != nil {
		t.Errorf("err %v (-want +got):\n%s", err, diff)
	}
	a, err = receive(t, "vllm", delta(`"reasoning":"a","reasoning_content":"a"`), delta(`"content":[{"type":"text","text":"x"}]`), ended("stop"), done)
	want = []core.Part{core.Thinking{Text: "a", Signature: "reasoning"}, core.Text{Text: "x"}}
	if diff := cmp.Diff(want, a.Parts); diff != "" || err != nil {
		t.Errorf("the same text twice: err %v (-want +got):\n%s", err, diff)
	}
}
