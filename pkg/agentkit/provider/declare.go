package provider

import (
	"fmt"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Sort returns the tools that the model is shown and those that it searches, for a wire that declares the latter behind the
// former: what is in front of them stays the same when some are added, and so does the vendor's cache of it.
func Sort(tools []core.Spec) (shown, deferred []core.Spec) {
	if !slices.ContainsFunc(tools, isDeferred) {
		return tools, nil
	}
	for _, t := range tools {
		if t.Deferred {
			deferred = append(deferred, t)
		} else {
			shown = append(shown, t)
		}
	}
	return shown, deferred
}

func isDeferred(t core.Spec) bool { return t.Deferred }

// ShowAll tells the caller, once, why deferred tools are declared like the others.
func (d *Draft) ShowAll(tools []core.Spec, why string) {
	if slices.ContainsFunc(tools, isDeferred) {
		d.Warnf("deferred tools are declared like the others: %s", why)
	}
}

// Tool writes a tool as the cache has it, and tells the caller what of it can't be honoured.
func (d *Draft) Tool(cache *ToolCache, spec *core.Spec, write ToolWriter) {
	sent, note := cache.Get(spec, write)
	d.Note(note)
	d.Raw(sent)
}

// Note tells the caller what a [ToolWriter] noted, if it did.
func (d *Draft) Note(note string) {
	if note != "" {
		d.warnings = append(d.warnings, note)
	}
}

// NotStrict is the note about a tool that is to be strict and can't be; empty when it needn't be.
func NotStrict(spec *core.Spec, why string) string {
	if !spec.Strict {
		return ""
	}
	return fmt.Sprintf("the arguments of the tool %s aren't bound to its schema: %s", spec.Name, why)
}
