package provider_test

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

func TestLayersOfHeaders(t *testing.T) {
	var got http.Header
	var url string
	s := serve(t, sse(&got, &url))
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	call := func(c provider.Credentials, headers ...provider.Header) http.Header {
		t.Helper()
		if _, err := ask(t, newModel(t, echo{provider.FramingSSE},
			provider.Options{BaseURL: s.URL, Credentials: c, Headers: headers})); err != nil {
			t.Fatal(err)
		}
		got.Del("Content-Length")
		return got
	}
	key := provider.Static(provider.APIKey("k"))
	base := http.Header{"Accept": {"text/event-stream"}, "Content-Type": {"application/json"}, "User-Agent": {"plait-agentkit"},
		"X-Version": {"1"}, "X-Extra": {"request"}, "X-Beta": {"b"}}
	with := func(name, value string) http.Header {
		h := base.Clone()
		h.Set(name, value)
		return h
	}
	for name, c := range map[string]struct{ got, want http.Header }{
		"no credential":                   {call(nil), base},
		"a key":                           {call(key), with("X-Key", "k")},
		"a bearer token isn't made a key": {call(provider.Static(provider.BearerToken("t"))), with("Authorization", "Bearer t")},
		"the configuration deletes the credential and sets its own": {
			call(key, provider.Header{Name: "x-key", Delete: true}, provider.Header{Name: "Authorization", Value: "Basic z"}),
			with("Authorization", "Basic z")},
		"the configuration goes before the request": {call(nil, provider.Header{Name: "x-extra", Value: "mine"}), with("X-Extra", "mine")},
		"the later one wins": {call(nil, provider.Header{Name: "X-Beta", Delete: true}, provider.Header{Name: "X-Beta", Value: "c"}),
			with("X-Beta", "c")},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if url != "/v1/echo?x=1" {
		t.Errorf("URL %s", url)
	}
}

func TestTraceHeadersOnlyWhenAsked(t *testing.T) {
	var got http.Header
	var url string
	s := serve(t, sse(&got, &url))
	c := newClient(t, provider.ClientOptions{Trace: func(_ context.Context, h http.Header) { h.Set("Traceparent", "00-x") }})
	if _, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, Client: c})); err != nil {
		t.Fatal(err)
	}
	if got.Get("Traceparent") != "00-x" {
		t.Errorf("headers %v", got)
	}
}

func TestBaseURLs(t *testing.T) {
	var header http.Header
	var url string
	s := serve(t, sse(&header, &url))
	for base, want := range map[string]string{
		"": "/v1/echo?x=1", "/": "/v1/echo?x=1", "/v1": "/v1/echo?x=1", "/v1/": "/v1/echo?x=1", "/v1/echo": "/v1/echo?x=1",
		"/gateway": "/gateway/v1/echo?x=1", "/gateway/v1": "/gateway/v1/echo?x=1", "/v1/gateway": "/v1/gateway/v1/echo?x=1",
		"/a%2Fb/v1?tenant=7": "/a%2Fb/v1/echo?tenant=7&x=1",
	} {
		if _, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL + base})); err != nil || url != want {
			t.Errorf("%s: %s, want %s, err %v", base, url, want, err)
		}
	}
}

func TestOptionsThatCannotBeUsed(t *testing.T) {
	for want, o := range map[string]provider.Options{
		"the vendor's name of the model is missing":         {BaseURL: "http://x"},
		"base URL: none is configured, and this provider":   {Model: "m"},
		`base URL "ftp://x": https:// or http://`:           {Model: "m", BaseURL: "ftp://x"},
		"a user and password aren't taken from a URL":       {Model: "m", BaseURL: "http://u:secret@x"},
		`a fragment (#) is never sent`:                      {Model: "m", BaseURL: "http://x/#a"},
		"base URL: it can't be parsed":                      {Model: "m", BaseURL: "http://x y/%zz"},
		`header "a b": a name consists of`:                  {Model: "m", BaseURL: "http://x", Headers: []provider.Header{{Name: "a b"}}},
		"header X: its value holds a control character":     {Model: "m", BaseURL: "http://x", Headers: []provider.Header{{Name: "X", Value: "secret\r\nY: z"}}},
		"header host: it is set by the transport and can't": {Model: "m", BaseURL: "http://x", Headers: []provider.Header{{Name: "host", Value: "z"}}},
	} {
		if _, err := provider.New(echo{}, o); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
	for want, o := range map[string]provider.ClientOptions{
		"proxy: a URL such as":          {Proxy: "nowhere"},
		"CA: no certificate in PEM was": {CA: []byte("x")},
	} {
		if _, err := provider.NewClient(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}

func TestACredentialNeverShows(t *testing.T) {
	for _, c := range []provider.Credential{provider.APIKey("secret"), provider.BearerToken("secret")} {
		var log strings.Builder
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "credential", c, "in", []any{c})
		shown := fmt.Sprintf("%v %+v %#v %s %q %x %v", c, c, c, c, c, c, struct{ C provider.Credential }{c}) + log.String()
		if strings.Contains(shown, "secret") || strings.Contains(shown, "736563726574") {
			t.Errorf("shown: %s", shown)
		}
	}
}

func TestAKeyFileIsReadAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	keys := provider.KeyFile(path)
	m := newModel(t, echo{provider.FramingSSE}, provider.Options{Credentials: keys, BaseURL: "http://127.0.0.1:1"})
	for content, want := range map[string]string{"": "empty", "a\nb": "control character", strings.Repeat("x", 70000): "at most"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ask(t, m)
		var pe *core.ProviderError
		if !errors.As(err, &pe) || pe.Class != core.ClassAuth || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
	var header http.Header
	var url string
	m = newModel(t, echo{provider.FramingSSE}, provider.Options{Credentials: keys, BaseURL: serve(t, sse(&header, &url)).URL})
	for _, key := range []string{"one", "two"} {
		if err := os.WriteFile(path, []byte(key+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ask(t, m); err != nil || header.Get("X-Key") != key {
			t.Errorf("key %q, err %v", header.Get("X-Key"), err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, m); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("err = %v", err)
	}
}

func TestTimeoutsOfThePhases(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request, sent string) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(sent))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	const soon = 30 * time.Millisecond
	for want, c := range map[string]struct {
		opts provider.ClientOptions
		sent string
	}{
		"the first byte of the answer did not come within 30ms": {provider.ClientOptions{FirstByte: soon}, ""},
		"more of the answer did not come within 30ms":           {provider.ClientOptions{Idle: soon}, "data: {\"text\":\"hi\"}\n\n"},
		"context deadline exceeded": {provider.ClientOptions{Connect: soon,
			Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }}, ""},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { hang(w, r, c.sent) })
		_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, Client: newClient(t, c.opts)}))
		if err == nil || err.Error() != want || !core.Transient(err) {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}

// The time that the caller takes for a delta is its own.
func TestAPatientCallerIsNoIdleVendor(t *testing.T) {
	const idle = 50 * time.Millisecond
	next := make(chan struct{}, 8)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			answer(w, "text/event-stream", "data: {\"text\":\"hi\"}\n\n")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
			}
		}
		answer(w, "text/event-stream", done)
	})
	m := newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, Client: newClient(t, provider.ClientOptions{Idle: idle})})
	for _, err := range m.Stream(t.Context(), &core.Request{}) {
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(2 * idle)
		next <- struct{}{}
	}
}

func TestProxyAndCertificatesByConfigurationOnly(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, "text/event-stream", done) }))
	t.Cleanup(s.Close)
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL}))
	if _, unknown := errors.AsType[*tls.CertificateVerificationError](err); !unknown {
		t.Errorf("without its CA: %v", err)
	}
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	c := newClient(t, provider.ClientOptions{CA: ca})
	if _, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, Client: c})); err != nil {
		t.Errorf("with its CA: %v", err)
	}
	var asked string
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		answer(w, "text/event-stream", done)
	})
	c = newClient(t, provider.ClientOptions{Proxy: proxy.URL})
	_, err = ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: "http://vendor.example", Client: c}))
	if err != nil || asked != "http://vendor.example/v1/echo?x=1" {
		t.Errorf("the proxy was asked for %q, err %v", asked, err)
	}
}

func TestLinesAsFraming(t *testing.T) {
	const whole = "{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"done\":true}\n"
	for name, c := range map[string]struct {
		kind, body string
		err        error
	}{
		"complete":                  {"application/x-ndjson", whole, nil},
		"the last line end is lost": {"application/jsonl", whole[:len(whole)-1], nil},
		"cut within a line":         {"application/ndjson", whole[:len(whole)-4], core.ErrCutStream},
		"cut between lines":         {"application/x-ndjson", whole[:26], core.ErrCutStream},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, c.kind, c.body) })
		got, err := ask(t, newModel(t, echo{provider.FramingLines}, provider.Options{BaseURL: s.URL}))
		if !errors.Is(err, c.err) || err == nil && cmp.Diff([]core.Part{core.Text{Text: "ab"}}, got.Parts) != "" {
			t.Errorf("%s: %v, err %v", name, got, err)
		}
	}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, "application/x-ndjson", "x\n{\"done\":true}\n")
	})
	_, err := ask(t, newModel(t, echo{provider.FramingLines}, provider.Options{BaseURL: s.URL}))
	if core.Transient(err) || err == nil || !strings.Contains(err.Error(), "a line of the vendor can't be understood") {
		t.Errorf("a line of no JSON: %v", err)
	}
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	for _, kind := range []string{"text/event-stream", "application/json"} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			answer(w, kind, `{"text":"`+strings.Repeat("x", 1000)+`","done":true}`)
		})
		_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL, MaxBody: 500, MaxEvent: 500}))
		if err == nil || !strings.Contains(err.Error(), "larger than 500 bytes") || core.Transient(err) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestARequestThatCannotBeSaidIsABadRequest(t *testing.T) {
	m := newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: "http://127.0.0.1:1"})
	_, err := core.Collect(m.Stream(t.Context(), &core.Request{System: "unsayable"}))
	var pe *core.ProviderError
	if !errors.As(err, &pe) || pe.Class != core.ClassBadRequest || err.Error() != "it can't be said" {
		t.Errorf("err = %v", err)
	}
}

// The connection is used again although something follows the terminal event.
func TestConnectionsAreUsedAgain(t *testing.T) {
	addresses := map[string]bool{}
	over := make(chan struct{}, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		addresses[r.RemoteAddr] = true
		answer(w, "text/event-stream", done)
		_ = http.NewResponseController(w).Flush()
		<-over
		_, _ = w.Write([]byte(": bye\n\n"))
	})
	m := newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL})
	for range 5 {
		for d, err := range m.Stream(t.Context(), &core.Request{}) {
			if err != nil {
				t.Fatal(err)
			}
			if d.Kind == core.Done {
				over <- struct{}{}
			}
		}
	}
	if len(addresses) != 1 {
		t.Errorf("%d connections", len(addresses))
	}
}
