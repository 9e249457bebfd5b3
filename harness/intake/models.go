package intake

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

// ProviderFaux is the provider of scripted models.
const ProviderFaux = "faux"

// Providers are those that this release can call.
func Providers() []string { return append(wires.Names(), ProviderFaux) }

// models makes the models of the config, by the names that the document uses. One that can't be made is in the error and
// keeps its place without a model, so that what is said of the document doesn't depend on it.
func (t *taking) models() (map[string]core.Model, error) {
	configs := t.cfg.GetModels()
	alone := make(map[string]core.Model, len(configs))
	models := make(map[string]core.Model, len(configs))
	var errs []error
	failed := func(name string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("agent config: model %s: %w", name, err))
		}
	}
	names := slices.Sorted(maps.Keys(configs))
	for _, name := range names {
		m, err := t.model(configs[name])
		failed(name, err)
		alone[name], models[name] = m, nil
	}
	for _, name := range names {
		if alone[name] != nil {
			m, err := standIns(alone[name], configs[name].GetFailover(), alone)
			failed(name, err)
			models[name] = m
		}
	}
	return models, errors.Join(errs...)
}

func (t *taking) model(cfg *adkconfigv1.Model) (core.Model, error) {
	switch {
	case cfg.GetProvider() == ProviderFaux:
		return scripted(cfg)
	case slices.Contains(wires.Names(), cfg.GetProvider()):
		return t.called(cfg)
	}
	return nil, fmt.Errorf("the provider %q isn't in this release; it has %s",
		cfg.GetProvider(), strings.Join(Providers(), ", "))
}

// retry is for models that are called: what they refuse for want of capacity mostly passes within seconds. A script that
// fails was told to.
func (t *taking) retry() agentkit.Retry {
	if len(t.clients) == 0 {
		return agentkit.Retry{}
	}
	return agentkit.Retry{Attempts: 3}
}

// scripted is a model that answers by the script of its config.
func scripted(cfg *adkconfigv1.Model) (core.Model, error) {
	var script faux.Script
	if text := cfg.GetScript(); text != "" {
		var err error
		if script, err = faux.Parse([]byte(text)); err != nil {
			return nil, err
		}
	}
	return faux.New(cfg.GetModel(), script)
}
