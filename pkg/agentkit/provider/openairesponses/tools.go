package openairesponses

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

// The items of a search for tools, which the vendor runs: what the model looks for, and what was found. Both are kept and sent
// again where they were. https://developers.openai.com/api/docs/guides/tools-tool-search
const (
	searchItem = "tool_search_call"
	foundItem  = "tool_search_output"
)

// declare writes the tools: those that the model is shown, the search, and those that it finds.
func (e *encoder) declare(tools []core.Spec) {
	write := e.wire.writeTool
	switch {
	case !e.wire.profile.ToolSearch:
		e.ShowAll(tools, "this vendor isn't known to have a search for tools")
	case !e.Known.Searches():
		e.ShowAll(tools, "the model "+e.Model+" has no search for tools")
	default:
		shown, deferred := provider.Sort(tools)
		if len(deferred) == 0 {
			break
		}
		e.deferred = make(map[string]bool, len(deferred))
		e.Declare(shown, &e.wire.tools, write, func() {
			e.BeginObject()
			e.TextField("type", "tool_search")
			e.EndObject()
			for i := range deferred {
				e.deferred[deferred[i].Name] = true
				e.Tool(&e.wire.tools, &deferred[i], write)
			}
		})
		return
	}
	e.Declare(tools, &e.wire.tools, write, nil)
}

// writeTool says whether the schema is strict: by default it is here, and then the vendor refuses or changes schemas that
// aren't of its own part of JSON Schema, as those of most MCP servers.
func (w *wire) writeTool(out *jsonx.Writer, spec *core.Spec) (note string) {
	out.BeginObject()
	out.TextField("type", "function")
	out.TextField("name", spec.Name)
	if spec.Description != "" {
		out.TextField("description", spec.Description)
	}
	out.Key("parameters")
	out.Raw(provider.InputSchema(spec))
	strict, note := oai.ArgsStrict(spec, w.profile.Strict)
	out.Key("strict")
	out.Bool(strict)
	if spec.Deferred && w.profile.ToolSearch && w.known.Searches() {
		out.Key("defer_loading")
		out.Bool(true)
	}
	out.EndObject()
	return note
}

// searched writes an item of a search, unless there is nothing to search any more. Who made the item is told by the vendor and
// not taken by it; the id goes with that of the reasoning in front.
func (e *encoder) searched(item json.RawMessage, paired bool) {
	if len(e.deferred) == 0 {
		if !e.told {
			e.Warnf("searches for tools of earlier turns are left out: there are no deferred tools any more")
		}
		e.told = true
		return
	}
	r := jsonx.NewReader(item)
	e.BeginObject()
	for o := r.Object(); o.Next(); {
		key := string(o.Key())
		if key == "created_by" || key == "id" && !paired {
			continue
		}
		e.Key(key)
		e.Raw(r.Raw())
	}
	e.EndObject()
}
