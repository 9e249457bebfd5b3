package anthropic

import (
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// ToolSearch is how the model searches for deferred tools, see [core.Spec]. The vendor runs the search.
type ToolSearch string

// The ways.
const (
	SearchWords ToolSearch = "bm25"  // by words of its own choice: the default
	SearchRegex ToolSearch = "regex" // by regular expressions
)

// searchVersion ends the type of both. They are part of the API without a beta header.
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
const searchVersion = "_20251119"

// declare writes the tools. The prefix ends behind those that the model is shown when no system prompt follows; deferred
// ones stand behind it, which the vendor refuses to mark.
func (e *encoder) declare(tools []core.Spec, last bool) {
	if len(tools) == 0 {
		return
	}
	write := e.wire.writeTool
	shown, deferred := tools, []core.Spec(nil)
	if e.wire.generation.searches() {
		shown, deferred = provider.Sort(tools)
	} else {
		e.ShowAll(tools, "the model "+e.wire.model+" has no search for tools")
	}
	e.Key("tools")
	e.BeginArray()
	for i := range shown {
		sent, note := e.wire.tools.Get(&shown[i], write)
		e.Note(note)
		if last && len(deferred) == 0 && i == len(shown)-1 && e.wire.cache != CacheOff {
			e.Raw(sent[:len(sent)-1]) // an object that isn't closed yet
			e.mark()
			e.EndObject()
			continue
		}
		e.Raw(sent)
	}
	if len(deferred) > 0 {
		e.search(last)
	}
	for i := range deferred {
		e.Tool(&e.wire.tools, &deferred[i], write)
	}
	e.EndArray()
}

// search declares the search itself.
func (e *encoder) search(last bool) {
	name := "tool_search_tool_" + string(e.wire.search)
	e.BeginObject()
	e.TextField("type", name+searchVersion)
	e.TextField("name", name)
	if last {
		e.mark()
	}
	e.EndObject()
}

func (w *wire) writeTool(out *jsonx.Writer, spec *core.Spec) (note string) {
	schema := provider.InputSchema(spec)
	out.BeginObject()
	out.TextField("name", spec.Name)
	if spec.Description != "" {
		out.TextField("description", spec.Description)
	}
	out.Key("input_schema")
	out.Raw(schema)
	if spec.Deferred && w.generation.searches() {
		out.Key("defer_loading")
		out.Bool(true)
	}
	if against := w.againstStrict(schema); against != "" {
		note = provider.NotStrict(spec, against)
	} else if spec.Strict {
		out.Key("strict")
		out.Bool(true)
	}
	out.EndObject()
	return note
}

// againstStrict says what stands against holding arguments to a schema, or nothing. The schema isn't changed for it, as that
// of an answer is: the model is to read all that it demands.
func (w *wire) againstStrict(schema []byte) string {
	if !w.generation.binds() {
		return "the model " + w.model + " can't be bound"
	}
	if _, against := bindable(schema, true); against != "" {
		return "this vendor can't take " + against + " in it"
	}
	return ""
}
