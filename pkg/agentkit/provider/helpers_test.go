package provider_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// echo is a wire whose answers are {"text": …} and {"done": true}.
type echo struct{ framing provider.Framing }

func (e echo) Traits() provider.Traits {
	return provider.Traits{Framing: e.framing, KeyHeader: "X-Key",
		Headers: []provider.Header{{Name: "X-Version", Value: "1"}, {Name: "X-Extra", Value: "wire"}}}
}

func (echo) Encode(_ context.Context, req *core.Request, d *provider.Draft) error {
	if req.System == "unsayable" {
		return errors.New("it can't be said")
	}
	d.Path = "v1/echo?x=1"
	d.Headers = []provider.Header{{Name: "X-Extra", Value: "request"}, {Name: "X-Beta", Value: "b"}}
	d.BeginObject()
	d.TextField("system", req.System)
	d.EndObject()
	return nil
}

func (echo) Decoder() provider.Decoder { return decoder{} }

type decoder struct{}

func (decoder) Event(_, data []byte, out *provider.Out) error { return decoder{}.Whole(data, out) }
func (decoder) End(*provider.Out)                             {}

func (decoder) Whole(data []byte, out *provider.Out) error {
	text, done := "", false
	r := jsonx.NewReader(data)
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "text":
			text = r.Text()
		case "done":
			done = r.Bool()
		}
	}
	if err := r.End(); err != nil {
		return err
	}
	if out.Text(text); done {
		out.Done(core.StopEnd, core.Usage{})
	}
	return nil
}

func newModel(t *testing.T, w provider.Wire, opts provider.Options) *provider.Model {
	if opts.Client == nil {
		opts.Client = newClient(t, provider.ClientOptions{})
	}
	opts.Model = "m"
	m, err := provider.New(w, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newClient(t *testing.T, opts provider.ClientOptions) *provider.Client {
	c, err := provider.NewClient(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdle)
	return c
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

const done = "data: {\"text\":\"hi\"}\n\ndata: {\"done\":true}\n\n"

func answer(w http.ResponseWriter, kind, body string) {
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write([]byte(body))
}

// sse answers well, and keeps the last request's header and URL.
func sse(header *http.Header, url *string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		*header, *url = r.Header, r.URL.String()
		answer(w, "text/event-stream; charset=utf-8", done)
	}
}

func ask(t *testing.T, m core.Model) (core.Answer, error) {
	return core.Collect(m.Stream(t.Context(), &core.Request{}))
}
