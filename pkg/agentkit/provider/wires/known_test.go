package wires_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

// The catalog tells a model's limits wherever it is called, and its prices only where the vendor itself is.
func TestWhatIsKnownOfAModel(t *testing.T) {
	for _, c := range []struct {
		name, provider, model, baseURL, profile string
		override                                catalog.Override
		id                                      string
		priced                                  bool
		wantProfile                             string
	}{
		{name: "the vendor's own", provider: "anthropic", model: "claude-sonnet-4-6", id: "claude-sonnet-4-6", priced: true},
		{name: "the vendor's URL written out", provider: "anthropic", model: "claude-sonnet-4-6", baseURL: "https://API.anthropic.com/v1",
			id: "claude-sonnet-4-6", priced: true},
		{name: "a gateway", provider: "anthropic", model: "claude-sonnet-4-6", baseURL: "https://llm.example.com", id: "claude-sonnet-4-6"},
		{name: "a gateway whose prices are told", provider: "anthropic", model: "claude-sonnet-4-6", baseURL: "https://llm.example.com",
			override: catalog.Override{InputPrice: new(1.0), OutputPrice: new(2.0)}, id: "claude-sonnet-4-6", priced: true},
		{name: "a dated version", provider: "google", model: "models/gemini-2.5-flash-001", id: "gemini-2.5-flash", priced: true},
		{name: "chat completions", provider: "openai", model: "gpt-5-nano", id: "gpt-5-nano", priced: true, wantProfile: "openai"},
		{name: "the other API", provider: "openai-responses", model: "gpt-5-nano", id: "gpt-5-nano", priced: true, wantProfile: "openai-responses"},
		{name: "another vendor", provider: "openai", model: "kimi-k3", baseURL: "https://api.moonshot.cn/v1", id: "kimi-k3", wantProfile: "moonshot"},
		{name: "a server of open models", provider: "openai", model: "gpt-5-nano", baseURL: "http://127.0.0.1:1", profile: "vllm", wantProfile: "vllm"},
		{name: "a server without a catalog", provider: "ollama", model: "gpt-5-nano", baseURL: "http://127.0.0.1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := wires.New(c.provider, wires.Options{Options: provider.Options{Model: c.model, BaseURL: c.baseURL},
				Profile: c.profile, Override: c.override})
			if err != nil {
				t.Fatal(err)
			}
			known := m.Known()
			if known.ID != c.id || known.Tariff.Known() != c.priced || m.Profile != c.wantProfile {
				t.Errorf("known %q, priced %v, profile %q", known.ID, known.Tariff.Known(), m.Profile)
			}
		})
	}
}
