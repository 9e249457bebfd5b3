package schema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// ObjectSchema is the schema of an object. It allows no properties but its own.
type ObjectSchema struct {
	doc   string
	props []Property
}

// Property is a property of an object.
type Property struct {
	name     string
	value    Schema
	optional bool
}

// Prop is a property that an object must have.
func Prop(name string, value Schema) Property { return Property{name: name, value: value} }

// Optional is a property that an object may have. Null doesn't stand for its absence.
func Optional(name string, value Schema) Property {
	return Property{name: name, value: value, optional: true}
}

// Object allows objects of these properties, which are declared in this order. Their names differ.
func Object(props ...Property) ObjectSchema { return ObjectSchema{props: slices.Clone(props)} }

// Doc says what the value is for.
func (s ObjectSchema) Doc(text string) ObjectSchema { s.doc = text; return s }

func (s ObjectSchema) write(w *jsonx.Writer) {
	head(w, "object", s.doc)
	w.Key("properties")
	w.BeginObject()
	for _, p := range s.props {
		w.Key(p.name)
		write(w, p.value)
	}
	w.EndObject()
	if slices.ContainsFunc(s.props, func(p Property) bool { return !p.optional }) {
		w.Key("required")
		w.BeginArray()
		for _, p := range s.props {
			if !p.optional {
				w.Text(p.name)
			}
		}
		w.EndArray()
	}
	w.Key("additionalProperties")
	w.Bool(false)
}

func (s ObjectSchema) check(at string, value json.RawMessage) error {
	if first(value) != '{' {
		return misfit(at, "an object is expected, not %s", value)
	}
	members, err := jsonx.Members(value)
	if err != nil {
		return misfit(at, "%v", err)
	}
	for _, p := range s.props {
		n := slices.IndexFunc(members, func(m jsonx.Member) bool { return m.Key == p.name })
		if n < 0 {
			if !p.optional {
				return misfit(at, "the property %q is missing", p.name)
			}
			continue
		}
		if err := p.value.check(below(at, p.name), members[n].Value); err != nil {
			return err
		}
	}
	for _, m := range members {
		if !slices.ContainsFunc(s.props, func(p Property) bool { return p.name == m.Key }) {
			return misfit(at, "there is no property %q; %s", m.Key, s.names())
		}
	}
	return nil
}

func below(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// names tells what properties there are.
func (s ObjectSchema) names() string {
	if len(s.props) == 0 {
		return "there are none"
	}
	names := make([]string, len(s.props))
	for i, p := range s.props {
		names[i] = p.name
	}
	return "they are " + strings.Join(names, ", ")
}
