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
	tools map[toolKey]json.RawMessage
}

type toolKey struct{ name, description, schema string }

// mostTools bounds the cache for programs that make up tools without end.
const mostTools = 4096

// Get returns the bytes of a tool, which write makes when they aren't there yet.
func (c *ToolCache) Get(spec *core.Spec, write func(*jsonx.Writer, *core.Spec)) json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sent, ok := c.tools[toolKey{spec.Name, spec.Description, string(spec.InputSchema)}]; ok {
		return sent
	}
	if c.tools == nil || len(c.tools) >= mostTools {
		c.tools = map[toolKey]json.RawMessage{}
	}
	w := jsonx.NewWriter(len(spec.InputSchema) + len(spec.Description) + 128)
	write(w, spec)
	c.tools[toolKey{spec.Name, spec.Description, string(spec.InputSchema)}] = w.Bytes()
	return w.Bytes()
}

// InputSchema returns the schema of a tool's arguments; that of a tool without one is an object without properties.
func InputSchema(spec *core.Spec) json.RawMessage {
	if len(spec.InputSchema) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return spec.InputSchema
}
