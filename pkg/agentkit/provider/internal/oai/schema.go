package oai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// AgainstStrict says what stands against holding an answer to a schema (strict: true), or nothing. The vendor does so for
// a part of JSON Schema only, and refuses requests with anything else: the root is an object, every object names its
// members, requires all of them and has no others.
// https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas
func AgainstStrict(schema json.RawMessage) string {
	s := strict{r: jsonx.NewReader(schema)}
	root := s.schema()
	if err := s.r.End(); err != nil {
		return "what isn't JSON"
	}
	if s.against == "" && !root.object {
		return "anything but an object at the root"
	}
	return s.against
}

// strict walks through a schema.
type strict struct {
	r       *jsonx.Reader
	against string
}

func (s *strict) refusef(format string, args ...any) {
	if s.against == "" {
		s.against = fmt.Sprintf(format, args...)
	}
}

// shape is what was seen of one schema.
type shape struct {
	object   bool // its type is object
	closed   bool // it has no members but those it names
	members  []string
	required []string
}

func (s *strict) schema() shape {
	var seen shape
	if s.r.Peek() != '{' {
		s.refusef("a schema that allows everything or nothing")
		s.r.Skip()
		return seen
	}
	for o := s.r.Object(); o.Next(); {
		s.keyword(string(o.Key()), &seen)
	}
	if seen.object && !seen.closed {
		s.refusef("an object with members that it doesn't name (additionalProperties: false is missing)")
	}
	for _, name := range seen.members {
		if !slices.Contains(seen.required, name) {
			s.refusef("the optional member %q", name)
		}
	}
	return seen
}

func (s *strict) keyword(key string, seen *shape) {
	switch key {
	case "type":
		seen.object = strings.Contains(string(s.r.Raw()), `"object"`)
	case "properties":
		seen.members = s.named()
	case "$defs", "definitions":
		s.named()
	case "required":
		for a := s.r.Array(); a.Next(); {
			seen.required = append(seen.required, s.r.Text())
		}
	case "additionalProperties":
		seen.closed = string(s.r.Raw()) == "false"
	case "items":
		s.schema()
	case "anyOf":
		for a := s.r.Array(); a.Next(); {
			s.schema()
		}
	case "format":
		s.format(s.r.Text())
	case "$ref", "enum", "const", "title", "description", "$schema", "pattern", "multipleOf", "minimum", "maximum",
		"exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems":
		s.r.Skip()
	default:
		s.r.Skip()
		s.refusef("the keyword %q", key)
	}
}

func (s *strict) format(name string) {
	known := []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
	if !slices.Contains(known, name) {
		s.refusef("the format %q", name)
	}
}

// named walks through an object of schemas and returns their names.
func (s *strict) named() (names []string) {
	for o := s.r.Object(); o.Next(); {
		names = append(names, string(o.Key()))
		s.schema()
	}
	return names
}
