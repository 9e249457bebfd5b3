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

// Names returns the providers in order.
func Names() []string { return slices.Sorted(maps.Keys(all())) }

// New makes a model of the provider with that name.
func New(name string, opts provider.Options) (core.Model, error) {
	wire, ok := all()[name]
	if !ok {
		return nil, fmt.Errorf("the provider %q isn't in this release; it has %s", name, strings.Join(Names(), ", "))
	}
	return wire(opts)
}

// all are the wires. Each has its own options beyond these, with defaults.
func all() map[string]func(provider.Options) (core.Model, error) {
	return map[string]func(provider.Options) (core.Model, error){
		"anthropic": func(o provider.Options) (core.Model, error) {
			return anthropic.New(anthropic.Options{Options: o})
		},
		"openai": func(o provider.Options) (core.Model, error) {
			return openai.New(openai.Options{Options: o})
		},
		"openai-responses": func(o provider.Options) (core.Model, error) {
			return openairesponses.New(openairesponses.Options{Options: o})
		},
		"google": func(o provider.Options) (core.Model, error) {
			return google.New(google.Options{Options: o})
		},
		"ollama": func(o provider.Options) (core.Model, error) {
			return ollama.New(ollama.Options{Options: o})
		},
	}
}
