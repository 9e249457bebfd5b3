// Package wires makes models by the name of their provider, for programs whose configuration is data. Programs that know
// their vendor import its package and leave this one out.
package wires

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/anthropic"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
	"github.com/plait-dev/plait/pkg/agentkit/provider/ollama"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openairesponses"
)

// Options are what a configuration can say of a model. What is known of the model is looked up in the catalog.
type Options struct {
	provider.Options

	// Override is what the configuration knows better than the catalog.
	Override catalog.Override

	// Profile names the vendor whose dialect of an OpenAI API is spoken, and Overrides are single deviations, over those of
	// the profile. Empty means that of the vendor whose host is in the base URL, or OpenAI's own. The other wires have no dialects.
	Profile   string
	Overrides map[string]string

	// Cache is how long prompts are cached, of anthropic; CacheKey the key of their cache, of OpenAI's wires; Summary how much of the
	// reasoning is told, of openai-responses. Empty means the wire's default.
	Cache    string
	CacheKey string
	Summary  string
}

// Made is a model, and how it came about.
type Made struct {
	*provider.Model

	// Profile is the dialect that was chosen; empty for wires that have none.
	Profile string
}

// Names returns the providers in order.
func Names() []string { return slices.Sorted(maps.Keys(all())) }

// New makes a model of the provider with that name.
func New(name string, opts Options) (Made, error) {
	wire, ok := all()[name]
	switch {
	case !ok:
		return Made{}, fmt.Errorf("the provider %q isn't in this release; it has %s", name, strings.Join(Names(), ", "))
	case (opts.Profile != "" || len(opts.Overrides) > 0) && !strings.HasPrefix(name, "openai"):
		return Made{}, fmt.Errorf("profile and overrides belong to the providers openai and openai-responses, not to %s", name)
	case opts.Cache != "" && name != "anthropic":
		return Made{}, fmt.Errorf("prompt cache %q: it belongs to the provider anthropic, not to %s", opts.Cache, name)
	case opts.CacheKey != "" && !strings.HasPrefix(name, "openai"):
		return Made{}, fmt.Errorf("prompt cache key: it belongs to the providers openai and openai-responses, not to %s", name)
	case opts.Summary != "" && name != "openai-responses":
		return Made{}, fmt.Errorf("reasoning summary %q: it belongs to the provider openai-responses, not to %s", opts.Summary, name)
	}
	made, err := wire(opts)
	if err != nil {
		return Made{}, err
	}
	return made, nil
}

// all are the wires. Each has its own options beyond these, with defaults.
func all() map[string]func(Options) (Made, error) {
	return map[string]func(Options) (Made, error){
		"anthropic":        claude,
		"google":           gemini,
		"ollama":           local,
		"openai":           chat,
		"openai-responses": responses,
	}
}

func claude(o Options) (made Made, err error) {
	if o.Known, err = o.known(catalog.Anthropic, anthropic.BaseURL); err != nil {
		return made, err
	}
	made.Model, err = anthropic.New(anthropic.Options{Options: o.Options, Cache: anthropic.Cache(o.Cache)})
	return made, err
}

func gemini(o Options) (made Made, err error) {
	if o.Known, err = o.known(catalog.Google, google.BaseURL); err != nil {
		return made, err
	}
	made.Model, err = google.New(google.Options{Options: o.Options})
	return made, err
}

// local is a model of a server that loads it with the context that it is told.
func local(o Options) (made Made, err error) {
	if o.Known, err = o.known("", ""); err != nil {
		return made, err
	}
	made.Model, err = ollama.New(ollama.Options{Options: o.Options, ContextTokens: int(o.Known.ContextWindow)})
	return made, err
}

func chat(o Options) (made Made, err error) {
	p := openai.ProfileAt(o.BaseURL)
	if o.Profile != "" {
		p, err = openai.ProfileNamed(o.Profile)
	}
	if err == nil {
		p, err = p.With(o.Overrides)
	}
	if err == nil {
		o.Known, err = o.known(p.Name, p.BaseURL) // profiles of vendors are named as the catalog names these
	}
	if err != nil {
		return made, err
	}
	made.Profile = p.Name
	made.Model, err = openai.New(openai.Options{Options: o.Options, Profile: p, CacheKey: o.CacheKey})
	return made, err
}

func responses(o Options) (made Made, err error) {
	p := openairesponses.ProfileAt(o.BaseURL)
	if o.Profile != "" {
		p, err = openairesponses.ProfileNamed(o.Profile)
	}
	if err == nil {
		p, err = p.With(o.Overrides)
	}
	if err == nil {
		o.Known, err = o.known(strings.TrimSuffix(p.Name, "-responses"), p.BaseURL)
	}
	if err != nil {
		return made, err
	}
	made.Profile = p.Name
	made.Model, err = openairesponses.New(openairesponses.Options{Options: o.Options, Profile: p, CacheKey: o.CacheKey,
		Summary: openairesponses.Summary(o.Summary)})
	return made, err
}
