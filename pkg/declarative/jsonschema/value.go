package jsonschema

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/plait-dev/plait/pkg/declarative/fields"
)

// What [time.ParseDuration] reads.
const duration = `^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*$`

// maxSafe bounds the numbers of a document, so that each of them is the same in every language.
const maxSafe = 1 << 53

// value is the schema of a type without alternatives.
func (w writer) value(t fields.Type) *jsonschema.Schema {
	one := 1
	switch t.Kind {
	case fields.Text:
		return &jsonschema.Schema{Type: "string"}
	case fields.Filled:
		return &jsonschema.Schema{Type: "string", MinLength: &one}
	case fields.Name:
		return &jsonschema.Schema{Type: "string", Pattern: "^" + t.Pattern + "$"}
	case fields.Word:
		return w.word(t)
	case fields.Bool:
		if t.Words != nil {
			return &jsonschema.Schema{Const: new(any(true))}
		}
		return &jsonschema.Schema{Type: "boolean"}
	case fields.Int:
		return numeric("integer", t)
	case fields.Number:
		return numeric("number", t)
	case fields.Duration:
		return &jsonschema.Schema{Type: "string", Pattern: duration}
	case fields.CEL:
		return &jsonschema.Schema{Types: []string{"string", "boolean", "number", "null"}, MinLength: &one}
	case fields.Route:
		return &jsonschema.Schema{Types: []string{"string", "integer", "boolean"}, MinLength: &one}
	case fields.Schema:
		return &jsonschema.Schema{Types: []string{"object", "boolean"}}
	case fields.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: w.types(*t.Elem)}
	case fields.List:
		return w.list(t)
	case fields.Object:
		return ref(t.Family, "")
	case fields.JSON:
	}
	return &jsonschema.Schema{}
}

func (w writer) word(t fields.Type) *jsonschema.Schema {
	if len(t.Words) == 1 {
		return &jsonschema.Schema{Const: new(any(t.Words[0]))}
	}
	out := &jsonschema.Schema{Type: "string"}
	for _, word := range t.Words {
		out.Enum = append(out.Enum, word)
	}
	return out
}

func (w writer) list(t fields.Type) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "array", Items: w.types(*t.Elem), UniqueItems: t.Unique}
	if t.Fewest > 0 {
		out.MinItems = &t.Fewest
	}
	if t.Longest > 0 {
		out.MaxItems = &t.Longest
	}
	return out
}

func numeric(kind string, t fields.Type) *jsonschema.Schema {
	least, most := -float64(maxSafe), float64(maxSafe)
	if t.Least != nil {
		least = *t.Least
	}
	if t.Most != nil {
		most = *t.Most
	}
	return &jsonschema.Schema{Type: kind, Minimum: &least, Maximum: &most}
}
