// Package wires makes models by the name of their provider, for programs whose configuration is data. Programs that know
// their vendor import its package and leave this one out.
package wires

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/anthropic"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
	"github.com/plait-dev/plait/pkg/agentkit/provider/ollama"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openairesponses"
)

// Options are what a configuration can say of a model.
type Options struct {
	provider.Options

	// Profile names the vendor whose dialect of an OpenAI API is spoken, and Overrides are single deviations, over those of
	// the profile. Empty means that of the vendor whose host is in the base URL, or OpenAI's own. The other wires have no dialects.
	Profile   string
	Overrides map[string]string
}

// Names returns the providers in order.
func Names() []string { return slices.Sorted(maps.Keys(all())) }

// New makes a model of the provider with that name.
func New(name string, opts Options) (core.Model, error) {
	wire, ok := all()[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("the provider %q isn't in this release; it has %s", name, strings.Join(Names(), ", "))
	case (opts.Profile != "" || len(opts.Overrides) > 0) && !strings.HasPrefix(name, "openai"):
		return nil, fmt.Errorf("profile and overrides belong to the providers openai and openai-responses, not to %s", name)
	}
	return wire(opts)
}

// all are the wires. Each has its own options beyond these, with defaults.
func all() map[string]func(Options) (core.Model, error) {
	return map[string]func(Options) (core.Model, error){
		"anthropic": func(o Options) (core.Model, error) {
			return anthropic.New(anthropic.Options{Options: o.Options})
		},
		"google": func(o Options) (core.Model, error) {
			return google.New(google.Options{Options: o.Options})
		},
		"ollama": func(o Options) (core.Model, error) {
			return ollama.New(ollama.Options{Options: o.Options})
		},
		"openai":           chat,
		"openai-responses": responses,
	}
}

func chat(o Options) (core.Model, error) {
	p, err := openai.ProfileAt(o.BaseURL), error(nil)
	if o.Profile != "" {
		p, err = openai.ProfileNamed(o.Profile)
	}
	if err == nil {
		p, err = p.With(o.Overrides)
	}
	if err != nil {
		return nil, err
	}
	return openai.New(openai.Options{Options: o.Options, Profile: p})
}

func responses(o Options) (core.Model, error) {
	p, err := openairesponses.ProfileAt(o.BaseURL), error(nil)
	if o.Profile != "" {
		p, err = openairesponses.ProfileNamed(o.Profile)
	}
	if err == nil {
		p, err = p.With(o.Overrides)
	}
	if err != nil {
		return nil, err
	}
	return openairesponses.New(openairesponses.Options{Options: o.Options, Profile: p})
}
