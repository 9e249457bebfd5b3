package intake

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// ProviderFaux is the provider of scripted models.
const ProviderFaux = "faux"

// Providers are those that this release can call.
func Providers() []string { return []string{ProviderFaux} }

// newModels makes the models of a config, by the names that the document uses. One that can't be made is in the error and
// keeps its place without a model, so that what is said of the document doesn't depend on it.
func newModels(configs map[string]*adkconfigv1.Model) (map[string]core.Model, error) {
	models := make(map[string]core.Model, len(configs))
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(configs)) {
		m, err := newModel(configs[name])
		if err != nil {
			errs = append(errs, fmt.Errorf("agent config: model %s: %w", name, err))
		}
		models[name] = m
	}
	return models, errors.Join(errs...)
}

func newModel(cfg *adkconfigv1.Model) (core.Model, error) {
	if cfg.GetProvider() != ProviderFaux {
		return nil, fmt.Errorf("the provider %q isn't in this release; it has %s",
			cfg.GetProvider(), strings.Join(Providers(), ", "))
	}
	var script faux.Script
	if text := cfg.GetScript(); text != "" {
		var err error
		if script, err = faux.Parse([]byte(text)); err != nil {
			return nil, err
		}
	}
	return faux.New(cfg.GetModel(), script)
}
