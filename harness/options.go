package harness

import (
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative/build"
)

// Function is a Go function that nodes of type function may name. Config is what the node's config holds, as JSON values;
// nil when it has none. It is safe for concurrent use.
type Function = build.Function

// Scheduler is a Go function that nodes of type dynamic may name: it runs the children of its node.
type Scheduler = build.Scheduler

// Tool is a tool that nodes and agents may name, besides those of MCP servers and of the harness itself.
type Tool = core.Tool

// Option adds a Go part to the harness. A name that is empty or taken, or a part that is nil, is refused by [Main].
type Option interface{ apply(r *registry) }

type optionFunc func(*registry)

func (f optionFunc) apply(r *registry) { f(r) }

// WithFunction registers a function under the name that documents use for it.
func WithFunction(name string, fn Function) Option {
	return optionFunc(func(r *registry) {
		if add(r, "function", name, fn == nil, r.functions) {
			r.functions[name] = fn
		}
	})
}

// WithScheduler registers a scheduler under the name that documents use for it, which no function may have.
func WithScheduler(name string, s Scheduler) Option {
	return optionFunc(func(r *registry) {
		if add(r, "scheduler", name, s == nil, r.schedulers) {
			r.schedulers[name] = s
		}
	})
}

// WithTool registers a tool under the name in its Spec.
func WithTool(t Tool) Option {
	return optionFunc(func(r *registry) {
		name := ""
		if t != nil {
			name = t.Spec().Name
		}
		if add(r, "tool", name, t == nil, r.tools) {
			r.tools[name] = t
		}
	})
}

// Hook is Go code that rules of hooks may name.
type Hook = build.Hook

// WithHook registers a hook under the name that documents use for it.
func WithHook(name string, h Hook) Option {
	return optionFunc(func(r *registry) {
		none := h.BeforeModel == nil && h.AfterModel == nil && h.BeforeTool == nil && h.AfterTool == nil
		if add(r, "hook", name, none, r.hooks) {
			r.hooks[name] = h
		}
	})
}

// registry holds the Go parts of one harness.
type registry struct {
	functions  map[string]Function
	schedulers map[string]Scheduler
	tools      map[string]Tool
	hooks      map[string]Hook
	errs       []error
}

// newRegistry applies the options. Everything that is wrong with them is in the error.
func newRegistry(opts []Option) (*registry, error) {
	r := &registry{functions: map[string]Function{}, schedulers: map[string]Scheduler{}, tools: map[string]Tool{},
		hooks: map[string]Hook{}}
	for _, o := range opts {
		o.apply(r)
	}
	for name := range r.schedulers {
		if _, twice := r.functions[name]; twice {
			r.errs = append(r.errs, fmt.Errorf("%q was registered as a function and as a scheduler", name))
		}
	}
	return r, errors.Join(r.errs...)
}

// add reports whether a part may be added, and notes why not.
func add[V any](r *registry, kind, name string, missing bool, taken map[string]V) bool {
	_, twice := taken[name]
	switch {
	case missing:
		r.errs = append(r.errs, fmt.Errorf("the %s %q that was registered is nil", kind, name))
	case name == "":
		r.errs = append(r.errs, fmt.Errorf("a %s was registered without a name", kind))
	case twice:
		r.errs = append(r.errs, fmt.Errorf("the %s %q was registered twice", kind, name))
	default:
		return true
	}
	return false
}
