package intake

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

// called is a model that is called over HTTP. Nothing is sent yet.
func (t *taking) called(cfg *adkconfigv1.Model) (core.Model, error) {
	m, err := t.made(cfg)
	if err != nil {
		return nil, err
	}
	return wrapped(m, cfg), nil
}

func (t *taking) made(cfg *adkconfigv1.Model) (wires.Made, error) {
	opts, err := t.options(cfg)
	if err != nil {
		return wires.Made{}, err
	}
	return wires.New(cfg.GetProvider(), opts)
}

// options are what a config says of a model, with what of it can't be had in the error.
func (t *taking) options(cfg *adkconfigv1.Model) (wires.Options, error) {
	credentials, keyErr := t.credentials(cfg)
	headers, headerErr := t.modelHeaders(cfg.GetHeaders())
	client, clientErr := t.clients.get(cfg, t.env.Between)
	var scriptErr error
	if cfg.GetScript() != "" {
		scriptErr = fmt.Errorf("script: it belongs to the provider %s, not to %s", ProviderFaux, cfg.GetProvider())
	}
	return wires.Options{
		Options: provider.Options{
			Model:       cfg.GetModel(),
			BaseURL:     cfg.GetBaseUrl(),
			Credentials: credentials,
			Headers:     headers,
			Client:      client,
		},
		Override:  override(cfg.GetCatalog()),
		Profile:   cfg.GetCompat().GetProfile(),
		Overrides: cfg.GetCompat().GetOverrides(),
		Cache:     cfg.GetPromptCache(),
		CacheKey:  cfg.GetPromptCacheKey(),
		Summary:   cfg.GetReasoningSummary(),
	}, errors.Join(scriptErr, keyErr, headerErr, clientErr)
}

// keyless is the provider whose servers usually ask for no key.
const keyless = "ollama"

// credentials is where the API key comes from. A variable doesn't change while the process lives; a file is read for each
// call, so a key that is rotated in a mounted Secret is used at once. What isn't there now is told now.
func (t *taking) credentials(cfg *adkconfigv1.Model) (provider.Credentials, error) {
	ref := cfg.GetApiKey()
	switch {
	case ref == nil && (cfg.GetBaseUrl() != "" || cfg.GetProvider() == keyless || t.env.NoKeys):
		return nil, nil
	case ref == nil:
		return nil, fmt.Errorf("api_key: %s is called with a key, and the config names none", cfg.GetProvider())
	case ref.GetFile() != "":
		keys := provider.KeyFile(ref.GetFile())
		switch _, err := keys.Credential(context.Background()); {
		case err != nil && t.env.NoKeys:
			return nil, nil
		case err != nil:
			return nil, fmt.Errorf("api_key: %w", err)
		}
		return keys, nil
	}
	key := t.lookup(ref.GetEnv())
	switch {
	case key == "" && t.env.NoKeys:
		return nil, nil
	case key == "":
		return nil, fmt.Errorf("api_key: the variable %s isn't set", ref.GetEnv())
	}
	return provider.Static(provider.APIKey(key)), nil
}

// modelHeaders are sent with each call. One whose secret is unset or empty is left out.
func (t *taking) modelHeaders(values map[string]*adkconfigv1.Value) ([]provider.Header, error) {
	var headers []provider.Header
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text, err := t.value(values[name])
		if err != nil {
			errs = append(errs, fmt.Errorf("header %s: %w", name, err))
		}
		if text != "" {
			headers = append(headers, provider.Header{Name: name, Value: text, Secret: values[name].GetSecret() != nil})
		}
	}
	return headers, errors.Join(errs...)
}

// clients are the ways to the vendors, one for all models that take the same one.
type clients map[way]*provider.Client

// way is what makes one way to vendors different from another.
type way struct{ proxy, ca, cert, key string }

func (c clients) get(cfg *adkconfigv1.Model, between provider.Between) (*provider.Client, error) {
	w := way{cfg.GetProxyUrl(), cfg.GetTls().GetCaFile(), cfg.GetTls().GetCertFile(), cfg.GetTls().GetKeyFile()}
	if known := c[w]; known != nil {
		return known, nil
	}
	opts := provider.ClientOptions{Proxy: w.proxy, Between: between}
	if w.ca != "" {
		var err error
		if opts.CA, err = os.ReadFile(w.ca); err != nil {
			return nil, fmt.Errorf("tls: %w", err)
		}
	}
	if w.cert != "" || w.key != "" {
		pair, err := tls.LoadX509KeyPair(w.cert, w.key)
		if err != nil {
			return nil, fmt.Errorf("tls: %w", err)
		}
		opts.Certificate = &pair
	}
	client, err := provider.NewClient(opts)
	if err == nil {
		c[w] = client
	}
	return client, err
}

func (c clients) close() {
	for _, client := range c {
		client.CloseIdle()
	}
}
