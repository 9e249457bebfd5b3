package journal

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Normalize makes a normal value of any value that encoding/json can write: nil, a bool, a string, an int64 (a uint64
// above the largest int64), a finite float64, a []any or a map[string]any of such. A value that is normal already is
// returned as it is, without an allocation; of others only the parts that change are copied, and v itself never
// changes. Floating-point fields and elements stay doubles also when their value is whole. Strings are made UTF-8.
//
// The error is a *[ValueError] that names the place: a number that isn't finite, more than [MaxDepth] levels, or what
// encoding/json refuses.
func Normalize(v any) (any, error) {
	n, changed, err := normalize(v, MaxDepth)
	switch {
	case err != nil:
		return nil, err
	case changed:
		return n, nil
	default:
		return v, nil
	}
}

// normalize returns what has to stand in v's place, if anything has to. Levels bounds the nesting.
func normalize(v any, levels int) (n any, changed bool, err error) {
	switch v := v.(type) {
	case nil, bool, int64:
		return nil, false, nil
	case string:
		if utf8.ValidString(v) {
			return nil, false, nil
		}
		return validString(v), true, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false, notFinite(v)
		}
		return nil, false, nil
	case uint64:
		if v > math.MaxInt64 {
			return nil, false, nil
		}
		return int64(v), true, nil
	case int:
		return int64(v), true, nil
	case []any:
		return normalizeArray(v, levels)
	case map[string]any:
		return normalizeObject(v, levels)
	case json.RawMessage:
		n, err = fromText(v, levels)
	case json.Number:
		n, err = decodeWithin([]byte(v), levels)
	default:
		n, err = fromGo(v, levels)
	}
	return n, true, err
}

func normalizeArray(list []any, levels int) (n any, changed bool, err error) {
	switch {
	case list == nil:
		return nil, true, nil
	case levels == 0:
		return nil, false, tooDeep()
	}
	var fresh []any
	for i, v := range list {
		n, changed, err := normalize(v, levels-1)
		if err != nil {
			return nil, false, inIndex(err, i)
		}
		if changed && fresh == nil {
			fresh = slices.Clone(list)
		}
		if changed {
			fresh[i] = n
		}
	}
	if fresh == nil {
		return nil, false, nil
	}
	return fresh, true, nil
}

func normalizeObject(object map[string]any, levels int) (n any, changed bool, err error) {
	switch {
	case object == nil:
		return nil, true, nil
	case levels == 0:
		return nil, false, tooDeep()
	}
	var fresh map[string]any
	for k, v := range object {
		n, changed, err := normalize(v, levels-1)
		if err != nil {
			return nil, false, inKey(err, k)
		}
		valid := utf8.ValidString(k)
		if !changed && valid {
			continue
		}
		if fresh == nil {
			fresh = maps.Clone(object)
		}
		if !changed {
			n = v
		}
		if !valid {
			delete(fresh, k)
		}
		fresh[validString(k)] = n
	}
	if fresh == nil {
		return nil, false, nil
	}
	return fresh, true, nil
}

// fromText reads JSON text; none is null, as for encoding/json.
func fromText(text json.RawMessage, levels int) (any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	return decodeWithin(text, levels)
}

// fromGo goes the way through encoding/json, which knows every type's tags and methods.
func fromGo(v any, levels int) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, &ValueError{Problem: fmt.Sprintf("%T has no JSON form: %v", v, err)}
	}
	// A double of 1e20 is written there like an integer, which is the one reason to read it as a double.
	n, err := (&parser{data: text, wide: true}).text(levels)
	if err != nil {
		return nil, err
	}
	return keepDoubles(reflect.ValueOf(v), n), nil
}

func validString(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
