package google_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

// says is the terminal event of an answer that says nothing.
const says = `{"candidates":[{"content":{"parts":[{"text":"ok"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}`

// ask sends a request to a server, below whose address the base URL of opts stands. The bodies are streamed as events, or
// sent in one piece when opts ask for it.
func ask(t *testing.T, opts google.Options, req *core.Request, bodies ...string) wiretest.Exchange {
	t.Helper()
	reply := wiretest.Reply{ContentType: "text/event-stream", Body: "data: " + strings.Join(bodies, "\n\ndata: ") + "\n\n"}
	if opts.Whole {
		reply = wiretest.Reply{ContentType: "application/json", Body: bodies[0]}
	}
	if opts.Model == "" {
		opts.Model = "gemini-3-pro"
	}
	return wiretest.Ask(t, func(o provider.Options) (core.Model, error) {
		opts.Options = o
		return google.New(opts)
	}, opts.Options, req, reply)
}

// both gives the same parts streamed, one an event, and whole.
func both(t *testing.T, parts ...string) (streamed, inOne wiretest.Exchange) {
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
func contents(x wiretest.Exchange) string {
	_, text, _ := strings.Cut(x.Body, `"contents":`)
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
