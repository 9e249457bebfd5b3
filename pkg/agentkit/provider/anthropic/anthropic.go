package anthropic

import (
	"cmp"
	"context"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// BaseURL is the vendor's own.
const BaseURL = "https://api.anthropic.com"

// The wire's constants. The version is that of the whole API, and hasn't changed since 2023; what came later is either in
// it or named by a beta header, of which the features used here need none.
const (
	messages    = "v1/messages"
	apiVersion  = "2023-06-01"
	longestID   = 64
	markedTurns = 2 // breakpoints of the cache for messages; the API allows 4, and one is for tools and system prompt
)

// Cache says how long the vendor is asked to keep the prefix of a request. Writing to the cache costs more than reading
// without one: a quarter more for five minutes, twice as much for an hour.
type Cache string

// The lengths.
const (
	CacheMinutes Cache = "5m" // the default
	CacheHour    Cache = "1h"
	CacheOff     Cache = "off"
)

// Options configure a model of this wire.
type Options struct {
	provider.Options

	// Cache is how prompts are cached; empty means [CacheMinutes].
	Cache Cache

	// Search is how deferred tools are found; empty means [SearchWords].
	Search ToolSearch
}

// New returns a model. Its default for [core.Generate].MaxOutputTokens, which the API demands, is all that the model is
// known to write, or else what every model of the named generation allows.
func New(opts Options) (*provider.Model, error) {
	w := &wire{model: opts.Model, generation: generationOf(opts.Model), cache: cmp.Or(opts.Cache, CacheMinutes),
		search: cmp.Or(opts.Search, SearchWords)}
	switch w.cache {
	case CacheMinutes, CacheHour, CacheOff:
	default:
		return nil, fmt.Errorf("cache %q: one of 5m, 1h and off is expected", w.cache)
	}
	switch w.search {
	case SearchWords, SearchRegex:
	default:
		return nil, fmt.Errorf("search %q: bm25 or regex is expected", w.search)
	}
	return provider.New(w, opts.Options)
}

// wire is the Messages API for one model.
type wire struct {
	model      string
	generation generation
	cache      Cache
	search     ToolSearch
	tools      provider.ToolCache
}

// Traits returns the wire's constants.
func (w *wire) Traits() provider.Traits {
	return provider.Traits{
		BaseURL:   BaseURL,
		Framing:   provider.FramingSSE,
		Headers:   []provider.Header{{Name: "Anthropic-Version", Value: apiVersion}},
		KeyHeader: "X-Api-Key",

		LimitDemanded: true,
	}
}

// Decoder returns a decoder for one answer.
func (w *wire) Decoder() provider.Decoder { return &decoder{} }

// Encode writes a request.
func (w *wire) Encode(ctx context.Context, req *core.Request, d *provider.Draft) error {
	e := encoder{Draft: d, wire: w, ids: provider.NewIDs(longestID, "")}
	d.Path = messages
	d.BeginObject()
	d.TextField("model", w.model)
	e.settings(req)
	if !d.Whole {
		d.Key("stream")
		d.Bool(true)
	}
	e.declare(req.Tools, req.System == "")
	e.system(req.System, e.words)
	e.stale = e.staleSearches(req)
	if err := e.messages(ctx, req.Messages); err != nil {
		return err
	}
	d.EndObject()
	return nil
}
