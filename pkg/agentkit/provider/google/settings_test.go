package google_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
)

// config is the generationConfig that a request has, and the warnings.
func config(t *testing.T, model string, req *core.Request) (string, string) {
	t.Helper()
	opts := google.Options{}
	opts.Model = model
	x := ask(t, opts, req, says)
	if x.Err != nil {
		t.Fatal(x.Err)
	}
	var sent struct {
		Config json.RawMessage `json:"generationConfig"`
	}
	if err := json.Unmarshal([]byte(x.Body), &sent); err != nil {
		t.Fatal(err)
	}
	return string(sent.Config), strings.Join(x.Answer.Warnings, "\n")
}

func TestThinking(t *testing.T) {
	for _, c := range []struct{ model, level, want, warning string }{
		{"gemini-3-pro", "", "", ""},
		{"gemini-3-pro", "low", `{"thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true}}`, ""},
		{"gemini-4-argon", "high", `{"thinkingConfig":{"thinkingLevel":"HIGH","includeThoughts":true}}`, ""},
		{"my-model", "medium", `{"thinkingConfig":{"thinkingLevel":"MEDIUM","includeThoughts":true}}`, ""},
		{"gemini-3.1-pro", "max", `{"thinkingConfig":{"thinkingLevel":"HIGH","includeThoughts":true}}`, "high is the most"},
		{"gemini-3.1-pro", "none", `{"thinkingConfig":{"thinkingLevel":"LOW"}}`, "always thinks"},
		{"gemini-3.6-flash", "off", `{"thinkingConfig":{"thinkingLevel":"MINIMAL"}}`, "always thinks"},
		{"gemini-3.6-flash", "minimal", `{"thinkingConfig":{"thinkingLevel":"MINIMAL","includeThoughts":true}}`, ""},
		{"gemini-3.8-flash", "off", `{"thinkingConfig":{"thinkingLevel":"LOW"}}`, "always thinks"},
		{"gemini-3.8-flash", "minimal", `{"thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true}}`, "the least that the model"},
		{"gemini-3.8-flash-lite", "minimal", `{"thinkingConfig":{"thinkingLevel":"MINIMAL","includeThoughts":true}}`, ""},
		{"gemini-flash-latest", "none", `{"thinkingConfig":{"thinkingLevel":"LOW"}}`, "always thinks"},
		{"my-model", "none", `{"thinkingConfig":{"thinkingLevel":"LOW"}}`, "always thinks"},
		{"gemini-2.5-pro", "minimal", `{"thinkingConfig":{"thinkingBudget":512,"includeThoughts":true}}`, ""},
		{"gemini-2.5-pro", "low", `{"thinkingConfig":{"thinkingBudget":1024,"includeThoughts":true}}`, ""},
		{"gemini-2.5-flash", "medium", `{"thinkingConfig":{"thinkingBudget":8192,"includeThoughts":true}}`, ""},
		{"gemini-2.5-flash-lite", "none", `{"thinkingConfig":{"thinkingBudget":0}}`, ""},
		{"gemini-2.5-pro", "none", `{"thinkingConfig":{"thinkingBudget":128}}`, "always thinks"},
		{"gemini-2.0-flash", "none", "", ""},
		{"gemini-2.0-flash", "low", "", "doesn't think"},
		{"gemini-3-pro", "galactic", "", "one of none, minimal, low"},
	} {
		req := hello()
		req.Generate.Thinking = c.level
		got, warnings := config(t, c.model, req)
		if got != c.want || !strings.Contains(warnings, c.warning) || (warnings == "") != (c.warning == "") || strings.Contains(warnings, "\n") {
			t.Errorf("%s, %q: %s, want %s; warnings %q", c.model, c.level, got, c.want, warnings)
		}
	}
}

func TestSettings(t *testing.T) {
	hot, half, seed, big := 3.0, 0.5, int64(-7), int64(1)<<40
	sampling := core.Generate{Temperature: &hot, TopP: &half, Seed: &seed}
	for _, c := range []struct {
		name     string
		model    string
		generate core.Generate
		want     string
		warning  string
	}{
		{"all", "gemini-3-pro", core.Generate{MaxOutputTokens: 9, Temperature: &half, TopP: &half, Seed: &seed, Stop: []string{"<a>", "b"}},
			`{"maxOutputTokens":9,"temperature":0.5,"topP":0.5,"seed":-7,"stopSequences":["<a>","b"]}`, ""},
		{"too hot", "gemini-2.5-pro", core.Generate{Temperature: &hot}, `{"temperature":2}`, "temperature 3: this vendor takes at most 2"},
		{"too large a seed", "gemini-3-pro", core.Generate{Seed: &big}, "", "seed 1099511627776 isn't sent"},
		{"too many stops", "gemini-3-pro", core.Generate{Stop: []string{"1", "2", "3", "4", "5", "6", "7"}},
			`{"stopSequences":["1","2","3","4","5"]}`, "the last 2 aren't sent"},
		{"a model that doesn't sample", "gemini-3.8-flash", sampling, `{"seed":-7}`, "temperature isn't sent: models since 3.6"},
		{"a small one of an older version", "gemini-3.5-flash-lite", sampling, `{"seed":-7}`, "top_p isn't sent: models since 3.6"},
		{"a model of another name", "my-model", core.Generate{TopP: &half}, `{"topP":0.5}`, ""},
	} {
		req := hello()
		req.Generate = c.generate
		got, warnings := config(t, c.model, req)
		if got != c.want || !strings.Contains(warnings, c.warning) || (warnings == "") != (c.warning == "") {
			t.Errorf("%s: %s, want %s; warnings %q", c.name, got, c.want, warnings)
		}
	}
}

func TestSchemaBesideTools(t *testing.T) {
	const schema = `{"type": "object"}`
	const bound = `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":` + schema + `}`
	const inWords = `"systemInstruction":{"parts":[{"text":"Be terse."},` +
		`{"text":"Answer with JSON of this schema, and with nothing else:\n{\"type\": \"object\"}"}]}`
	for _, c := range []struct {
		model string
		tools []core.Spec
		words bool
	}{
		{"gemini-2.5-flash", nil, false},
		{"gemini-2.5-flash", []core.Spec{{Name: "f"}}, true},
		{"gemini-3-flash", []core.Spec{{Name: "f"}}, false},
	} {
		opts := google.Options{}
		opts.Model = c.model
		req := hello()
		req.System, req.OutputSchema, req.Tools = "Be terse.", json.RawMessage(schema), c.tools
		x := ask(t, opts, req, says)
		warned := strings.Contains(strings.Join(x.Answer.Warnings, ""), "can't be bound while it has tools")
		if strings.Contains(x.Body, bound) == c.words || strings.Contains(x.Body, inWords) != c.words || warned != c.words {
			t.Errorf("%s with %d tools: sent %s; warnings %q", c.model, len(c.tools), x.Body, x.Answer.Warnings)
		}
	}
}

func TestImagesOfResults(t *testing.T) {
	png := core.Image{MediaType: "image/png", Digest: "1"}
	const shown = `{"inlineData":{"mimeType":"image/png","data":"AQ=="}}`
	const first = `{"functionResponse":{"id":"a","name":"f","response":{"output":"of a"}`
	const second = `{"functionResponse":{"id":"b","name":"f","response":{"output":"of b"}`
	for model, want := range map[string]string{
		"gemini-3-pro": `{"role":"user","parts":[` + first + `,"parts":[` + shown + `,` + shown + `]}},` + second + `,"parts":[` + shown + `]}}]},` +
			`{"role":"user","parts":[{"text":"on"}]}`,
		"gemini-2.5-pro": `{"role":"user","parts":[` + first + `}},` + second + `}}]},` +
			`{"role":"user","parts":[{"text":"Images in the result of f:"},` + shown + `,` + shown + `,` + shown + `,{"text":"on"}]}`,
	} {
		req := talk(core.UserMessage("go"), core.Message{Role: core.RoleModel, Parts: []core.Part{call("a", "s"), call("b", "")}},
			result("a", png, png), result("b", png), core.UserMessage("on"))
		req.Image = func(context.Context, core.Image) ([]byte, error) { return []byte{1}, nil }
		opts := google.Options{}
		opts.Model = model
		x := ask(t, opts, req, says)
		wantWithin(t, contents(x), want)
		req.Messages = req.Messages[:4] // the results come last, as within a turn
		x = ask(t, opts, req, says)
		if n := strings.Count(x.Body, shown); n != 3 {
			t.Errorf("%s: %d images in %s", model, n, x.Body)
		}
	}
}

func TestImagesThatTheVendorDoesntTake(t *testing.T) {
	gif := core.Image{MediaType: "image/gif", Digest: "1"}
	req := talk(core.Message{Role: core.RoleUser, Parts: []core.Part{gif}})
	req.Image = func(context.Context, core.Image) ([]byte, error) { return []byte{1}, nil }
	x := ask(t, google.Options{}, req, says)
	if got := contents(x); got != `[{"role":"user","parts":[{"text":"Go on."}]}]` ||
		!strings.Contains(strings.Join(x.Answer.Warnings, ""), `an image of type "image/gif" is left out`) {
		t.Errorf("sent %s, warnings %q", got, x.Answer.Warnings)
	}
}
