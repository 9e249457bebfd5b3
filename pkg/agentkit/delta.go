package agentkit

import (
	"maps"
	"slices"
)

// delta is what a run has written to the state.
type delta struct {
	set  map[string]any
	gone map[string]bool
}

func (d *delta) apply(set map[string]any, gone []string) {
	for k, v := range set {
		if d.set == nil {
			d.set = map[string]any{}
		}
		d.set[k] = v
		delete(d.gone, k)
	}
	for _, k := range gone {
		if d.gone == nil {
			d.gone = map[string]bool{}
		}
		d.gone[k] = true
		delete(d.set, k)
	}
}

// deleted returns the keys that were removed, sorted.
func (d *delta) deleted() []string { return slices.Sorted(maps.Keys(d.gone)) }

// state looks a key up: what the run wrote goes before what was there.
func (r *run) state(key string) (any, bool) {
	if v, ok := r.delta.set[key]; ok {
		return v, true
	}
	if r.delta.gone[key] || r.in.State == nil {
		return nil, false
	}
	return r.in.State(key)
}

// artifact looks an artifact up.
func (r *run) artifact(name string) (string, bool) {
	if r.in.Artifact == nil {
		return "", false
	}
	return r.in.Artifact(name)
}
