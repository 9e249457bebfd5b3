package compile

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
)

// models are those that the document uses, and those that stand in for them, by the names that the template gives them.
func (c *compilation) models() (map[string]*adkconfigv1.Model, *Refusal) {
	models := map[string]*adkconfigv1.Model{}
	for todo := c.usage.modelNames(); len(todo) > 0; todo = todo[1:] {
		name := todo[0]
		if models[name] != nil {
			continue
		}
		object, refusal := c.modelConfig(name)
		if refusal != nil {
			return nil, refusal
		}
		for i, standIn := range object.Spec.Failover {
			if _, mapped := c.modelRef(standIn); !mapped {
				return nil, refuse(fmt.Sprintf("%sspec.failover[%d]: %s maps no model to the name %q",
					of(object), i, kindTemplate+" "+c.in.Template.Name, standIn))
			}
		}
		todo = append(todo, object.Spec.Failover...)
		if models[name], refusal = c.model(object); refusal != nil {
			return nil, refusal
		}
	}
	return models, nil
}

// modelRef is the object that the template gives a name.
func (c *compilation) modelRef(name string) (object string, mapped bool) {
	spec := &c.in.Template.Spec
	if name == declarative.DefaultModel && spec.ModelConfig != nil {
		return spec.ModelConfig.Name, true
	}
	for _, m := range spec.Models {
		if m.Name == name {
			return m.ModelConfig.Name, true
		}
	}
	return "", false
}

func (c *compilation) modelConfig(name string) (*v1alpha1.ModelConfig, *Refusal) {
	ref, _ := c.modelRef(name)
	object := c.in.ModelConfigs[ref]
	if object == nil {
		return nil, refuse(fmt.Sprintf("%sthe model %q: there is no %s %s", of(c.in.Template), name, kindModelConfig, ref))
	}
	return object, nil
}

func (c *compilation) model(m *v1alpha1.ModelConfig) (*adkconfigv1.Model, *Refusal) {
	spec := &m.Spec
	model := &adkconfigv1.Model{
		Provider: spec.Provider,
		Model:    spec.Model,
		BaseUrl:  spec.BaseURL,
		Headers:  c.headers(spec.Headers),
		ProxyUrl: spec.ProxyURL,
		Failover: spec.Failover,
		Catalog:  catalog(spec.Catalog),

		PromptCache:      spec.PromptCache,
		PromptCacheKey:   spec.PromptCacheKey,
		ReasoningSummary: spec.ReasoningSummary,
	}
	if spec.APIKeySecretRef != nil {
		model.ApiKey = c.secret(*spec.APIKeySecretRef)
	}
	if r := spec.RateLimits; r != nil && *r != (v1alpha1.RateLimits{}) {
		model.RateLimits = &adkconfigv1.RateLimits{RequestsPerMinute: r.RequestsPerMinute, TokensPerMinute: r.TokensPerMinute}
	}
	if compat := spec.Compat; compat != nil && (compat.Profile != "" || len(compat.Overrides) > 0) {
		model.Compat = &adkconfigv1.Compat{Profile: compat.Profile, Overrides: compat.Overrides}
	}
	if spec.Faux == nil {
		return model, nil
	}
	var refusal *Refusal
	model.Script, refusal = c.script(m)
	return model, refusal
}

// script is the script of a model that answers by one. It is written in YAML or JSON and shipped as JSON.
func (c *compilation) script(m *v1alpha1.ModelConfig) (string, *Refusal) {
	ref := m.Spec.Faux.ScriptFrom
	text, ok := c.in.Texts[ref]
	if !ok {
		return "", refuse(of(m) + "spec.faux.scriptFrom: the script wasn't read")
	}
	script, err := yaml.YAMLToJSONStrict([]byte(text.Text))
	if err != nil {
		return "", refuse(fmt.Sprintf("configmap/%s/%s: the script of %s %s: %v", ref.Name, ref.Key, kindModelConfig, m.Name, err))
	}
	return string(script), nil
}

// catalog is nil when nothing is replaced.
func catalog(o *v1alpha1.CatalogOverrides) *adkconfigv1.CatalogOverrides {
	if o == nil || *o == (v1alpha1.CatalogOverrides{}) {
		return nil
	}
	return &adkconfigv1.CatalogOverrides{
		ContextWindow:   o.ContextWindow,
		MaxOutputTokens: o.MaxOutputTokens,
		InputPrice:      float(o.InputPrice),
		OutputPrice:     float(o.OutputPrice),
		CacheReadPrice:  float(o.CacheReadPrice),
		CacheWritePrice: float(o.CacheWritePrice),
	}
}

// float is an amount of money as the config has it.
func float(q *resource.Quantity) *float64 {
	if q == nil {
		return nil
	}
	f := q.AsApproximateFloat64()
	return &f
}

func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
