package wires_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

var update = flag.Bool("update", false, "write what was observed into docs/providers.md")

const docs = "../../../../docs/providers.md"

// What a decoder and encoder in between would change: order, spelling of numbers, spaces, and keywords.
const (
	oddArgs   = `{"z" : 2.50,"a":1e2,"big":12345678901234567890,"text":"<&>"}`
	oddSchema = `{"type":"object","properties":{"z":{"type":"number","minimum":2.50},"a":{"type":"string"}},"additionalProperties":false}`
)

// seen is a request that a wire sent, and what came of the answer.
type seen struct {
	*http.Request

	body   string
	calls  int
	answer core.Answer
	pieces int // in which the arguments of calls came
	err    error
}

// observe lets a wire ask a vendor who answers with a body, and looks at both ends. Nothing leaves the process.
func observe(t *testing.T, wire string, status int, kind, body string, options provider.Options) seen {
	t.Helper()
	return observeWith(t, wire, status, kind, body, wires.Options{Options: options})
}

func observeWith(t *testing.T, wire string, status int, kind, body string, options wires.Options) seen {
	t.Helper()
	var got seen
	client, err := provider.NewClient(provider.ClientOptions{
		Between: func(p provider.Passing, _ func() (*http.Response, error)) (*http.Response, error) {
			got.Request, got.body = p.Request, string(p.Body)
			got.calls++
			header := http.Header{"Content-Type": {kind}, "Location": {"http://elsewhere.invalid"}}
			return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body))}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	options.Model, options.Client = "model", client
	options.Credentials = provider.Static(provider.APIKey("sk-1"))
	if wire == "ollama" && options.BaseURL == "" {
		options.BaseURL = "http://ollama.invalid"
	}
	m, err := wires.New(wire, options)
	if err != nil {
		t.Fatal(err)
	}
	call := core.ToolCall{ID: "call_1", Name: "find", Args: oddArgs}
	got.answer, got.err = core.Collect(counted(&got.pieces, m.Stream(t.Context(), &core.Request{
		Messages: []core.Message{core.UserMessage("hello"), {Role: core.RoleModel, Parts: []core.Part{call}},
			{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: "call_1", Name: "find", Text: "x"}}}},
		Tools: []core.Spec{{Name: "find", InputSchema: json.RawMessage(oddSchema)}},
	})))
	return got
}

// counted counts the pieces of arguments in a stream.
func counted(pieces *int, stream iter.Seq2[core.Delta, error]) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		for d, err := range stream {
			if d.Kind == core.CallDelta {
				*pieces++
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// carries says whether a request holds bytes as they are, or as a text of JSON with them.
func (s seen) carries(bytes string) string {
	quoted := strings.Trim(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(bytes), "\n")
	switch {
	case strings.Contains(s.body, ":"+bytes):
		return "exact"
	case strings.Contains(s.body, `"`+quoted+`"`):
		return "exact (text)"
	}
	return "changed"
}

func (s seen) failure() string {
	var pe *core.ProviderError
	if !errors.As(s.err, &pe) {
		return fmt.Sprintf("no error of a provider: %v", s.err)
	}
	return "error `" + string(pe.Class) + "`"
}

// headers are the names of what was sent, but the credential's.
func (s seen) headers() string {
	h := s.Header.Clone()
	for _, key := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key"} {
		h.Del(key)
	}
	return strings.Join(slices.Sorted(maps.Keys(h)), ", ")
}

// row is a question, and how a wire is asked it.
type row struct {
	question string
	answer   func(t *testing.T, wire string) string
}

func rows() []row {
	const sse, lines, asJSON = "text/event-stream", "application/x-ndjson", "application/json"
	stream := func(wire string) string {
		if wire == "ollama" {
			return lines
		}
		return sse
	}
	at := func(status int, kind, body string) func(*testing.T, string) string {
		return func(t *testing.T, wire string) string {
			return observe(t, wire, status, kind, body, provider.Options{}).failure()
		}
	}
	return []row{
		{"arguments of calls sent", func(t *testing.T, wire string) string {
			return observe(t, wire, 500, asJSON, "", provider.Options{}).carries(oddArgs)
		}},
		{"schemas of tools sent", func(t *testing.T, wire string) string {
			return observe(t, wire, 500, asJSON, "", provider.Options{}).carries(oddSchema)
		}},
		{"200 with an error in JSON", at(200, asJSON, `{"error":{"message":"no"}}`)},
		{"200 with a page", at(200, "text/html", "<html></html>")},
		{"a redirect", at(307, "text/html", "")},
		{"an empty stream", func(t *testing.T, wire string) string {
			return observe(t, wire, 200, stream(wire), "", provider.Options{}).failure()
		}},
		{"an event beyond the limit", func(t *testing.T, wire string) string {
			return observe(t, wire, 200, stream(wire), "data: {"+strings.Repeat(" ", 200)+"}\n\n", provider.Options{MaxEvent: 100}).failure()
		}},
		{"requests made when a vendor fails", func(t *testing.T, wire string) string {
			return fmt.Sprint(observe(t, wire, 503, asJSON, "", provider.Options{}).calls)
		}},
		{"another base URL", func(t *testing.T, wire string) string {
			s := observe(t, wire, 500, asJSON, "", provider.Options{BaseURL: "http://gateway.invalid/x"})
			return "`" + s.URL.Path + "`"
		}},
		{"a configured header", func(t *testing.T, wire string) string {
			s := observe(t, wire, 500, asJSON, "", provider.Options{Headers: []provider.Header{
				{Name: "User-Agent", Value: "mine"}, {Name: "Accept", Delete: true}}})
			if s.Header.Get("User-Agent") != "mine" || s.Header.Get("Accept") != "" {
				return "no effect"
			}
			return "replaces, deletes"
		}},
		{"headers beside the credential", func(t *testing.T, wire string) string {
			return observe(t, wire, 500, asJSON, "", provider.Options{}).headers()
		}},
		{"variables of the environment read", func(t *testing.T, wire string) string {
			before := observe(t, wire, 500, asJSON, "", provider.Options{})
			hostile(t)
			after := observe(t, wire, 500, asJSON, "", provider.Options{})
			if before.URL.String() == after.URL.String() && cmp.Equal(before.Header, after.Header) && before.body == after.body {
				return "none"
			}
			return "some"
		}},
	}
}

// hostile sets what vendors' own libraries read.
func hostile(t *testing.T) {
	for _, name := range []string{
		"ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "ANTHROPIC_CUSTOM_HEADERS", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY",
		"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "OLLAMA_AUTH",
	} {
		t.Setenv(name, "leak: leak")
	}
	for _, name := range []string{"ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST", "HTTP_PROXY", "HTTPS_PROXY"} {
		t.Setenv(name, "http://leak.invalid")
	}
}

// TestDocumentation compares docs/providers.md with what each wire is seen to do; -update writes it.
func TestDocumentation(t *testing.T) {
	var b strings.Builder
	line := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	names := wires.Names()
	line(append([]string{""}, names...)...)
	line(slices.Repeat([]string{"---"}, len(names)+1)...)
	for _, r := range slices.Concat(rows(), streamRows()) {
		cells := []string{r.question}
		for _, name := range names {
			cells = append(cells, r.answer(t, name))
		}
		line(cells...)
	}
	b.WriteString("\n")
	line("wire", "request", "pinned version", "beta flags", "SDK behind references", "recorded at the vendor")
	line(slices.Repeat([]string{"---"}, 6)...)
	for _, name := range names {
		s := observe(t, name, 500, "application/json", "", provider.Options{})
		line(name, "`"+s.Method+" "+s.URL.RequestURI()+"`", orDash(s.Header.Get("Anthropic-Version")),
			orDash(s.Header.Get("Anthropic-Beta")+s.Header.Get("Openai-Beta")), sdkBehind(t, name), "–")
	}
	const begin, end = "<!-- observed -->\n", "<!-- /observed -->"
	data, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), begin)
	old, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for it", docs)
	}
	if *update {
		if err := os.WriteFile(docs, []byte(head+begin+b.String()+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(old, b.String()); diff != "" {
		t.Errorf("%s isn't what the wires do; go test -update writes it (-there +seen):\n%s", docs, diff)
	}
}

// sdkBehind is the vendor's library that the references of a wire were made with. They say so themselves.
func sdkBehind(t *testing.T, wire string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../../../test/difftest/refs", wire, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d references, err %v", wire, len(files), err)
	}
	made := map[string]bool{}
	for _, name := range files {
		var ref struct {
			Provenance struct {
				Module  string `json:"module"`
				Version string `json:"version"`
			} `json:"provenance"`
		}
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &ref)
		}
		if err != nil || ref.Provenance.Module == "" {
			t.Fatalf("%s: %+v, err %v", name, ref, err)
		}
		made["`"+ref.Provenance.Module+"` "+ref.Provenance.Version] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(made)), ", ")
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
