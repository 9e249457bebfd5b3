package build

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/plait-dev/plait/internal/schemas"
	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/journal"
)

// schemaCache compiles each JSON Schema once: agents are made for every activation, their tools' schemas stay the same.
// It is safe for concurrent use.
type schemaCache struct {
	mu       sync.Mutex
	resolved map[string]*jsonschema.Resolved
}

var _ agentkit.Schemas = (*schemaCache)(nil)

func newSchemaCache() *schemaCache {
	return &schemaCache{resolved: map[string]*jsonschema.Resolved{}}
}

// Compile implements [agentkit.Schemas].
func (c *schemaCache) Compile(schema json.RawMessage) (agentkit.Check, error) {
	v, err := c.compile(schema)
	if err != nil {
		return nil, err
	}
	return func(value json.RawMessage) error {
		decoded, err := journal.DecodeValue(value)
		if err != nil {
			return err
		}
		return v.Validate(decoded)
	}, nil
}

// shown is a tool's schema as those who edit its arguments see it; nil when it isn't one that can be checked.
func (c *schemaCache) shown(schema json.RawMessage) any {
	if len(schema) == 0 {
		return nil
	}
	value, err := journal.DecodeValue(schema)
	if err != nil {
		return nil
	}
	if _, err := c.compile(schema); err != nil {
		return nil
	}
	return value
}

// resolve compiles a schema that the loader decoded.
func (c *schemaCache) resolve(schema any) (*jsonschema.Resolved, error) {
	text, err := journal.EncodeValue(schema)
	if err != nil {
		return nil, err
	}
	return c.compile(text)
}

func (c *schemaCache) compile(text []byte) (*jsonschema.Resolved, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.resolved[string(text)]; ok {
		return v, nil
	}
	v, err := schemas.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("not a JSON Schema that can be checked: %w", err)
	}
	c.resolved[string(text)] = v
	return v, nil
}
