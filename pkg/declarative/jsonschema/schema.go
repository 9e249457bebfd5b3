package jsonschema

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/plait-dev/plait/pkg/declarative/fields"
)

const (
	dialect = "https://json-schema.org/draft/2020-12/schema"
	id      = "https://plait.dev/schemas/adk.declarative/v0.2/agentsystem.schema.json"
)

// Schema returns the schema of an AgentSystem document as indented JSON with a line break at its end.
func Schema() ([]byte, error) {
	w := writer{table: fields.New()}
	root := w.shape(w.table.Shape(fields.Document, ""))
	root.ID, root.Schema, root.Title = id, dialect, "AgentSystem"
	root.Defs = w.definitions()
	compact, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// writer makes schemas of shapes and types.
type writer struct{ table *fields.Table }

// definitions are the families that fields refer to, and the shapes of those that have several.
func (w writer) definitions() map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for _, s := range w.table.Shapes() {
		switch {
		case s.Family == fields.Document:
		case s.Word == "":
			all[name(s.Family, "")] = w.shape(s)
		default:
			all[name(s.Family, s.Word)] = w.shape(s)
			all[name(s.Family, "")] = w.choice(s.Family)
		}
	}
	return all
}

// name is what a definition is called: prompt-source, node.llm.
func name(f fields.Family, word string) string {
	n := strings.ReplaceAll(string(f), " ", "-")
	if word != "" {
		n += "." + word
	}
	return n
}

func ref(f fields.Family, word string) *jsonschema.Schema {
	return &jsonschema.Schema{Ref: "#/$defs/" + name(f, word)}
}

// choice is a family whose shapes are told apart by the value of one field. Conditions rather than alternatives, so that
// what is wrong with an llm node isn't told as what it lacks to be a join.
func (w writer) choice(f fields.Family) *jsonschema.Schema {
	shapes := w.table.Family(f)
	by := *shapes[0].Field(shapes[0].By)
	all := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{by.Name: w.field(by)},
	}
	if by.Required {
		all.Required = []string{by.Name}
	}
	for _, s := range shapes {
		is := &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{s.By: {Const: new(any(s.Word))}}}
		if !s.Assumed {
			is.Required = []string{s.By}
		}
		all.AllOf = append(all.AllOf, &jsonschema.Schema{If: is, Then: ref(f, s.Word)})
	}
	return all
}

// shape is one map with its fields and what they are to each other.
func (w writer) shape(s *fields.Shape) *jsonschema.Schema {
	out := &jsonschema.Schema{
		Description: s.Description, Type: "object", PropertyOrder: s.Names(), DependentRequired: map[string][]string{},
		Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, f := range s.Fields {
		if f.Name == s.By {
			f.Type, f.Example = fields.Type{Kind: fields.Word, Words: []string{s.Word}}, s.Word
			f.Default = "" // it belongs to the choice
		}
		out.Properties[f.Name] = w.field(f)
		if f.Required {
			out.Required = append(out.Required, f.Name)
		}
	}
	for _, name := range s.OneOf {
		out.OneOf = append(out.OneOf, &jsonschema.Schema{Required: []string{name}})
	}
	for _, group := range s.Whole {
		out.AnyOf = append(out.AnyOf, &jsonschema.Schema{Required: group})
	}
	for _, pair := range s.NotBoth {
		out.AllOf = append(out.AllOf, &jsonschema.Schema{Not: &jsonschema.Schema{Required: pair}})
	}
	for name, needed := range s.Needs {
		out.DependentRequired[name] = []string{needed}
	}
	return out
}

// field is the schema of a field's value, with what an editor shows of it.
func (w writer) field(f fields.Field) *jsonschema.Schema {
	out := w.types(f.Type)
	out.Description = f.Description
	if f.Default != "" {
		out.Default = f.DefaultJSON()
	}
	out.Examples = []any{f.ExampleJSON()}
	return out
}

func (w writer) types(t fields.Type) *jsonschema.Schema {
	alternatives := t.Alternatives()
	if len(alternatives) == 1 {
		return w.value(alternatives[0])
	}
	var out jsonschema.Schema
	for _, a := range alternatives {
		out.AnyOf = append(out.AnyOf, w.value(a))
	}
	return &out
}
