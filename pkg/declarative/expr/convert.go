package expr

import (
	"encoding/base64"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// The sizes of things in JSON, roughly: a number or a word, and the punctuation around an element or a key.
const (
	jsonScalar = 4
	jsonEntry  = 4
)

// maxResult is how large a result may be, in bytes of JSON. Values inside an expression share their parts: a list of
// a thousand references to one text is small there and large outside.
const maxResult = 32 << 20

// converter turns CEL values into plain Go JSON values: nil, bool, string, int64, uint64, float64, []any and
// map[string]any. Bytes become base64 text, times and durations their text, an optional what is in it or nil. What it
// returns shares nothing with the activation.
type converter struct {
	// lenient turns NaN, infinities and types into null and names instead of errors, as toJson does.
	lenient bool
	// ordered walks over maps in order, which is only needed to find the same error each time.
	ordered bool
	size    int
}

// toGo converts a value. If it can't, it looks once more for the first error in the order of keys, so that of several
// it is always the same one.
func toGo(v ref.Val, lenient bool) (any, error) {
	switch v := v.(type) { // most results, which need no converter
	case types.Bool:
		return bool(v), nil
	case types.Int:
		return int64(v), nil
	case types.String:
		if len(v) <= maxResult {
			return string(v), nil
		}
	}
	out, err := (&converter{lenient: lenient}).convert(v)
	if err != nil {
		return (&converter{lenient: lenient, ordered: true}).convert(v)
	}
	return out, nil
}

func (c *converter) convert(v ref.Val) (any, error) {
	switch v := v.(type) {
	case types.Null:
		return nil, c.add(jsonScalar)
	case types.Bool:
		return bool(v), c.add(jsonScalar)
	case types.Int:
		return int64(v), c.add(jsonScalar)
	case types.Uint:
		return uint64(v), c.add(jsonScalar)
	case types.Double:
		return c.double(float64(v))
	case types.String:
		return string(v), c.add(len(v))
	case types.Bytes:
		return base64.StdEncoding.EncodeToString(v), c.add(len(v))
	case types.Timestamp:
		return c.text(timestamp(v.Time).ConvertToType(types.StringType))
	case types.Duration:
		return c.text(v.ConvertToType(types.StringType))
	case *types.Optional:
		if !v.HasValue() {
			return nil, nil
		}
		return c.convert(v.GetValue())
	case *types.Err:
		return nil, v
	case *types.Type:
		return c.typ(v)
	case *stringMap:
		return c.raw(v.Value())
	case *anyList:
		return c.raw(v.items)
	case *record:
		return c.record(v)
	case literalMap:
		return c.mapper(v.ordered())
	case orderedMap:
		return c.mapper(v)
	case traits.Mapper:
		return c.mapper(orderedMap{v})
	case traits.Lister:
		return c.lister(v)
	default:
		return nil, fmt.Errorf("%s is not a JSON value", typeName(v))
	}
}

// raw copies a Go value. Anything but the plain JSON types goes through the adapter.
func (c *converter) raw(value any) (any, error) {
	switch v := value.(type) {
	case ref.Val:
		return c.convert(v)
	case nil, bool, int64, uint64:
		return v, c.add(jsonScalar)
	case float64:
		return c.double(v)
	case string:
		return v, c.add(len(v))
	case map[string]any:
		if c.ordered {
			return c.rawMap(v, slices.Values(slices.Sorted(maps.Keys(v))))
		}
		return c.rawMap(v, maps.Keys(v))
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			converted, err := c.raw(item)
			if err != nil {
				return nil, err
			}
			out[i] = converted
		}
		return out, c.add(len(v) * jsonEntry)
	default:
		return c.convert(adapter{}.NativeToValue(v))
	}
}

func (c *converter) rawMap(v map[string]any, keys iter.Seq[string]) (any, error) {
	out := make(map[string]any, len(v))
	for key := range keys {
		if err := c.add(jsonEntry + len(key)); err != nil {
			return nil, err
		}
		converted, err := c.raw(v[key])
		if err != nil {
			return nil, err
		}
		out[key] = converted
	}
	return out, nil
}

func (c *converter) double(f float64) (any, error) {
	if !math.IsNaN(f) && !math.IsInf(f, 0) {
		return f, c.add(jsonScalar)
	}
	if c.lenient {
		return nil, c.add(jsonScalar)
	}
	return nil, fmt.Errorf("a number in the result is %v, which JSON can't express", f)
}

func (c *converter) typ(t *types.Type) (any, error) {
	if !c.lenient {
		return nil, fmt.Errorf("the type %s is not a JSON value", t.TypeName())
	}
	return t.TypeName(), c.add(len(t.TypeName()))
}

func (c *converter) text(v ref.Val) (any, error) {
	s, ok := v.(types.String)
	if !ok {
		return nil, fmt.Errorf("%s can't be written as text", typeName(v))
	}
	return string(s), c.add(len(s))
}

func (c *converter) lister(l traits.Lister) (any, error) {
	n := int(l.Size().(types.Int))
	if err := c.add(n * jsonEntry); err != nil {
		return nil, err
	}
	out := make([]any, 0, n)
	for it := l.Iterator(); it.HasNext() == types.True; {
		v, err := c.convert(it.Next())
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (c *converter) record(r *record) (any, error) {
	out := make(map[string]any, len(r.values))
	for i, name := range r.keys.names {
		if err := c.add(jsonEntry + len(name)); err != nil {
			return nil, err
		}
		converted, err := c.convert(r.values[i])
		if err != nil {
			return nil, err
		}
		out[name] = converted
	}
	return out, nil
}

// mapper converts a map of cel-go. Of keys that become the same text the last one in order counts.
func (c *converter) mapper(m orderedMap) (any, error) {
	f := &mapFold{converter: c, out: make(map[string]any, int(m.Size().(types.Int)))}
	if c.ordered || !m.hasTextKeys() {
		m.Fold(f)
	} else {
		m.unordered(f)
	}
	return f.out, f.err
}

// mapFold converts the entries that it is shown.
type mapFold struct {
	*converter
	out map[string]any
	err error
}

// FoldEntry implements traits.Folder.
func (f *mapFold) FoldEntry(key, value any) bool {
	k := adapter{}.NativeToValue(key)
	name, ok := k.ConvertToType(types.StringType).(types.String)
	if !ok {
		f.err = fmt.Errorf("%s can't be the key of a JSON object", typeName(k))
		return false
	}
	if f.err = f.add(jsonEntry + len(name)); f.err != nil {
		return false
	}
	f.out[string(name)], f.err = f.raw(value)
	return f.err == nil
}

func (c *converter) add(n int) error {
	if c.size += n; c.size > maxResult {
		return fmt.Errorf("the result is larger than %d MiB as JSON", maxResult>>20)
	}
	return nil
}

// typeName names the type of a value as messages do.
func typeName(v ref.Val) string {
	return displayType(v.Type().TypeName())
}
