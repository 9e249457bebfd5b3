package schema

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// StringSchema is the schema of a text.
type StringSchema struct {
	doc      string
	enum     []string
	min, max int // in characters; max 0: no bound
}

// String allows every text.
func String() StringSchema { return StringSchema{} }

// Enum allows these texts.
func Enum(texts ...string) StringSchema { return StringSchema{enum: slices.Clone(texts)} }

// Doc says what the value is for.
func (s StringSchema) Doc(text string) StringSchema { s.doc = text; return s }

// MinLen is the least number of characters.
func (s StringSchema) MinLen(n int) StringSchema { s.min = n; return s }

// MaxLen is the greatest number of characters, from 1.
func (s StringSchema) MaxLen(n int) StringSchema { s.max = n; return s }

func (s StringSchema) write(w *jsonx.Writer) {
	head(w, "string", s.doc)
	if len(s.enum) > 0 {
		w.TextsField("enum", s.enum)
	}
	bound(w, "minLength", s.min)
	bound(w, "maxLength", s.max)
}

// bound writes a bound on a length; 0 is none.
func bound(w *jsonx.Writer, key string, n int) {
	if n > 0 {
		w.Key(key)
		w.Int(int64(n))
	}
}

func (s StringSchema) check(at string, value json.RawMessage) error {
	if first(value) != '"' {
		return misfit(at, "a string is expected, not %s", value)
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return misfit(at, "%v", err)
	}
	switch n := utf8.RuneCountInString(text); {
	case len(s.enum) > 0 && !slices.Contains(s.enum, text):
		return misfit(at, "%q is none of %s", text, strings.Join(s.enum, ", "))
	case n < s.min:
		return misfit(at, "at least %d characters are expected, not %d", s.min, n)
	case s.max > 0 && n > s.max:
		return misfit(at, "at most %d characters are expected, not %d", s.max, n)
	}
	return nil
}
