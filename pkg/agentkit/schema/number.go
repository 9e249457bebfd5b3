package schema

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// NumberSchema is the schema of a number.
type NumberSchema struct {
	doc      string
	min, max *float64
}

// Number allows every number.
func Number() NumberSchema { return NumberSchema{} }

// Doc says what the value is for.
func (s NumberSchema) Doc(text string) NumberSchema { s.doc = text; return s }

// Min is the least number, which must be finite.
func (s NumberSchema) Min(v float64) NumberSchema { s.min = &v; return s }

// Max is the greatest number, which must be finite.
func (s NumberSchema) Max(v float64) NumberSchema { s.max = &v; return s }

func (s NumberSchema) write(w *jsonx.Writer) {
	head(w, "number", s.doc)
	if s.min != nil {
		w.Key("minimum")
		w.Float(*s.min)
	}
	if s.max != nil {
		w.Key("maximum")
		w.Float(*s.max)
	}
}

func (s NumberSchema) check(at string, value json.RawMessage) error {
	v, err := strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
	switch {
	case err != nil:
		return misfit(at, "a number is expected, not %s", value)
	case s.min != nil && v < *s.min:
		return misfit(at, "at least %v is expected, not %s", *s.min, value)
	case s.max != nil && v > *s.max:
		return misfit(at, "at most %v is expected, not %s", *s.max, value)
	}
	return nil
}

// IntSchema is the schema of an integer.
type IntSchema struct {
	doc      string
	min, max *int64
}

// Int allows every integer of 64 bits. 1.0 and 1e3 are none: their spelling says that something else was meant.
func Int() IntSchema { return IntSchema{} }

// Doc says what the value is for.
func (s IntSchema) Doc(text string) IntSchema { s.doc = text; return s }

// Min is the least integer.
func (s IntSchema) Min(v int64) IntSchema { s.min = &v; return s }

// Max is the greatest integer.
func (s IntSchema) Max(v int64) IntSchema { s.max = &v; return s }

func (s IntSchema) write(w *jsonx.Writer) {
	head(w, "integer", s.doc)
	if s.min != nil {
		w.Key("minimum")
		w.Int(*s.min)
	}
	if s.max != nil {
		w.Key("maximum")
		w.Int(*s.max)
	}
}

func (s IntSchema) check(at string, value json.RawMessage) error {
	v, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
	switch {
	case err != nil:
		return misfit(at, "an integer is expected, not %s", value)
	case s.min != nil && v < *s.min:
		return misfit(at, "at least %d is expected, not %d", *s.min, v)
	case s.max != nil && v > *s.max:
		return misfit(at, "at most %d is expected, not %d", *s.max, v)
	}
	return nil
}
