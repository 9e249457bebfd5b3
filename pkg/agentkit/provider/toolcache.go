package provider

import (
	"encoding/json"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// ToolCache keeps what a wire sends of each tool, so that a schema is serialized once and not with every request. A tool
// is known by what it says, not by where it is in memory: one that is built again unchanged is found. The zero ToolCache
// is ready, and safe for concurrent use.
type ToolCache struct {
	mu    sync.Mutex
	tools map[toolKey]cachedTool
}

type toolKey struct {
	name, description, schema string
	deferred, strict          bool
}

type cachedTool struct {
	sent json.RawMessage
	note string
}

// ToolWriter writes a tool for a wire. The note says what of it can't be honoured; empty: all is.
type ToolWriter func(w *jsonx.Writer, spec *core.Spec) (note string)

// mostTools bounds the cache for programs that make up tools without end.
const mostTools = 4096

// Get returns the bytes of a tool, and the note about it, which write makes when they aren't there yet.
func (c *ToolCache) Get(spec *core.Spec, write ToolWriter) (sent json.RawMessage, note string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if tool, ok := c.tools[toolKey{spec.Name, spec.Description, string(spec.InputSchema), spec.Deferred, spec.Strict}]; ok {
		return tool.sent, tool.note
	}
	if c.tools == nil || len(c.tools) >= mostTools {
		c.tools = map[toolKey]cachedTool{}
	}
	w := jsonx.NewWriter(len(spec.InputSchema) + len(spec.Description) + 128)
	note = write(w, spec)
	c.tools[toolKey{spec.Name, spec.Description, string(spec.InputSchema), spec.Deferred, spec.Strict}] = cachedTool{w.Bytes(), note}
	return w.Bytes(), note
}

// InputSchema returns the schema of a tool's arguments; that of a tool without one is an object without properties.
func InputSchema(spec *core.Spec) json.RawMessage {
	if len(spec.InputSchema) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return spec.InputSchema
}
