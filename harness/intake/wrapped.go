package intake

import (
	"fmt"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// wrapped gives a model the limits of its config.
func wrapped(m core.Model, cfg *adkconfigv1.Model) core.Model {
	l := cfg.GetRateLimits()
	if l == nil {
		return m
	}
	return provider.Limit(m, provider.Limits{Requests: int(l.GetRequestsPerMinute()), Tokens: l.GetTokensPerMinute()})
}

// override is what the config knows better than the catalog.
func override(c *adkconfigv1.CatalogOverrides) catalog.Override {
	if c == nil {
		return catalog.Override{}
	}
	return catalog.Override{
		ContextWindow:   c.ContextWindow,
		MaxOutput:       c.MaxOutputTokens,
		InputPrice:      c.InputPrice,
		OutputPrice:     c.OutputPrice,
		CacheReadPrice:  c.CacheReadPrice,
		CacheWritePrice: c.CacheWritePrice,
	}
}

// standIns puts models that stand in for it behind a model. Whom they have themselves isn't asked.
func standIns(m core.Model, names []string, models map[string]core.Model) (core.Model, error) {
	var others []core.Model
	for _, name := range names {
		other := models[name]
		if other == nil {
			return nil, fmt.Errorf("failover: the config has no model %s that can be called", name)
		}
		others = append(others, other)
	}
	if len(others) == 0 {
		return m, nil
	}
	return provider.Failover(m, others...), nil
}
