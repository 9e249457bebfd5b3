package openairesponses_test

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
	"github.com/plait-dev/plait/pkg/agentkit/provider/openairesponses"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

// named returns options with a profile and a model.
func named(t *testing.T, profile, model string) openairesponses.Options {
	t.Helper()
	p, err := openairesponses.ProfileNamed(profile)
	if err != nil {
		t.Fatal(err)
	}
	return openairesponses.Options{Options: provider.Options{Model: model}, Profile: p}
}

const (
	ours      = "openai-responses"
	completed = `{"type":"response.completed","response":{"status":"completed"}}`
)

// ask sends a request to a server that answers as it is told.
func ask(t *testing.T, opts openairesponses.Options, req *core.Request, reply wiretest.Reply) wiretest.Exchange {
	t.Helper()
	return wiretest.Ask(t, func(o provider.Options) (core.Model, error) {
		opts.Options = o
		return openairesponses.New(opts)
	}, opts.Options, req, reply)
}

// send sends a request and returns its body and the warnings.
func send(t *testing.T, opts openairesponses.Options, req *core.Request) (body string, warnings []string) {
	t.Helper()
	x := ask(t, opts, req, oaitest.Stream(completed))
	if x.Err != nil {
		t.Fatal(x.Err)
	}
	return x.Body, x.Answer.Warnings
}

// receive returns what a profile makes of a stream.
func receive(t *testing.T, profile string, events ...string) (core.Answer, error) {
	t.Helper()
	x := ask(t, named(t, profile, "m"), oaitest.Hi(), oaitest.Stream(events...))
	return x.Answer, x.Err
}

// input returns what a request says.
func input(t *testing.T, body string) string {
	t.Helper()
	return oaitest.Said(t, body, "input")
}

const hiItem = `{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}`

func TestRequestGolden(t *testing.T) {
	req := &core.Request{System: "Be <brief>.", Messages: oaitest.Hi().Messages,
		Tools:        []core.Spec{{Name: "find", Description: "Finds.", InputSchema: json.RawMessage(`{"type":"object", "z":2.50}`)}, {Name: "list"}},
		OutputSchema: json.RawMessage(`{"type":"object", "properties":{},"additionalProperties":false}`)}
	opts := named(t, ours, "gpt-5.6-sol")
	opts.CacheKey, opts.Summary = "agent-1", openairesponses.SummaryAuto
	opts.Credentials = provider.Static(provider.APIKey("sk-x"))
	x := ask(t, opts, req, oaitest.Stream(completed))
	const want = `{"model":"gpt-5.6-sol","stream":true,"store":false,"include":["reasoning.encrypted_content"],"prompt_cache_key":"agent-1",` +
		`"reasoning":{"summary":"auto"},` +
		`"text":{"format":{"type":"json_schema","name":"output","strict":true,"schema":{"type":"object", "properties":{},"additionalProperties":false}}},` +
		`"tools":[{"type":"function","name":"find","description":"Finds.","parameters":{"type":"object", "z":2.50},"strict":false},` +
		`{"type":"function","name":"list","parameters":{"type":"object","properties":{}},"strict":false}],` +
		`"instructions":"Be <brief>.","input":[` + hiItem + `]}`
	if x.Body != want || len(x.Answer.Warnings) > 0 || x.Err != nil {
		t.Errorf("body, warnings %q, err %v\n got %s\nwant %s", x.Answer.Warnings, x.Err, x.Body, want)
	}
	if x.URL != "/v1/responses" || x.Header.Get("Authorization") != "Bearer sk-x" {
		t.Errorf("path %s, headers %v", x.URL, x.Header)
	}
	opts.Whole, opts.BaseURL = true, "/openai/v1"
	x = ask(t, opts, oaitest.Hi(), oaitest.Whole(`{"status":"completed","output":[]}`))
	if x.Err != nil || strings.Contains(x.Body, `"stream"`) || x.URL != "/openai/v1/responses" {
		t.Errorf("asked for in one piece: %s, %s, %v", x.URL, x.Body, x.Err)
	}
}

// A profile or a deviation that was meant for the chat API isn't taken for one of this, which would mean something else.
func TestTheKeysAreDisjointFromThoseOfTheChatAPI(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range openai.Profiles() {
		seen[p.Name] = true
	}
	for _, key := range openai.Overrides() {
		seen[key] = true
	}
	for _, p := range openairesponses.Profiles() {
		if seen[p.Name] {
			t.Errorf("the profile %q exists twice, or for the other API", p.Name)
		}
		seen[p.Name] = true
		if got, err := openairesponses.ProfileNamed(p.Name); err != nil || cmp.Diff(p, got) != "" {
			t.Errorf("%q: %+v, %v", p.Name, got, err)
		}
	}
	for _, key := range openairesponses.Overrides() {
		if seen[key] {
			t.Errorf("the deviation %q exists twice, or for the other API", key)
		}
		seen[key] = true
	}
}

// A configuration that names no profile gets the one of the vendor that it names.
func TestTheProfileComesFromTheHost(t *testing.T) {
	for base, encrypted := range map[string]bool{"http://api.deepseek.com": false, "http://gateway.example/v1": true} {
		body := oaitest.SentTo(t, func(o provider.Options) (core.Model, error) {
			return openairesponses.New(openairesponses.Options{Options: o})
		}, provider.Options{Model: "m", BaseURL: base}, oaitest.Hi())
		if body == "" || strings.Contains(body, "encrypted_content") != encrypted {
			t.Errorf("%s: %s", base, body)
		}
	}
}

func TestDeviationsByName(t *testing.T) {
	got, err := openairesponses.Profile{Name: "x"}.With(map[string]string{"encryptedReasoning": "true", "reasoningEfforts": "low,high",
		"reasoningFixesSampling": "true", "responseCacheKey": "true", "leastOutputTokens": "16", "noInputImages": "true", "strictTextFormat": "true"})
	want := openairesponses.Profile{Name: "x", Encrypted: true, CacheKey: true, LeastLimit: 16, NoImages: true, ThinkingFixes: true,
		Levels: []string{"low", "high"}, Strict: true}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("err %v (-want +got):\n%s", err, diff)
	}
	if _, err := want.With(map[string]string{"limit": "max_tokens"}); err == nil || !strings.HasPrefix(err.Error(), `override "limit": one of encryptedReasoning, `) {
		t.Errorf("err = %v", err)
	}
}

func TestOptions(t *testing.T) {
	if _, err := openairesponses.ProfileNamed("openai"); err == nil || !strings.Contains(err.Error(), "one of openai-responses, ") {
		t.Errorf("err = %v", err)
	}
	model := provider.Options{Model: "m", BaseURL: "https://x.example"}
	for _, c := range []struct {
		opts openairesponses.Options
		want string
	}{
		{openairesponses.Options{Options: model}, ""},
		{openairesponses.Options{Options: model, Summary: "long"}, `summary "long": auto, concise, detailed or nothing is expected`},
		{openairesponses.Options{Options: model, Profile: named(t, "vllm-responses", "").Profile, CacheKey: "k"}, `cache key "k": the profile "vllm-responses" has none`},
	} {
		_, err := openairesponses.New(c.opts)
		if got := ""; err != nil && err.Error() != c.want || err == nil && got != c.want {
			t.Errorf("err = %v, want %s", err, c.want)
		}
	}
}

func TestSettings(t *testing.T) {
	half, seed := 0.5, int64(7)
	const start, end = `"store":false`, `,"include":["reasoning.encrypted_content"]`
	for _, c := range []struct {
		name, profile, model string
		generate             core.Generate
		want                 string // of the body, between stream and input
		warnings             []string
	}{
		{"effort", ours, "gpt-5.6-sol", core.Generate{Thinking: "xhigh", MaxOutputTokens: 99}, start + end + `,"reasoning":{"effort":"xhigh"},"max_output_tokens":99`, nil},
		{"off", ours, "gpt-5.6-sol", core.Generate{Thinking: "off", Temperature: &half}, start + end + `,"reasoning":{"effort":"none"},"temperature":0.5`, nil},
		{"who thinks doesn't sample", ours, "o3", core.Generate{TopP: &half}, start + end,
			[]string{"top_p isn't sent: the model o3 doesn't take it when it thinks"}},
		{"who doesn't think isn't asked", ours, "gpt-4.1", core.Generate{Thinking: "low", Temperature: &half}, start + `,"temperature":0.5`,
			[]string{`thinking "low": the model gpt-4.1 doesn't think`}},
		{"nor told not to", ours, "gpt-4.1", core.Generate{Thinking: "none"}, start, nil},
		{"the least bound", ours, "gpt-4.1", core.Generate{MaxOutputTokens: 9}, start + `,"max_output_tokens":16`,
			[]string{"9 output tokens: this vendor takes no bound below 16, which is sent"}},
		{"no stop and no seed", ours, "gpt-4.1", core.Generate{Stop: []string{"X"}, Seed: &seed}, start,
			[]string{"stop: this API has no stop sequences", "seed: this API has none, so answers differ from run to run"}},
		{"DeepSeek samples its own way when it thinks", "deepseek-responses", "m", core.Generate{Temperature: &half}, start,
			[]string{"temperature isn't sent: the model m doesn't take it when it thinks"}},
		{"and ours when it doesn't", "deepseek-responses", "m", core.Generate{Temperature: &half, Thinking: "none"}, start + `,"reasoning":{"effort":"none"},"temperature":0.5`, nil},
		{"vLLM has three levels", "vllm-responses", "m", core.Generate{Thinking: "max", MaxOutputTokens: 1}, start + `,"max_output_tokens":1`,
			[]string{`thinking "max": one of low, medium, high is expected; the model's default is used`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := oaitest.Hi()
			req.Generate = c.generate
			body, warnings := send(t, named(t, c.profile, c.model), req)
			_, got, _ := strings.Cut(body, `"stream":true,`)
			if got, _, _ = strings.Cut(got, `,"input"`); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if diff := cmp.Diff(c.warnings, warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
	opts := named(t, ours, "gpt-4.1")
	opts.Summary = openairesponses.SummaryDetailed
	if body, _ := send(t, opts, oaitest.Hi()); strings.Contains(body, "summary") {
		t.Errorf("a model that doesn't think is asked for a summary: %s", body)
	}
}

func TestOutputSchemas(t *testing.T) {
	req := oaitest.Hi()
	req.OutputSchema = json.RawMessage(`{"type":"object"}`)
	body, warnings := send(t, named(t, ours, "m"), req)
	if r, err := parse([]byte(body)); err != nil || r.Text.Format.Strict == nil || *r.Text.Format.Strict || len(warnings) != 1 {
		t.Errorf("a hint: %s, %q", body, warnings)
	}
	body, warnings = send(t, named(t, "vllm-responses", "m"), req)
	if r, err := parse([]byte(body)); err != nil || r.Text.Format.Strict != nil || string(r.Text.Format.Schema) != `{"type":"object"}` || len(warnings) > 0 {
		t.Errorf("bound to any: %s, %q", body, warnings)
	}
}

func TestSomebodyHasToSpeak(t *testing.T) {
	silent := core.Message{Role: core.RoleModel, Parts: []core.Part{core.Thinking{Signature: "s", Item: "rs_1"}}}
	body, _ := send(t, named(t, ours, "m"), &core.Request{Messages: []core.Message{silent}})
	if got := input(t, body); got != "["+strings.ReplaceAll(hiItem, "Hi", "Go on.")+"]" {
		t.Error(got)
	}
}

func TestResultsWithImages(t *testing.T) {
	png := core.Image{MediaType: "image/png"}
	call := func(id string) core.Part { return core.ToolCall{ID: id, Name: "look", Args: `{"z" : 1}`} }
	result := func(r core.ToolResult) core.Message {
		return core.Message{Role: core.RoleTool, Parts: []core.Part{r}}
	}
	req := &core.Request{
		Image: func(context.Context, core.Image) ([]byte, error) { return []byte{1, 2, 3}, nil },
		Messages: []core.Message{
			{Role: core.RoleModel, Parts: []core.Part{call("a"), call("b"), png}},
			result(core.ToolResult{ID: "a", Images: []core.Image{png}}),
			result(core.ToolResult{ID: "b", Text: "no", Error: true, Images: []core.Image{png, {MediaType: "image/tiff"}}}),
		},
	}
	const calls = `[{"type":"function_call","call_id":"a","name":"look","arguments":"{\"z\" : 1}"},` +
		`{"type":"function_call","call_id":"b","name":"look","arguments":"{\"z\" : 1}"},`
	const image = `{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,AQID"}`
	body, warnings := send(t, named(t, ours, "m"), req)
	want := calls + `{"type":"function_call_output","call_id":"a","output":[` + image + `]},` +
		`{"type":"function_call_output","call_id":"b","output":[{"type":"input_text","text":"Error: no"},` + image + `]}]`
	if got := input(t, body); got != want || len(warnings) != 2 {
		t.Errorf("warnings %q\n got %s\nwant %s", warnings, got, want)
	}
	body, warnings = send(t, named(t, "deepseek-responses", "m"), req)
	want = calls + `{"type":"function_call_output","call_id":"a","output":""},{"type":"function_call_output","call_id":"b","output":"Error: no"}]`
	if got := input(t, body); got != want || len(warnings) != 2 {
		t.Errorf("text alone: warnings %q\n got %s\nwant %s", warnings, got, want)
	}
}
