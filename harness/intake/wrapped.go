package intake

import (
	"errors"
	"fmt"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// wrapped gives a model the limits and prices of its config.
func wrapped(m core.Model, cfg *adkconfigv1.Model) (core.Model, error) {
	if c := cfg.GetCatalog(); c != nil {
		prices, err := prices(c)
		if err != nil {
			return nil, err
		}
		m = provider.Priced(m, prices)
	}
	if l := cfg.GetRateLimits(); l != nil {
		m = provider.Limit(m, provider.Limits{Requests: int(l.GetRequestsPerMinute()), Tokens: l.GetTokensPerMinute()})
	}
	return m, nil
}

// prices are those of the config. There are no others in this release, so they have to be whole; tokens of a cache cost as
// much as others unless the config says something else.
func prices(c *adkconfigv1.CatalogOverrides) (provider.Prices, error) {
	switch {
	case c.ContextWindow != nil || c.MaxOutputTokens != nil:
		return provider.Prices{}, errors.New("catalog: this release takes prices alone, neither context_window nor max_output_tokens")
	case c.InputPrice == nil || c.OutputPrice == nil:
		return provider.Prices{}, errors.New("catalog: input_price and output_price are needed, what the model costs isn't known otherwise")
	}
	p := provider.Prices{Input: c.GetInputPrice(), Output: c.GetOutputPrice(), CacheRead: c.GetInputPrice(), CacheWrite: c.GetInputPrice()}
	if c.CacheReadPrice != nil {
		p.CacheRead = c.GetCacheReadPrice()
	}
	if c.CacheWritePrice != nil {
		p.CacheWrite = c.GetCacheWritePrice()
	}
	return p, nil
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
