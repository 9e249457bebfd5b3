package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// Absent stands for a value that isn't there, which is something else than null.
const Absent = "(absent)"

// Difference is a place, as a JSON pointer without escapes, and what each text has there.
type Difference struct{ At, Ours, Theirs string }

// JSON lists the differences of two texts. The order of members makes none; the order of arrays and the spelling of numbers do.
func JSON(ours, theirs []byte) ([]Difference, error) {
	a, err := decode(ours)
	if err != nil {
		return nil, fmt.Errorf("ours: %w", err)
	}
	b, err := decode(theirs)
	if err != nil {
		return nil, fmt.Errorf("theirs: %w", err)
	}
	return walk("", a, b), nil
}

func decode(text []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON text")
	}
	return value, nil
}

// absent is the value that isn't there.
type absent struct{}

func walk(at string, a, b any) []Difference {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			return members(at, x, y)
		}
	case []any:
		if y, ok := b.([]any); ok {
			return elements(at, x, y)
		}
	default:
		switch b.(type) {
		case map[string]any, []any:
		default:
			if a == b {
				return nil
			}
		}
	}
	return []Difference{{At: at, Ours: text(a), Theirs: text(b)}}
}

func members(at string, a, b map[string]any) (all []Difference) {
	names := slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, m := range []map[string]any{a, b} {
			for name := range maps.Keys(m) {
				if !yield(name) {
					return
				}
			}
		}
	}))
	for _, name := range names {
		all = append(all, walk(at+"/"+name, member(a, name), member(b, name))...)
	}
	return all
}

func member(m map[string]any, name string) any {
	if v, ok := m[name]; ok {
		return v
	}
	return absent{}
}

func elements(at string, a, b []any) (all []Difference) {
	for i := range max(len(a), len(b)) {
		all = append(all, walk(at+"/"+strconv.Itoa(i), element(a, i), element(b, i))...)
	}
	return all
}

func element(a []any, i int) any {
	if i < len(a) {
		return a[i]
	}
	return absent{}
}

func text(v any) string {
	if v == (absent{}) {
		return Absent
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error() // never of what was decoded from JSON
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
