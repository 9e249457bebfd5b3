package anthropic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// bindable returns the schema in the part of JSON Schema that the API can bind an answer to, or says what stands against
// it. There every object names its members and has no others, and bounds of numbers, lengths and texts don't exist. They
// are left out: the answer is checked against the whole schema when it has come, so being bound to less only means that a
// second try may be needed. Order and spelling of the rest stay. What is exact mustn't need any change.
func bindable(schema json.RawMessage, exact bool) (bound json.RawMessage, against string) {
	b := binder{r: jsonx.NewReader(schema), w: jsonx.NewWriter(len(schema) + 64), exact: exact}
	b.schema()
	if err := b.r.End(); err != nil && b.against == "" {
		b.against = err.Error()
	}
	return b.w.Bytes(), b.against
}

// binder copies a schema.
type binder struct {
	r       *jsonx.Reader
	w       *jsonx.Writer
	exact   bool
	against string
}

func (b *binder) refusef(format string, args ...any) {
	if b.against == "" {
		b.against = fmt.Sprintf(format, args...)
	}
}

// object is what was seen of one schema.
type object struct {
	is     bool // its type may be object
	named  bool // its members are named
	closed bool // it has no others
}

func (b *binder) schema() {
	if b.r.Peek() != '{' {
		b.refusef("a schema that allows everything or nothing")
		b.r.Skip()
		return
	}
	var seen object
	b.w.BeginObject()
	for o := b.r.Object(); o.Next(); {
		b.keyword(string(o.Key()), &seen)
	}
	switch {
	case seen.is && !seen.named:
		b.refusef("an object whose members aren't named")
	case seen.is && !seen.closed:
		if b.exact {
			b.refusef("an object with members that it doesn't name (additionalProperties: false is missing)")
		}
		b.w.Key("additionalProperties")
		b.w.Bool(false)
	}
	b.w.EndObject()
}

func (b *binder) keyword(key string, seen *object) {
	switch key {
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
		"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "examples", "$schema", "$comment":
		if b.exact {
			b.refusef("the keyword %q", key)
		}
		b.r.Skip()
	case "properties", "$defs", "definitions":
		seen.named = seen.named || key == "properties"
		b.w.Key(key)
		b.w.BeginObject()
		for o := b.r.Object(); o.Next(); {
			b.w.Key(string(o.Key()))
			b.schema()
		}
		b.w.EndObject()
	case "items":
		b.w.Key(key)
		b.schema()
	case "anyOf", "allOf":
		b.w.Key(key)
		b.w.BeginArray()
		for a := b.r.Array(); a.Next(); {
			b.schema()
		}
		b.w.EndArray()
	case "additionalProperties":
		seen.closed = true
		if more := b.copy(key); string(more) != "false" {
			b.refusef("an object with members that aren't named")
		}
	case "format":
		b.format(b.r.Text())
	case "type":
		seen.is = strings.Contains(string(b.copy(key)), `"object"`)
	case "$ref", "enum", "const", "required", "title", "description", "default":
		b.copy(key)
	default:
		b.r.Skip()
		b.refusef("the keyword %q", key)
	}
}

// copy writes a member as it is.
func (b *binder) copy(key string) json.RawMessage {
	value := b.r.Raw()
	b.w.Key(key)
	b.w.Raw(value)
	return value
}

func (b *binder) format(name string) {
	known := []string{"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
	switch {
	case slices.Contains(known, name):
		b.w.TextField("format", name)
	case b.exact:
		b.refusef("the format %q", name)
	}
}
