// Package oaitest is for the tests of OpenAI's wires: one exchange with a server that answers as it is told.
package oaitest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// Exchange is a request as it arrived, and what became of its answer.
type Exchange struct {
	Request *http.Request
	Body    []byte
	Answer  core.Answer
	Err     error
}

// Reply is what the server answers.
type Reply struct{ Kind, Body string }

// Stream is an answer of those events.
func Stream(events ...string) Reply {
	return Reply{"text/event-stream", "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"}
}

// Whole is an answer in one piece.
func Whole(body string) Reply { return Reply{"application/json", body} }

// Ask sends a request of a model that build makes of opts, whose BaseURL is put behind the server's.
func Ask(t *testing.T, build func(provider.Options) (core.Model, error), opts provider.Options, req *core.Request, reply Reply) Exchange {
	t.Helper()
	var x Exchange
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.Request = r
		x.Body, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", reply.Kind)
		_, _ = io.WriteString(w, reply.Body)
	}))
	t.Cleanup(s.Close)
	opts.BaseURL = s.URL + opts.BaseURL
	opts.Credentials = provider.Static(provider.APIKey("sk-x"))
	m, err := build(opts)
	if err != nil {
		t.Fatal(err)
	}
	x.Answer, x.Err = core.Collect(m.Stream(t.Context(), req))
	return x
}

// Hi is a request of one message.
func Hi() *core.Request { return &core.Request{Messages: []core.Message{core.UserMessage("Hi")}} }

// Said returns what stands behind a key at the end of a request.
func Said(t *testing.T, body []byte, key string) string {
	t.Helper()
	_, said, ok := strings.Cut(string(body), `"`+key+`":`)
	if !ok {
		t.Fatalf("no %s in %s", key, body)
	}
	return strings.TrimSuffix(said, "}")
}

// Quote returns a text as JSON, with nothing escaped that needn't be.
func Quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// DataURL takes a data URL with an image apart; the image has its base64 as Digest.
func DataURL(url string) (core.Image, bool) {
	kind, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	return core.Image{MediaType: kind, Digest: data}, ok
}
