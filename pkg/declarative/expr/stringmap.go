package expr

import (
	"maps"
	"reflect"
	"slices"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Get returns the value of a key.
func (m StateMap) Get(key string) (any, bool) {
	v, ok := m[key]
	return v, ok
}

// Keys returns the keys in no particular order.
func (m StateMap) Keys() []string { return slices.Collect(maps.Keys(m)) }

// stringMap is a map with string keys over Go values. It is what JSON objects, the state and our own objects are in
// an expression.
type stringMap struct{ entries State }

var (
	_ traits.Mapper   = (*stringMap)(nil)
	_ traits.Foldable = (*stringMap)(nil)
	_ traits.Zeroer   = (*stringMap)(nil)
)

// FindStringKey lets cel-go select a field without making a CEL string of its name.
func (m *stringMap) FindStringKey(key string) (any, bool) {
	return m.entries.Get(key)
}

func (m *stringMap) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	v, found := m.FindStringKey(string(name))
	if !found {
		return nil, false
	}
	return adapter{}.NativeToValue(v), true
}

func (m *stringMap) Get(key ref.Val) ref.Val {
	v, found := m.Find(key)
	if !found {
		return types.ValOrErr(v, noSuchKey+"%v", key)
	}
	return v
}

func (m *stringMap) Contains(key ref.Val) ref.Val {
	name, ok := key.(types.String)
	if !ok {
		return types.False
	}
	_, found := m.FindStringKey(string(name))
	return types.Bool(found)
}

// keys returns the keys in order.
func (m *stringMap) keys() []string {
	keys := m.entries.Keys()
	slices.Sort(keys)
	return keys
}

func (m *stringMap) Iterator() traits.Iterator {
	keys := m.keys()
	vals := make([]ref.Val, len(keys))
	for i, k := range keys {
		vals[i] = types.String(k)
	}
	return &keyIterator{keys: vals}
}

// Fold implements traits.Foldable, which comprehensions use.
func (m *stringMap) Fold(f traits.Folder) {
	for _, k := range m.keys() {
		v, _ := m.entries.Get(k)
		if !f.FoldEntry(types.String(k), adapter{}.NativeToValue(v)) {
			return
		}
	}
}

func (m *stringMap) len() int {
	if e, ok := m.entries.(StateMap); ok {
		return len(e)
	}
	return len(m.entries.Keys())
}

func (m *stringMap) Size() ref.Val     { return types.Int(m.len()) }
func (m *stringMap) IsZeroValue() bool { return m.len() == 0 }
func (m *stringMap) Type() ref.Type    { return types.MapType }

// Value returns the entries as a Go map, which the caller must not change.
func (m *stringMap) Value() any {
	if e, ok := m.entries.(StateMap); ok {
		return map[string]any(e)
	}
	out := make(map[string]any)
	for _, k := range m.keys() {
		out[k], _ = m.entries.Get(k)
	}
	return out
}

func (m *stringMap) Equal(other ref.Val) ref.Val               { return equalMaps(m, other) }
func (m *stringMap) ConvertToType(t ref.Type) ref.Val          { return convertMap(m, t) }
func (m *stringMap) ConvertToNative(reflect.Type) (any, error) { return nil, errNoNative }
