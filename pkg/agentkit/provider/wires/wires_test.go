package wires_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

func TestEveryNameMakesAModel(t *testing.T) {
	for _, name := range wires.Names() {
		m, err := wires.New(name, wires.Options{Options: provider.Options{Model: "x", BaseURL: "http://127.0.0.1:1"}})
		if err != nil || m.Name() != "x" {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if !slices.Contains(wires.Names(), "anthropic") {
		t.Errorf("names %v", wires.Names())
	}
}

func TestAnUnknownNameIsToldWhatThereIs(t *testing.T) {
	_, err := wires.New("acme", wires.Options{Options: provider.Options{Model: "x"}})
	want := `the provider "acme" isn't in this release; it has ` + strings.Join(wires.Names(), ", ")
	if err == nil || err.Error() != want {
		t.Errorf("err = %v, want %s", err, want)
	}
}

func TestDialectsOfOpenAI(t *testing.T) {
	opts := func(profile string, overrides map[string]string) wires.Options {
		return wires.Options{Options: provider.Options{Model: "x"}, Profile: profile, Overrides: overrides}
	}
	for _, c := range []struct {
		name, provider string
		opts           wires.Options
		want           string // of the error
	}{
		{"a profile with an address", "openai", opts("deepseek", nil), ""},
		{"a profile without", "openai", opts("vllm", nil), "base URL: none is configured"},
		{"one that isn't there", "openai", opts("acme", nil), `profile "acme": one of `},
		{"deviations", "openai", opts("", map[string]string{"seed": "false"}), ""},
		{"deviations that aren't there", "openai", opts("", map[string]string{"color": "red"}), "color"},
		{"a profile of the other API", "openai-responses", opts("deepseek-responses", nil), ""},
		{"deviations of the other API", "openai-responses", opts("", map[string]string{"color": "red"}), "color"},
		{"caching of another wire", "google", wires.Options{Options: provider.Options{Model: "x"}, Cache: "1h"}, `prompt cache "1h": it belongs to the provider anthropic, not to google`},
		{"caching for a while that isn't there", "anthropic", wires.Options{Options: provider.Options{Model: "x"}, Cache: "2h"}, `cache "2h": one of 5m, 1h and off is expected`},
		{"a cache's key of another wire", "anthropic", wires.Options{Options: provider.Options{Model: "x"}, CacheKey: "k"}, "prompt cache key: it belongs to the providers openai and openai-responses, not to anthropic"},
		{"a cache's key of another vendor", "openai", wires.Options{Options: provider.Options{Model: "x"}, CacheKey: "k", Profile: "deepseek"}, `cache key "k": the profile "deepseek" has none`},
		{"a summary of another wire", "openai", wires.Options{Options: provider.Options{Model: "x"}, Summary: "auto"}, `reasoning summary "auto": it belongs to the provider openai-responses, not to openai`},
		{"another wire", "google", opts("deepseek", nil), "profile and overrides belong to the providers openai and openai-responses, not to google"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := wires.New(c.provider, c.opts)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("err = %v, want %s", err, c.want)
			}
		})
	}
}

// What a configuration says of caching and summaries is sent.
func TestCachingAndSummaries(t *testing.T) {
	for _, c := range []struct {
		name string
		opts wires.Options
		want string // in the request
	}{
		{"anthropic", wires.Options{Cache: "1h"}, `"cache_control":{"type":"ephemeral","ttl":"1h"}`},
		{"openai", wires.Options{CacheKey: "desk"}, `"prompt_cache_key":"desk"`},
		{"openai-responses", wires.Options{CacheKey: "desk"}, `"prompt_cache_key":"desk"`},
		{"openai-responses", wires.Options{Summary: "concise"}, `"summary":"concise"`},
	} {
		if got := observeWith(t, c.name, 500, "application/json", "", c.opts); !strings.Contains(got.body, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got.body, c.want)
		}
		if got := observe(t, c.name, 500, "application/json", "", provider.Options{}); strings.Contains(got.body, c.want) {
			t.Errorf("%s unasked: %s", c.name, got.body)
		}
	}
}
