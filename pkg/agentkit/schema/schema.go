package schema

import (
	"encoding/json"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// Schema is the schema of a value. Schemas are immutable values; a method that adds a constraint returns another one.
type Schema interface {
	// write appends the members of the schema's object.
	write(w *jsonx.Writer)

	// check holds a JSON text against the schema. At is the place for errors.
	check(at string, value json.RawMessage) error
}

// JSON returns the schema's text.
func JSON(s Schema) json.RawMessage {
	w := jsonx.NewWriter(256)
	write(w, s)
	return w.Bytes()
}

func write(w *jsonx.Writer, s Schema) {
	w.BeginObject()
	s.write(w)
	w.EndObject()
}

// Check reports whether data is a JSON value of the schema. The error names the first place that isn't, and what is
// expected there.
func Check(s Schema, data json.RawMessage) error {
	if err := jsonx.Check(data); err != nil {
		return err
	}
	return s.check("", data)
}

// misfit is the error for a value. The place is left out for the outermost value.
func misfit(at, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if at == "" {
		return fmt.Errorf("%s", text)
	}
	return fmt.Errorf("%s: %s", at, text)
}

// head writes what all schemas begin with.
func head(w *jsonx.Writer, typ, doc string) {
	if typ != "" {
		w.TextField("type", typ)
	}
	if doc != "" {
		w.TextField("description", doc)
	}
}

// first is the first byte of a value, which tells its type.
func first(value json.RawMessage) byte {
	for _, c := range value {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// AnySchema is the schema of every value.
type AnySchema struct{ doc string }

// Any allows every value.
func Any() AnySchema { return AnySchema{} }

// Doc says what the value is for.
func (s AnySchema) Doc(text string) AnySchema { s.doc = text; return s }

func (s AnySchema) write(w *jsonx.Writer) { head(w, "", s.doc) }

func (AnySchema) check(string, json.RawMessage) error { return nil }

// BoolSchema is the schema of true and false.
type BoolSchema struct{ doc string }

// Bool allows true and false.
func Bool() BoolSchema { return BoolSchema{} }

// Doc says what the value is for.
func (s BoolSchema) Doc(text string) BoolSchema { s.doc = text; return s }

func (s BoolSchema) write(w *jsonx.Writer) { head(w, "boolean", s.doc) }

func (BoolSchema) check(at string, value json.RawMessage) error {
	if c := first(value); c != 't' && c != 'f' {
		return misfit(at, "true or false is expected, not %s", value)
	}
	return nil
}
