package cli

import (
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

// jsonModel is what a model comes to, for programs. What isn't known is absent.
type jsonModel struct {
	Name     string         `json:"name"`
	Provider string         `json:"provider"`
	Model    string         `json:"model"`
	Profile  string         `json:"profile,omitempty"`
	BaseURL  string         `json:"base_url,omitempty"`
	Key      string         `json:"key,omitempty"` // where it comes from
	ProxyURL string         `json:"proxy_url,omitempty"`
	Catalog  *jsonEntry     `json:"catalog,omitempty"`
	Window   int64          `json:"context_window,omitempty"`
	Output   int64          `json:"max_output_tokens,omitempty"`
	Thinking []string       `json:"thinking,omitempty"`
	Prices   *jsonTariff    `json:"prices,omitempty"` // US dollars for a million tokens
	Requests int32          `json:"requests_per_minute,omitempty"`
	Tokens   int64          `json:"tokens_per_minute,omitempty"`
	Failover []string       `json:"failover,omitempty"`
	Reported []jsonReported `json:"reported,omitempty"`
	Problem  string         `json:"problem,omitempty"`
}

type jsonEntry struct {
	ID     string             `json:"id"`
	How    catalog.How        `json:"found"`
	Reads  []catalog.Modality `json:"reads,omitempty"`
	Writes []catalog.Modality `json:"writes,omitempty"`
	Source string             `json:"source"`
	Read   string             `json:"read"`
	Second bool               `json:"secondhand,omitempty"` // the source isn't the vendor
}

type jsonPrices struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cache_read"`
	CacheWrite float64 `json:"cache_write"`
}

type jsonTariff struct {
	jsonPrices

	Above int64       `json:"above,omitempty"` // tokens of a prompt, beyond which long holds
	Long  *jsonPrices `json:"long,omitempty"`
}

type jsonReported struct {
	Agent string `json:"agent"`
	Text  string `json:"text"`
}

func writeModelsJSON(streams Streams, models []intake.Model) error {
	out := make([]jsonModel, 0, len(models))
	for i := range models {
		out = append(out, asJSON(&models[i]))
	}
	return encode(streams, out)
}

func asJSON(m *intake.Model) jsonModel {
	cfg, known := m.Config, &m.Known
	j := jsonModel{
		Name:     m.Name,
		Provider: cfg.GetProvider(),
		Model:    cfg.GetModel(),
		Profile:  m.Profile,
		BaseURL:  m.BaseURL,
		Key:      keyOf(cfg.GetApiKey()),
		ProxyURL: cfg.GetProxyUrl(),
		Window:   known.ContextWindow,
		Output:   known.MaxOutput,
		Thinking: known.Efforts,
		Prices:   tariffJSON(known.Tariff),
		Requests: cfg.GetRateLimits().GetRequestsPerMinute(),
		Tokens:   cfg.GetRateLimits().GetTokensPerMinute(),
		Failover: cfg.GetFailover(),
	}
	if known.Known() {
		j.Catalog = &jsonEntry{known.ID, known.How, known.Input, known.Output, known.Source, known.Read, known.Secondhand}
	}
	for _, r := range m.Reported {
		j.Reported = append(j.Reported, jsonReported(r))
	}
	if m.Err != nil {
		j.Problem = m.Err.Error()
	}
	return j
}

func tariffJSON(t cost.Tariff) *jsonTariff {
	if !t.Known() {
		return nil
	}
	j := &jsonTariff{jsonPrices: jsonPrices(t.Prices), Above: t.Above}
	if t.Above > 0 {
		long := jsonPrices(t.Long)
		j.Long = &long
	}
	return j
}
