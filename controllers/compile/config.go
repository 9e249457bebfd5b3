package compile

import (
	"maps"
	"net/url"
	"slices"

	"google.golang.org/protobuf/types/known/durationpb"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
)

// makeConfig writes the config. What the document doesn't use isn't in it, so that a model, server or Service that comes
// or goes beside it makes no new revision.
func (c *compilation) makeConfig() *Refusal {
	canonical, err := declarative.Canonicalize(c.doc)
	if err != nil {
		return c.tooLarge(err.Error())
	}
	workflow, err := adkconfigv1.NewWorkflow(canonical, c.prompts...)
	if err != nil {
		return refuse(err.Error())
	}
	models, refusal := c.models()
	if refusal != nil {
		return refusal
	}
	c.config = &adkconfigv1.AgentConfig{
		ConfigVersion: adkconfigv1.Version,
		Namespace:     c.in.Template.Namespace,
		Template:      c.in.Template.Name,
		Harness:       c.in.Harness.Name,
		Workflow:      workflow,
		Models:        models,
		McpServers:    c.servers,
		Policy:        c.policy(),
	}
	if c.configRaw, err = adkconfigv1.Marshal(c.config); err != nil {
		return refuse(err.Error())
	}
	if c.result.Document != nil {
		c.result.Document.SHA256 = workflow.GetSha256()
	}
	return nil
}

// policy is as much of the harness's policy as the document needs. The harness checks the document against it again.
func (c *compilation) policy() *adkconfigv1.DocumentPolicy {
	p := &adkconfigv1.DocumentPolicy{Models: c.usage.modelNames(), McpHosts: c.serverAddresses()}
	for _, v := range c.allowed.env {
		if c.usage.env[v.Name] {
			p.Env = append(p.Env, &adkconfigv1.EnvGrant{Name: v.Name, Hosts: v.Hosts})
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(c.usage.harnessTools)) {
		if slices.Contains(c.allowed.harnessTools, tool) { // exit_loop needs no leave
			p.HarnessTools = append(p.HarnessTools, tool)
		}
	}
	if policy := c.in.Harness.Spec.DocumentPolicy; policy != nil {
		p.MaxLimits = maxLimits(policy.MaxLimits)
	}
	return p
}

// serverAddresses are those of the MCP servers, sorted.
func (c *compilation) serverAddresses() []string {
	var all []string
	for _, s := range c.doc.MCPServers {
		if u, err := url.Parse(s.URL); err == nil && s.URL != "" {
			all = append(all, address(u))
		}
	}
	return sorted(all)
}

// maxLimits are nil when there are none.
func maxLimits(l *v1alpha1.MaxLimits) *adkconfigv1.Limits {
	if l == nil || *l == (v1alpha1.MaxLimits{}) {
		return nil
	}
	limits := &adkconfigv1.Limits{
		MaxSteps:   orZero(l.MaxSteps),
		MaxVisits:  orZero(l.MaxVisits),
		MaxTokens:  orZero(l.MaxTokens),
		MaxTurns:   orZero(l.MaxTurns),
		MaxCostUsd: orZero(float(l.MaxCostUSD)),
	}
	if l.MaxDuration != nil {
		limits.MaxDuration = durationpb.New(l.MaxDuration.Duration)
	}
	return limits
}
