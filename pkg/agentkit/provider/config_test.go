package provider_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

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
