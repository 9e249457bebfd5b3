package google_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
)

// exchange is a request as the server got it, and what came of the answer.
type exchange struct {
	path   string
	header http.Header
	body   string
	answer core.Answer
	err    error
}

// says is the terminal event of an answer that says nothing.
const says = `{"candidates":[{"content":{"parts":[{"text":"ok"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}`

// ask sends a request to a server, below whose address the base URL of opts stands. The bodies are streamed as events, or
// sent in one piece when opts ask for it.
func ask(t *testing.T, opts google.Options, req *core.Request, bodies ...string) exchange {
	t.Helper()
	var x exchange
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		x.path, x.header, x.body = r.URL.String(), r.Header, string(body)
		w.Header().Set("Content-Type", "application/json")
		if !opts.Whole {
			w.Header().Set("Content-Type", "text/event-stream")
			bodies = []string{"data: " + strings.Join(bodies, "\n\ndata: ") + "\n\n"}
		}
		_, _ = io.WriteString(w, bodies[0])
	}))
	defer server.Close()
	opts.BaseURL = server.URL + opts.BaseURL
	if opts.Model == "" {
		opts.Model = "gemini-3-pro"
	}
	m, err := google.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	x.answer, x.err = core.Collect(m.Stream(t.Context(), req))
	return x
}

// both gives the same parts streamed, one an event, and whole.
func both(t *testing.T, parts ...string) (streamed, inOne exchange) {
	t.Helper()
	const end = `,"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}`
	var events []string
	for _, p := range parts {
		events = append(events, `{"candidates":[{"content":{"parts":[`+p+`]}}]}`)
	}
	events = append(events, `{"candidates":[{"content":{"role":"model"}`+end)
	streamed = ask(t, google.Options{}, hello(), events...)
	opts := google.Options{}
	opts.Whole = true
	inOne = ask(t, opts, hello(), `{"candidates":[{"content":{"parts":[`+strings.Join(parts, ",")+`]}`+end)
	return streamed, inOne
}

func hello() *core.Request { return talk(core.UserMessage("hello")) }

func talk(msgs ...core.Message) *core.Request { return &core.Request{Messages: msgs} }

func model(parts ...core.Part) core.Message {
	return core.Message{Role: core.RoleModel, Model: "gemini-3-pro", Parts: parts}
}

func call(id, signature string) core.ToolCall {
	return core.ToolCall{ID: id, Name: "f", Args: `{"id":"` + id + `"}`, Signature: signature}
}

func result(id string, images ...core.Image) core.Message {
	return core.Message{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: id, Name: "f", Text: "of " + id, Images: images}}}
}

// contents is what a request says, without what stands around it.
func contents(x exchange) string {
	_, text, _ := strings.Cut(x.body, `"contents":`)
	return strings.TrimSuffix(text, "}")
}

func wantWithin(t *testing.T, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("sent\n%s\nwithout\n%s", text, want)
	}
}

func trimComma(s string) string { return strings.TrimPrefix(s, ",") }

func wantClass(t *testing.T, err error, class core.ErrorClass) *core.ProviderError {
	t.Helper()
	pe, ok := errors.AsType[*core.ProviderError](err)
	if !ok || pe.Class != class {
		t.Fatalf("err = %v (%+v), want class %s", err, pe, class)
	}
	return pe
}
