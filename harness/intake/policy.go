package intake

import (
	"maps"
	"slices"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/declarative"
)

// DefaultHarnessTools are those that a document may list when nobody says otherwise.
func DefaultHarnessTools() []string { return fileTools() }

// Validation is what a document may refer to when it runs by the config's models and policy in the environment. The
// config needs no document for it.
func Validation(cfg *adkconfigv1.AgentConfig, env Environment) declarative.Options {
	policy := cfg.GetPolicy()
	opts := declarative.Options{
		Functions:    append(names(env.Functions), names(env.Schedulers)...),
		Tools:        names(env.Tools),
		Hooks:        names(env.Hooks),
		Models:       allowedModels(cfg),
		HarnessTools: listed(policy.GetHarnessTools()),
		Env:          []declarative.ExposedVar{},
		MCPHosts:     listed(policy.GetMcpHosts()),
	}
	for _, g := range policy.GetEnv() {
		opts.Env = append(opts.Env, declarative.ExposedVar{Name: g.GetName(), Hosts: listed(g.GetHosts())})
	}
	return opts
}

// listed is a list of the policy as the validator takes it. There, nil is not to know; in a policy a list that is empty
// allows nothing.
func listed(list []string) []string { return append([]string{}, list...) }

// allowedModels are those that the policy lists and the config has.
func allowedModels(cfg *adkconfigv1.AgentConfig) []string {
	allowed := []string{}
	for _, name := range cfg.GetPolicy().GetModels() {
		if _, ok := cfg.GetModels()[name]; ok {
			allowed = append(allowed, name)
		}
	}
	return allowed
}

// harnessTools are those that the policy allows and this release has.
func (t *taking) harnessTools() []string {
	var tools []string
	for _, name := range t.cfg.GetPolicy().GetHarnessTools() {
		if t.env.WorkspaceDir != nil && slices.Contains(fileTools(), name) {
			tools = append(tools, name)
		}
	}
	return tools
}

// names is never nil: that nothing is registered is something else than not knowing what is.
func names[V any](m map[string]V) []string {
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(m))))
}
