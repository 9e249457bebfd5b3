package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/fields"
)

type object = map[string]any

// TestExamplesAreGood puts the example and the default of every field at every place that has the field.
func TestExamplesAreGood(t *testing.T) {
	schema := resolve(t)
	for _, s := range fields.New().Shapes() {
		for _, f := range s.Fields {
			values := []any{f.ExampleJSON()}
			if f.Default != "" {
				var def any
				if err := json.Unmarshal(f.DefaultJSON(), &def); err != nil {
					t.Fatal(err)
				}
				values = append(values, def)
			}
			for _, value := range values {
				doc := document(s, with(s, f.Name, value))
				if list := load(t, doc); list.HasErrors() {
					t.Errorf("%s.%s: %v: the loader says %v", s.Title(), f.Name, value, list.Err())
				}
				if err := schema.Validate(doc); err != nil {
					t.Errorf("%s.%s: %v: the schema says %v", s.Title(), f.Name, value, err)
				}
			}
		}
	}
}

// samples are values of every type, some of which suit each field.
func samples() []any {
	return []any{
		nil, true, false, float64(0), float64(1), float64(-1), float64(7), 0.5, 1e17, "", "x", "no.name!", "30s", "always", "-1s",
		[]any{}, []any{"x"}, []any{"x", "x"}, []any{""}, []any{float64(1)}, []any{object{}}, []any{[]any{"x"}},
		object{}, object{"x": "y"}, object{"x": float64(1)}, object{"x": []any{}}, object{"expr": "input"}, object{"env": "A"},
	}
}

// TestSchemaAndLoaderAgree tries every sample in every field: what the schema refuses the loader refuses, and what the
// loader calls of the wrong type, unknown or missing the schema refuses.
func TestSchemaAndLoaderAgree(t *testing.T) {
	schema := resolve(t)
	shapely := []diag.Code{diag.WrongType, diag.UnknownField, diag.MissingField, diag.Exclusive}
	for _, s := range fields.New().Shapes() {
		for _, name := range append(s.Names(), "no_such_field") {
			for _, value := range samples() {
				doc := document(s, with(s, name, value))
				list := load(t, doc)
				err := schema.Validate(doc)
				at := fmt.Sprintf("%s.%s: %v", s.Title(), name, value)
				if err != nil && !list.HasErrors() {
					t.Errorf("%s: the schema alone refuses it: %v", at, err)
				}
				of := func(d diag.Diagnostic) bool { return slices.Contains(shapely, d.Code) }
				if i := slices.IndexFunc(list, of); err == nil && i >= 0 {
					t.Errorf("%s: the loader alone refuses it: %v", at, list[i])
				}
			}
		}
	}
}

// TestEveryRequiredFieldIsRequired leaves out each of them.
func TestEveryRequiredFieldIsRequired(t *testing.T) {
	schema := resolve(t)
	for _, s := range fields.New().Shapes() {
		for _, f := range s.Fields {
			if f.Name == s.By { // without it the map has another shape
				continue
			}
			m := minimal(s)
			delete(m, f.Name)
			doc := document(s, m)
			required := f.Required || s.OneOf != nil && s.OneOf[0] == f.Name || s.Whole != nil && slices.Contains(s.Whole[0], f.Name)
			if got := load(t, doc).HasErrors(); got != required {
				t.Errorf("%s without %s: the loader refuses it: %v, required: %v", s.Title(), f.Name, got, required)
			}
			if err := schema.Validate(doc); err != nil != required {
				t.Errorf("%s without %s: the schema says %v, required: %v", s.Title(), f.Name, err, required)
			}
		}
	}
}

func load(t *testing.T, doc object) diag.List {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	_, list := declarative.Load("x.json", text)
	return list
}

// minimal is a map of a shape with no more than it needs.
func minimal(s *fields.Shape) object {
	m := object{}
	for _, f := range s.Fields {
		needed := f.Required || len(s.OneOf) > 0 && s.OneOf[0] == f.Name || len(s.Whole) > 0 && slices.Contains(s.Whole[0], f.Name)
		if needed {
			m[f.Name] = f.ExampleJSON()
		}
	}
	if s.By != "" && !s.Assumed {
		m[s.By] = s.Word
	}
	return m
}

// with is a map of a shape with a field, without those that exclude it.
func with(s *fields.Shape, name string, value any) object {
	m := minimal(s)
	if slices.Contains(s.OneOf, name) {
		for _, other := range s.OneOf {
			delete(m, other)
		}
		m[name] = value
		return m
	}
	for _, pair := range s.NotBoth {
		if i := slices.Index(pair, name); i >= 0 {
			delete(m, pair[1-i])
		}
	}
	if needed, ok := s.Needs[name]; ok {
		m[needed] = s.Field(needed).ExampleJSON()
	}
	if len(s.OneOf) > 0 && !slices.ContainsFunc(s.OneOf, func(f string) bool { return m[f] != nil }) {
		last := s.OneOf[len(s.OneOf)-1]
		m[last] = s.Field(last).ExampleJSON()
	}
	if name != s.By || s.By == "" {
		m[name] = value
	}
	return m
}

// document puts a map where the format has maps of its shape.
func document(s *fields.Shape, m object) object {
	doc := object{"apiVersion": declarative.APIVersion, "kind": declarative.Kind, "agents": []any{object{"name": "a"}}}
	agent := func(fields object) object {
		fields["name"] = "a"
		doc["agents"] = []any{fields}
		return doc
	}
	node := func(fields object) object {
		fields["id"] = "n"
		return agent(object{"agent_class": "Workflow", "nodes": []any{fields}, "edges": []any{object{"from": "START", "to": "n"}}})
	}
	switch s.Family {
	case fields.Document:
		return m
	case fields.Metadata:
		doc["metadata"] = m
	case fields.RunLimits:
		doc["limits"] = m
	case fields.Server:
		doc["mcp_servers"] = []any{m}
	case fields.Header:
		doc["mcp_servers"] = []any{object{"name": "s", "url": "https://s/mcp", "headers": object{"X-A": m}}}
	case fields.Agent:
		doc["agents"] = []any{m}
	case fields.SubAgent:
		return agent(object{"sub_agents": []any{m}})
	case fields.Node:
		return agent(object{"agent_class": "Workflow", "nodes": []any{m}, "edges": []any{}})
	case fields.Edge:
		return agent(object{"agent_class": "Workflow", "nodes": []any{object{"id": "n", "type": "cel"}}, "edges": []any{m}})
	case fields.Worker:
		return node(object{"type": "parallel_worker", "worker": m})
	case fields.Retry:
		return node(object{"type": "cel", "retry": m})
	case fields.Var:
		return node(object{"type": "cel", "vars": []any{m}})
	case fields.RouteRule:
		return node(object{"type": "cel", "routes": []any{m}})
	case fields.Computed:
		return node(object{"type": "hitl", "message": m})
	case fields.OnDeadline:
		return node(object{"type": "hitl", "message": "m", "deadline": "1h", "on_deadline": m})
	case fields.PromptSource:
		return agent(object{"instruction_from": m})
	case fields.ConfigMapKey:
		return agent(object{"instruction_from": object{"config_map": m}})
	case fields.AgentTool:
		return agent(object{"tools": []any{m}})
	case fields.Generate:
		return agent(object{"generate": m})
	case fields.Limits:
		return agent(object{"limits": m})
	case fields.Rule:
		return agent(object{"after_tool": []any{m}})
	case fields.ToolRule:
		return agent(object{"before_tool": []any{m}})
	}
	return doc
}

// TestDefaultsAreDefaults writes each default out: the canonical form, which has none, must not change.
func TestDefaultsAreDefaults(t *testing.T) {
	defaults := 0
	for _, s := range fields.New().Shapes() {
		for _, f := range s.Fields {
			if f.Default == "" || f.Name == s.By {
				continue
			}
			defaults++
			var value any
			if err := json.Unmarshal(f.DefaultJSON(), &value); err != nil {
				t.Fatal(err)
			}
			without, with := canonical(t, document(s, minimal(s))), canonical(t, document(s, with(s, f.Name, value)))
			if without != with {
				t.Errorf("%s.%s: %s isn't the default:\n%s\n%s", s.Title(), f.Name, f.Default, without, with)
			}
		}
	}
	if defaults < 15 {
		t.Errorf("%d defaults", defaults)
	}
}

func canonical(t *testing.T, doc object) string {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	loaded, list := declarative.Load("x.json", text)
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	out, err := declarative.Canonicalize(loaded)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestSizesAreTheLoaders(t *testing.T) {
	table := fields.New()
	for f, size := range map[*fields.Field]int{
		table.Shape(fields.Document, "").Field("agents"):      declarative.MaxAgents,
		table.Shape(fields.Document, "").Field("mcp_servers"): declarative.MaxMCPServers,
		table.Shape(fields.Agent, "Workflow").Field("nodes"):  declarative.MaxNodes,
	} {
		if f.Type.Longest != size {
			t.Errorf("%s: %d, want %d", f.Name, f.Type.Longest, size)
		}
	}
}
