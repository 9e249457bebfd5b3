package compile

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// checkObjects checks the rules of the definitions of the kinds, which an API server checks and a file doesn't. The steps
// after it rely on them.
func (c *compilation) checkObjects() *Refusal {
	if c.in.Template == nil || c.in.Harness == nil {
		return refuse(errIncomplete.Error())
	}
	k := &checker{}
	k.template(c.in.Template)
	k.harness(c.in.Harness)
	if t, h := c.in.Template, c.in.Harness; t.Namespace != h.Namespace {
		k.wrong(of(t)+"metadata.namespace", fmt.Sprintf("it is %q, that of %s %s is %q", t.Namespace, kindHarness, h.Name, h.Namespace))
	}
	if c.in.Harness.Spec.Managed != nil && c.in.ManagedImage == "" {
		k.wrong(of(c.in.Harness)+"spec.managed", "the image of managed harnesses isn't known here")
	}
	for _, name := range slices.Sorted(maps.Keys(c.in.ModelConfigs)) {
		k.model(c.in.ModelConfigs[name])
	}
	for _, tool := range c.in.Template.Spec.Tools {
		if server := c.in.Servers[tool.MCP.Server.Name]; server != nil {
			k.server(server)
		}
	}
	return k.refusal()
}

// Problems are what is wrong with an object by the rules of its kind alone, all of it: the object, the place in it and a
// sentence each, as in "Harness main: spec.auth: give either bearer …".
func Problems[T object](o T) []string {
	k := &checker{}
	switch o := any(o).(type) {
	case *v1alpha1.AgentTemplate:
		k.template(o)
	case *v1alpha1.Harness:
		k.harness(o)
	case *v1alpha1.ModelConfig:
		k.model(o)
	case *v1alpha1.RemoteMCPServer:
		k.server(o)
	}
	return k.problems
}

// checker collects what is wrong with objects.
type checker struct{ problems []string }

// wrong notes a problem with the value at a place.
func (k *checker) wrong(at, problem string) { k.problems = append(k.problems, at+": "+problem) }

// must notes a problem unless a rule is kept.
func (k *checker) must(kept bool, at, problem string) {
	if !kept {
		k.wrong(at, problem)
	}
}

func (k *checker) refusal() *Refusal {
	switch n := len(k.problems); n {
	case 0:
		return nil
	case 1:
		return refuse(k.problems[0])
	default:
		return refuse(fmt.Sprintf("%s (and %d more)", k.problems[0], n-1))
	}
}

func (k *checker) template(t *v1alpha1.AgentTemplate) {
	at, spec := of(t), &t.Spec
	k.must(t.Name != "", at+"metadata.name", "it is empty")
	k.must(count(spec.WorkflowFrom != nil, spec.SystemPrompt != nil, spec.SystemPromptFrom != nil) == 1,
		at+"spec", "give exactly one of workflowFrom, systemPrompt and systemPromptFrom")
	k.must(spec.WorkflowFrom != nil || spec.ModelConfig != nil, at+"spec", "a template with a prompt needs modelConfig")
	k.must(spec.SystemPrompt == nil || *spec.SystemPrompt != "", at+"spec.systemPrompt", "it is empty")
	k.key(at+"spec.workflowFrom", spec.WorkflowFrom)
	k.key(at+"spec.systemPromptFrom", spec.SystemPromptFrom)
	k.must(spec.ModelConfig == nil || spec.ModelConfig.Name != "", at+"spec.modelConfig.name", "it is empty")
	var names []string
	for i, m := range spec.Models {
		at := fmt.Sprintf("%sspec.models[%d]", at, i)
		k.must(m.Name != "default", at, "the model default is modelConfig; models are further names")
		k.must(modelName.MatchString(m.Name), at+".name", fmt.Sprintf("%q can't be the name of a model", m.Name))
		k.must(m.ModelConfig.Name != "", at+".modelConfig.name", "it is empty")
		names = append(names, m.Name)
	}
	k.unique(at+"spec.models", names)
	k.tools(at, spec.Tools)
}

func (k *checker) tools(at string, tools []v1alpha1.Tool) {
	var names []string
	for i, t := range tools {
		at := fmt.Sprintf("%sspec.tools[%d].mcp", at, i)
		server := t.MCP.Server
		k.must(server.Kind == "" || server.Kind == kindServer, at+".server.kind",
			fmt.Sprintf("%q isn't a kind of servers; there is %s", server.Kind, kindServer))
		k.must(serverName.MatchString(server.Name), at+".server.name", fmt.Sprintf(
			"%q can't be the name of a server; it consists of small letters, digits and -, starts with a letter and has at most 32 characters",
			server.Name))
		k.must(!slices.Contains(t.MCP.Tools, ""), at+".tools", "the name of a tool is empty")
		k.unique(at+".tools", t.MCP.Tools)
		names = append(names, server.Name)
	}
	k.unique(at+"spec.tools", names)
}

func (k *checker) model(m *v1alpha1.ModelConfig) {
	at, spec := of(m), &m.Spec
	k.must(slices.Contains(providers(), spec.Provider), at+"spec.provider",
		fmt.Sprintf("%q isn't a provider; there are %s", spec.Provider, enumerate(providers())))
	k.must(spec.Model != "", at+"spec.model", "it is empty")
	k.must((spec.Faux != nil) == (spec.Provider == providerFaux), at+"spec.faux", "it belongs to the provider faux, which needs it")
	k.must(spec.Compat == nil || spec.Provider == "openai" || spec.Provider == "openai-responses",
		at+"spec.compat", "it belongs to the providers openai and openai-responses")
	k.must(spec.PromptCache == "" || spec.Provider == "anthropic", at+"spec.promptCache", "it belongs to the provider anthropic")
	k.must(spec.PromptCacheKey == "" || spec.Provider == "openai" || spec.Provider == "openai-responses",
		at+"spec.promptCacheKey", "it belongs to the providers openai and openai-responses")
	k.must(spec.ReasoningSummary == "" || spec.Provider == "openai-responses", at+"spec.reasoningSummary",
		"it belongs to the provider openai-responses")
	if spec.Faux != nil {
		k.key(at+"spec.faux.scriptFrom", &spec.Faux.ScriptFrom)
	}
	k.key(at+"spec.apiKeySecretRef", spec.APIKeySecretRef)
	k.url(at+"spec.baseURL", spec.BaseURL)
	k.url(at+"spec.proxyURL", spec.ProxyURL)
	k.headers(at, spec.Headers)
	k.must(!slices.Contains(spec.Failover, ""), at+"spec.failover", "the name of a model is empty")
	if r := spec.RateLimits; r != nil {
		k.must(r.RequestsPerMinute >= 0 && r.TokensPerMinute >= 0, at+"spec.rateLimits", "a limit is negative; 0 means none")
	}
	if o := spec.Catalog; o != nil {
		k.positive(at+"spec.catalog.contextWindow", o.ContextWindow)
		k.positive(at+"spec.catalog.maxOutputTokens", o.MaxOutputTokens)
		for _, price := range []struct {
			field string
			value *resource.Quantity
		}{
			{"inputPrice", o.InputPrice},
			{"outputPrice", o.OutputPrice},
			{"cacheReadPrice", o.CacheReadPrice},
			{"cacheWritePrice", o.CacheWritePrice},
		} {
			k.must(price.value == nil || price.value.Sign() >= 0, at+"spec.catalog."+price.field, "it can't be negative")
		}
	}
}

func (k *checker) server(s *v1alpha1.RemoteMCPServer) {
	at := of(s)
	k.must(s.Spec.URL != "", at+"spec.url", "it is empty")
	k.url(at+"spec.url", s.Spec.URL)
	k.headers(at, s.Spec.Headers)
	k.must(s.Spec.Timeout == nil || s.Spec.Timeout.Duration > 0, at+"spec.timeout", "it must be longer than 0s")
}
