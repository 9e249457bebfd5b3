package intake_test

import (
	"encoding/pem"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/harness/harnesstest"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// vendor answers every call of the Messages API, and keeps the headers of the last one.
func vendor(t *testing.T) (server *httptest.Server, header *http.Header) {
	header = new(http.Header)
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*header = r.Header
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"type":"message","content":[{"type":"text","text":"Hello."}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`)
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(server.Close)
	return server, header
}

func file(t *testing.T, text []byte) string {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func fromEnv(name string) *adkconfigv1.SecretRef {
	return &adkconfigv1.SecretRef{From: &adkconfigv1.SecretRef_Env{Env: name}}
}

func fromFile(path string) *adkconfigv1.SecretRef {
	return &adkconfigv1.SecretRef{From: &adkconfigv1.SecretRef_File{File: path}}
}

// with puts a model in the place of the scripted one.
func with(model *adkconfigv1.Model) func(*adkconfigv1.AgentConfig) {
	return func(cfg *adkconfigv1.AgentConfig) { cfg.Models["default"] = model }
}

func TestAModelIsCalledAsTheConfigSays(t *testing.T) {
	server, header := vendor(t)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	key := file(t, []byte("one\n"))
	secret := func(ref *adkconfigv1.SecretRef) *adkconfigv1.Value {
		return &adkconfigv1.Value{From: &adkconfigv1.Value_Secret{Secret: ref}}
	}
	config := harnesstest.Config(t, document, "", with(&adkconfigv1.Model{
		Provider: "anthropic", Model: "claude-x", BaseUrl: server.URL, ApiKey: fromFile(key),
		Tls: &adkconfigv1.TLS{CaFile: file(t, ca)},
		Headers: map[string]*adkconfigv1.Value{
			"X-Team": {From: &adkconfigv1.Value_Literal{Literal: "support"}}, "X-Token": secret(fromEnv("TOKEN")),
			"X-Unset": secret(fromEnv("NOTHING")),
		},
	}))
	env := intake.Environment{LookupEnv: func(name string) (string, bool) {
		return map[string]string{"TOKEN": "t"}[name], name == "TOKEN"
	}}
	sys, found, err := intake.New(config, env)
	if err != nil || found.HasErrors() {
		t.Fatal(found, err)
	}
	defer sys.Close()
	for _, want := range []string{"one", "two"} {
		if err := os.WriteFile(key, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, err := range sys.Workflow().Run(t.Context(), workflow.RunRequest{Session: "s_" + want, Input: "hello"}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		got := []string{header.Get("X-Api-Key"), header.Get("X-Team"), header.Get("X-Token"), strings.Join(header.Values("X-Unset"), ",")}
		if diff := cmp.Diff([]string{want, "support", "t", ""}, got); diff != "" {
			t.Errorf("headers (-want +got):\n%s", diff)
		}
	}
}

func TestModelsThatCannotBeCalled(t *testing.T) {
	const here = "http://127.0.0.1:1"
	for _, c := range []struct {
		name  string
		model *adkconfigv1.Model
		want  []string
	}{
		{"no key", &adkconfigv1.Model{Model: "x"}, []string{"api_key: anthropic is called with a key, and the config names none"}},
		{"a variable that isn't set", &adkconfigv1.Model{Model: "x", ApiKey: fromEnv("KEY")}, []string{"api_key: the variable KEY isn't set"}},
		{"a file that isn't there", &adkconfigv1.Model{Model: "x", ApiKey: fromFile("/nowhere")}, []string{"api_key: open /nowhere"}},
		{"what belongs to others", &adkconfigv1.Model{Model: "x", BaseUrl: here, Script: "{}"}, []string{"script: it belongs to the provider faux"}},
		{"a dialect of others", &adkconfigv1.Model{Model: "x", BaseUrl: here, Compat: &adkconfigv1.Compat{Profile: "vllm"}},
			[]string{"profile and overrides belong to the providers openai and openai-responses, not to anthropic"}},
		{"half a price", &adkconfigv1.Model{Model: "x", BaseUrl: here, Catalog: &adkconfigv1.CatalogOverrides{InputPrice: new(1.0)}},
			[]string{"catalog: input_price and output_price are needed"}},
		{"a stand-in that isn't there", &adkconfigv1.Model{Model: "x", BaseUrl: here, Failover: []string{"spare"}},
			[]string{"failover: the config has no model spare that can be called"}},
		{"a header that can't be sent", &adkconfigv1.Model{Model: "x", BaseUrl: here,
			Headers: map[string]*adkconfigv1.Value{"Host": {From: &adkconfigv1.Value_Literal{Literal: "x"}}}}, []string{"header Host: "}},
		{"certificates that aren't there", &adkconfigv1.Model{Model: "x", BaseUrl: here, Tls: &adkconfigv1.TLS{CaFile: "/nowhere"}}, []string{"tls: open /nowhere"}},
		{"a certificate without its key", &adkconfigv1.Model{Model: "x", BaseUrl: here, Tls: &adkconfigv1.TLS{CertFile: "/nowhere"}}, []string{"tls: open /nowhere"}},
		{"a proxy that isn't one", &adkconfigv1.Model{Model: "x", BaseUrl: here, ProxyUrl: "proxy"}, []string{"proxy: a URL such as"}},
		{"no model", &adkconfigv1.Model{BaseUrl: here}, []string{"the vendor's name of the model is missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.model.Provider = "anthropic"
			_, _, err := intake.New(harnesstest.Config(t, document, "", with(c.model)), intake.Environment{})
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("err = %v, want %s", err, want)
				}
			}
		})
	}
}

// A model with a stand-in, a limit and prices: the first is refused, the second answers, and what that cost is known.
func TestLimitsPricesAndStandIns(t *testing.T) {
	server, _ := vendor(t)
	plain := httptest.NewServer(server.Config.Handler)
	t.Cleanup(plain.Close)
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(529) }))
	t.Cleanup(busy.Close)
	config := harnesstest.Config(t, document, "", func(cfg *adkconfigv1.AgentConfig) {
		cfg.Models["default"] = &adkconfigv1.Model{Provider: "anthropic", Model: "first", BaseUrl: busy.URL, Failover: []string{"spare"},
			RateLimits: &adkconfigv1.RateLimits{RequestsPerMinute: 10}}
		cfg.Models["spare"] = &adkconfigv1.Model{Provider: "anthropic", Model: "second", BaseUrl: plain.URL, Failover: []string{"default"},
			Catalog: &adkconfigv1.CatalogOverrides{InputPrice: new(1e6), OutputPrice: new(2e6)}}
	})
	sys, found, err := intake.New(config, intake.Environment{})
	if err != nil || found.HasErrors() {
		t.Fatal(found, err)
	}
	defer sys.Close()
	var told []string
	for e, err := range sys.Workflow().Run(t.Context(), workflow.RunRequest{Session: "s_1", Input: "hello"}) {
		if err != nil {
			t.Fatal(err)
		}
		switch r := e.Record.(type) {
		case journal.Msg:
			if r.Usage != nil {
				told = append(told, fmt.Sprintf("%s answers for %g", r.Model, r.Usage.Cost))
			}
		case journal.Note:
			told = append(told, r.Text)
		}
	}
	want := []string{"second answers for 3", "the model second stands in: status 529: the body is empty"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}
