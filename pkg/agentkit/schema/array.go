package schema

import (
	"encoding/json"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// ArraySchema is the schema of a list.
type ArraySchema struct {
	doc      string
	items    Schema
	min, max int
}

// Array allows lists of such elements.
func Array(items Schema) ArraySchema { return ArraySchema{items: items} }

// Doc says what the value is for.
func (s ArraySchema) Doc(text string) ArraySchema { s.doc = text; return s }

// MinItems is the least number of elements.
func (s ArraySchema) MinItems(n int) ArraySchema { s.min = n; return s }

// MaxItems is the greatest number of elements, from 1.
func (s ArraySchema) MaxItems(n int) ArraySchema { s.max = n; return s }

func (s ArraySchema) write(w *jsonx.Writer) {
	head(w, "array", s.doc)
	w.Key("items")
	write(w, s.items)
	bound(w, "minItems", s.min)
	bound(w, "maxItems", s.max)
}

func (s ArraySchema) check(at string, value json.RawMessage) error {
	if first(value) != '[' {
		return misfit(at, "an array is expected, not %s", value)
	}
	var items []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		return misfit(at, "%v", err)
	}
	switch n := len(items); {
	case n < s.min:
		return misfit(at, "at least %d elements are expected, not %d", s.min, n)
	case s.max > 0 && n > s.max:
		return misfit(at, "at most %d elements are expected, not %d", s.max, n)
	}
	for i, item := range items {
		if err := s.items.check(fmt.Sprintf("%s[%d]", at, i), item); err != nil {
			return err
		}
	}
	return nil
}
