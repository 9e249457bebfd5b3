package expr

import (
	"cmp"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Maps iterate in the order of their keys. cel-go iterates in the random order of Go maps, so that input.map(k, ...)
// would give another list at every evaluation; a run that is resumed must see what it saw before.

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
	if m.entries == nil {
		return nil, false
	}
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
	if m.entries == nil {
		return nil
	}
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
	switch e := m.entries.(type) {
	case nil:
		return 0
	case StateMap:
		return len(e)
	default:
		return len(e.Keys())
	}
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

// orderedMap puts the entries of another map in order. It is for the maps that cel-go makes itself: literals and the
// results of comprehensions, whose keys need not be strings.
type orderedMap struct{ traits.Mapper }

var _ traits.Foldable = orderedMap{}

// keys returns the keys in order: booleans, numbers, strings.
func (m orderedMap) keys() []ref.Val {
	keys := make([]ref.Val, 0, m.Size().(types.Int))
	for it := m.Mapper.Iterator(); it.HasNext() == types.True; {
		keys = append(keys, it.Next())
	}
	slices.SortStableFunc(keys, compareKeys)
	return keys
}

func (m orderedMap) Iterator() traits.Iterator { return &keyIterator{keys: m.keys()} }

func (m orderedMap) Fold(f traits.Folder) {
	for _, k := range m.keys() {
		v, _ := m.Find(k)
		if !f.FoldEntry(k, v) {
			return
		}
	}
}

func (m orderedMap) Equal(other ref.Val) ref.Val      { return equalMaps(m, other) }
func (m orderedMap) ConvertToType(t ref.Type) ref.Val { return convertMap(m, t) }
func (m orderedMap) IsZeroValue() bool                { return m.Size() == types.IntZero }

// keysFor iterates over the keys of a map, in order if there is any key but strings.
func keysFor(m traits.Mapper) traits.Iterator {
	o, ok := m.(orderedMap)
	if !ok {
		return m.Iterator()
	}
	for it := o.Mapper.Iterator(); it.HasNext() == types.True; {
		if _, isText := it.Next().(types.String); !isText {
			return o.Iterator()
		}
	}
	return o.Mapper.Iterator()
}

// ordered returns m so that it iterates in order.
func ordered(m traits.Mapper) traits.Mapper {
	switch m.(type) {
	case *stringMap, orderedMap:
		return m
	default:
		return orderedMap{m}
	}
}

func compareKeys(a, b ref.Val) int {
	if ra, rb := keyRank(a), keyRank(b); ra != rb {
		return cmp.Compare(ra, rb)
	}
	if c, ok := a.(traits.Comparer); ok {
		if n, ok := c.Compare(b).(types.Int); ok {
			return int(n)
		}
	}
	return 0
}

func keyRank(v ref.Val) int {
	switch v.(type) {
	case types.Bool:
		return 0
	case types.Int, types.Uint, types.Double:
		return 1
	case types.String:
		return 2
	default:
		return otherKey
	}
}

// otherKey is the rank of what can't be a key in JSON.
const otherKey = 3

// equalMaps compares entry by entry, in order, so that which error comes first doesn't depend on chance.
func equalMaps(m traits.Mapper, other ref.Val) ref.Val {
	o, ok := other.(traits.Mapper)
	if !ok || m.Size() != o.Size() {
		return types.False
	}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		theirs, found := o.Find(key)
		if !found {
			return types.False
		}
		ours, _ := m.Find(key)
		if eq := types.Equal(ours, theirs); eq != types.True {
			return eq
		}
	}
	return types.True
}

func convertMap(m ref.Val, t ref.Type) ref.Val {
	switch t {
	case types.MapType:
		return m
	case types.TypeType:
		return types.MapType
	default:
		return types.NewErr("a map can't be converted to %s", t.TypeName())
	}
}

// errNoNative answers the conversions that nothing in an expression asks for; results leave by way of toGo.
var errNoNative = errors.New("not converted by cel-go")

// keyIterator walks over keys that are in order already.
type keyIterator struct {
	keys []ref.Val
	next int
}

func (it *keyIterator) HasNext() ref.Val { return types.Bool(it.next < len(it.keys)) }

func (it *keyIterator) Next() ref.Val {
	if it.next >= len(it.keys) {
		return nil
	}
	it.next++
	return it.keys[it.next-1]
}

func (it *keyIterator) ConvertToNative(reflect.Type) (any, error) { return nil, errNoNative }
func (it *keyIterator) ConvertToType(t ref.Type) ref.Val {
	return types.NewErr("an iterator can't be converted to %s", t.TypeName())
}
func (it *keyIterator) Equal(other ref.Val) ref.Val { return types.Bool(ref.Val(it) == other) }
func (it *keyIterator) Type() ref.Type              { return types.IteratorType }
func (it *keyIterator) Value() any                  { return nil }

// clip shortens text that goes into a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
