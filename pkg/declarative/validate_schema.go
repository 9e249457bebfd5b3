package declarative

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plait-dev/plait/internal/schemas"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

const (
	schemaDialect    = "https://json-schema.org/draft/2020-12/schema"
	maxSchemaPattern = 1000 // bytes of one regular expression
)

// schemas checks every JSON Schema of the document.
func (v *validator) schemas() {
	for i := range v.doc.Agents {
		a, at := &v.doc.Agents[i], v.agentAt(i)
		if a.LLM != nil {
			v.schema(at.Field("output_schema"), a.LLM.OutputSchema)
		}
		if a.Graph != nil {
			v.schema(at.Field("state_schema"), a.Graph.StateSchema)
		}
	}
	for _, s := range v.sites {
		v.schema(s.at.Field("input_schema"), s.node.InputSchema)
		v.schema(s.at.Field("output_schema"), s.node.OutputSchema)
		if h, ok := s.node.Body.(*HITL); ok {
			v.schema(s.at.Field("response_schema"), h.ResponseSchema)
		}
	}
}

// schema checks one schema: each keyword by itself, which can be said where it stands, then the whole.
func (v *validator) schema(p source.Place, schema Schema) {
	if schema == nil {
		return
	}
	if p.Exists() { // else it was added to a loaded document
		v.subschema(p)
	}
	if v.report.BrokenBelow(p) {
		return
	}
	if err := compileSchema(schema); err != nil {
		v.report.Value(p, diag.BadSchema, fmt.Sprintf("%q is no JSON Schema: %s", p.Key(), err), "")
	}
}

// compileSchema resolves the references of a schema.
func compileSchema(schema Schema) error {
	data, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	_, err = schemas.Compile(data)
	return err
}

// subschema checks a schema or a part of one that is a schema itself.
func (v *validator) subschema(p source.Place) {
	switch p.Node().Kind() {
	case source.Bool:
	case source.Map:
		for _, e := range p.Entries() {
			v.keyword(e)
		}
	default:
		v.report.Want(p, source.Map, "a JSON Schema (a map, true or false)")
	}
}

// shape is what the value of a keyword of JSON Schema has to be.
type shape int

const (
	anyValue shape = iota
	oneSchema
	schemaList
	schemaMap
	aText
	aCount
	aNumber
	aFlag
	textList
	textListMap
	aList
)

// keywordShape knows the keywords of draft 2020-12; what it doesn't know, the draft ignores.
func keywordShape(keyword string) shape {
	switch keyword {
	case "not", "if", "then", "else", "contains", "items", "additionalProperties", "propertyNames", "unevaluatedItems",
		"unevaluatedProperties", "contentSchema":
		return oneSchema
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return schemaList
	case "properties", "patternProperties", "$defs", "dependentSchemas":
		return schemaMap
	case "$ref", "$dynamicRef", "$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "pattern", "format", "title", "description",
		"contentEncoding", "contentMediaType":
		return aText
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		return aCount
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return aNumber
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		return aFlag
	case "required":
		return textList
	case "dependentRequired":
		return textListMap
	case "enum", "examples":
		return aList
	}
	return anyValue
}

func (v *validator) keyword(p source.Place) {
	switch keywordShape(p.Key()) {
	case oneSchema:
		v.subschema(p)
	case schemaList:
		if v.report.Want(p, source.List, "a list of schemas") {
			v.each(p.Items(), v.subschema)
		}
	case schemaMap:
		if v.report.Want(p, source.Map, "a map of schemas") {
			v.each(p.Entries(), v.subschema)
		}
		if p.Key() == "patternProperties" {
			for _, e := range p.Entries() {
				v.pattern(e, e.Key())
			}
		}
	case aText:
		if v.report.Want(p, source.String, "a string") {
			v.textKeyword(p, p.Node().Text())
		}
	case aCount:
		if v.report.Want(p, source.Int, "an integer") && strings.HasPrefix(p.Node().Text(), "-") {
			v.report.Value(p, diag.BadSchema, fmt.Sprintf("%q counts, so it can't be %s", p.Key(), p.Node().Text()), "")
		}
	case aNumber:
		if p.Node().Kind() != source.Float {
			v.report.Want(p, source.Int, "a number")
		}
	case aFlag:
		v.report.Want(p, source.Bool, "true or false")
	case textList:
		v.textList(p)
	case textListMap:
		if v.report.Want(p, source.Map, "a map of lists of names") {
			v.each(p.Entries(), v.textList)
		}
	case aList:
		v.report.Want(p, source.List, "a list")
	default:
		if p.Key() == "type" {
			v.typeKeyword(p)
		}
	}
}

func (v *validator) each(places []source.Place, check func(source.Place)) {
	for _, p := range places {
		check(p)
	}
}

func (v *validator) textList(p source.Place) {
	if v.report.Want(p, source.List, "a list of names") {
		v.each(p.Items(), func(p source.Place) { v.report.Text(p, "a string") })
	}
}

func (v *validator) typeKeyword(p source.Place) {
	types := []string{"null", "boolean", "object", "array", "number", "string", "integer"}
	places := p.Items()
	if p.Node().Kind() != source.List {
		places = []source.Place{p}
	}
	for _, p := range places {
		if v.report.Want(p, source.String, "a type or a list of types") && !slices.Contains(types, p.Node().Text()) {
			v.report.Value(p, diag.BadSchema, fmt.Sprintf("%q is no type of JSON Schema", p.Node().Text()), v.hint(p.Node().Text(), types))
		}
	}
}

func (v *validator) textKeyword(p source.Place, text string) {
	switch {
	case (p.Key() == "$ref" || p.Key() == "$dynamicRef") && !strings.HasPrefix(text, "#"):
		v.report.Value(p, diag.BadSchema, fmt.Sprintf("%q refers to another document; a schema here stands for itself", text),
			"copy it into $defs and refer to #/$defs/NAME")
	case p.Key() == "$schema" && strings.TrimSuffix(text, "#") != schemaDialect:
		v.report.Value(p, diag.BadSchema, fmt.Sprintf("%q is another dialect; schemas here are read as %s", text, schemaDialect), "")
	case p.Key() == "pattern":
		v.pattern(p, text)
	}
}

// pattern checks a regular expression, the value of pattern or a key of patternProperties.
func (v *validator) pattern(p source.Place, pattern string) {
	if len(pattern) > maxSchemaPattern {
		v.report.Key(p, diag.BadSchema, fmt.Sprintf("a regular expression of %d bytes; it may have %d", len(pattern), maxSchemaPattern), "")
		return
	}
	if _, err := regexp.Compile(pattern); err != nil {
		v.report.Key(p, diag.BadSchema, fmt.Sprintf("%q is no regular expression (RE2): %s", pattern,
			strings.TrimPrefix(err.Error(), "error parsing regexp: ")), "")
	}
}
