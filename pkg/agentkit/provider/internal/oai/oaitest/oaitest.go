// Package oaitest holds what the tests of OpenAI's wires have in common.
package oaitest

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

// Stream is an answer of those events.
func Stream(events ...string) wiretest.Reply {
	return wiretest.Reply{ContentType: "text/event-stream", Body: "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"}
}

// Whole is an answer in one piece.
func Whole(body string) wiretest.Reply {
	return wiretest.Reply{ContentType: "application/json", Body: body}
}

// SentTo returns what a model sends that takes its base URL for real; a server of our own stands behind all hosts.
func SentTo(t *testing.T, newModel func(provider.Options) (core.Model, error), opts provider.Options, req *core.Request) string {
	t.Helper()
	var body []byte
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { body, _ = io.ReadAll(r.Body) }))
	defer s.Close()
	var err error
	opts.Client, err = provider.NewClient(provider.ClientOptions{Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, s.Listener.Addr().String())
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer opts.Client.CloseIdle()
	m, err := newModel(opts)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = core.Collect(m.Stream(t.Context(), req)) // there is no answer
	return string(body)
}

// Hi is a request of one message.
func Hi() *core.Request { return &core.Request{Messages: []core.Message{core.UserMessage("Hi")}} }

// Said returns what stands behind a key at the end of a request.
func Said(t *testing.T, body, key string) string {
	t.Helper()
	_, said, ok := strings.Cut(body, `"`+key+`":`)
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
