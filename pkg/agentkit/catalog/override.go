package catalog

import (
	"errors"

	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

// Override is what a configuration knows better; nil fields leave what the catalog says. Prices are in US dollars for a
// million tokens.
type Override struct {
	ContextWindow, MaxOutput *int64

	InputPrice, OutputPrice, CacheReadPrice, CacheWritePrice *float64
}

// Apply returns what was found with the override over it. Prices of a configuration hold for prompts of every length.
// Where the catalog has none, those of input and output have to be there, and tokens of caches cost as much as input
// unless the configuration says something else. Where all are 0 the model is free.
func (o Override) Apply(f Found) (Found, error) {
	set(&f.ContextWindow, o.ContextWindow)
	set(&f.MaxOutput, o.MaxOutput)
	if o.InputPrice == nil && o.OutputPrice == nil && o.CacheReadPrice == nil && o.CacheWritePrice == nil {
		return f, nil
	}
	prices := f.Tariff.Prices
	if !f.Tariff.Known() {
		if o.InputPrice == nil || o.OutputPrice == nil {
			return f, errors.New("input_price and output_price are needed, what the model costs isn't known otherwise")
		}
		prices.CacheRead, prices.CacheWrite = *o.InputPrice, *o.InputPrice
	}
	set(&prices.Input, o.InputPrice)
	set(&prices.Output, o.OutputPrice)
	set(&prices.CacheRead, o.CacheReadPrice)
	set(&prices.CacheWrite, o.CacheWritePrice)
	f.Tariff = cost.Tariff{Prices: prices, Free: prices == cost.Prices{}}
	return f, nil
}

func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}
