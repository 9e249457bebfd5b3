package schema

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// NumberSchema is the schema of a number.
type NumberSchema struct {
	doc string
	limits[float64]
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
	s.writeEach(w, w.Float)
}

func (s NumberSchema) check(at string, value json.RawMessage) error {
	v, err := strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
	if err != nil {
		return misfit(at, "a number is expected, not %s", value)
	}
	return s.admit(at, v, value)
}

// IntSchema is the schema of an integer.
type IntSchema struct {
	doc string
	limits[int64]
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
	s.writeEach(w, w.Int)
}

func (s IntSchema) check(at string, value json.RawMessage) error {
	v, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
	if err != nil {
		return misfit(at, "an integer is expected, not %s", value)
	}
	return s.admit(at, v, value)
}

// limits are the least and the greatest number; nil for none.
type limits[T int64 | float64] struct{ min, max *T }

func (l limits[T]) writeEach(w *jsonx.Writer, number func(T)) {
	if l.min != nil {
		w.Key("minimum")
		number(*l.min)
	}
	if l.max != nil {
		w.Key("maximum")
		number(*l.max)
	}
}

func (l limits[T]) admit(at string, v T, value json.RawMessage) error {
	switch {
	case l.min != nil && v < *l.min:
		return misfit(at, "at least %v is expected, not %s", *l.min, value)
	case l.max != nil && v > *l.max:
		return misfit(at, "at most %v is expected, not %s", *l.max, value)
	}
	return nil
}
