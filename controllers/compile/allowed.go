package compile

import (
	"slices"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
)

// allowed is what a document may refer to on the harness. Lists are sorted and, where nil means something, never nil by
// chance.
type allowed struct {
	// mapped are the names of models that the template has, models those of them that documents may use.
	mapped, models []string
	harnessTools   []string
	env            []declarative.ExposedVar
	hosts          []string
	// functions, tools and hooks are nil when it isn't known what the program has.
	functions, tools, hooks []string
}

// options are those of the validator. Models are all that are mapped: which of them aren't allowed is reported in other
// words.
func (a *allowed) options() declarative.Options {
	return declarative.Options{
		Functions: a.functions, Tools: a.tools, Hooks: a.hooks,
		Models: a.mapped, HarnessTools: a.harnessTools, Env: a.env, MCPHosts: a.hosts,
	}
}

func (c *compilation) allow() allowed {
	policy := c.in.Harness.Spec.DocumentPolicy
	if policy == nil {
		policy = &v1alpha1.DocumentPolicy{}
	}
	a := allowed{mapped: sorted(c.mappedModels()), harnessTools: allowedHarnessTools(policy), env: []declarative.ExposedVar{}}
	a.models = a.mapped
	if policy.Models != nil {
		a.models = slices.DeleteFunc(slices.Clone(a.mapped), func(name string) bool { return !slices.Contains(*policy.Models, name) })
	}
	for _, grant := range policy.Env {
		a.env = append(a.env, declarative.ExposedVar{Name: grant.Name, Hosts: sorted(grant.Hosts)})
	}
	a.hosts = c.allowedHosts(policy.MCPHosts)
	switch byo := c.in.Harness.Spec.BYO; {
	case byo == nil: // the program of this release has registered nothing
		a.functions, a.tools, a.hooks = []string{}, []string{}, []string{}
	case byo.Capabilities != nil:
		has := byo.Capabilities
		a.functions, a.tools, a.hooks = sorted(has.Functions), sorted(has.Tools), sorted(has.Hooks)
	}
	return a
}

// allowedHarnessTools are those that the policy lists, else the ones that work on files of the session alone.
func allowedHarnessTools(policy *v1alpha1.DocumentPolicy) []string {
	if policy.HarnessTools == nil {
		return []string{"edit_file", "list_files", "read_file", "write_file"}
	}
	tools := []string{}
	for _, tool := range *policy.HarnessTools {
		tools = append(tools, string(tool))
	}
	return sorted(tools)
}

// mappedModels are the names of models that the template has.
func (c *compilation) mappedModels() []string {
	var names []string
	if c.in.Template.Spec.ModelConfig != nil {
		names = append(names, declarative.DefaultModel)
	}
	for _, m := range c.in.Template.Spec.Models {
		names = append(names, m.Name)
	}
	return names
}

// sorted is a sorted copy without repetitions that is never nil.
func sorted(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return slices.Compact(list)
}
