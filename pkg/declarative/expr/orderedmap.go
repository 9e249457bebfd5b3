package expr

import (
	"cmp"
	"slices"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// orderedMap puts the entries of another map in order. It is for the maps that cel-go makes itself: the results of
// comprehensions, and literals with optional entries, whose keys need not be strings.
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

// unordered shows the entries as they come.
func (m orderedMap) unordered(f traits.Folder) {
	if fold, ok := m.Mapper.(traits.Foldable); ok {
		fold.Fold(f)
		return
	}
	m.Fold(f)
}

// hasTextKeys reports whether all keys are strings.
func (m orderedMap) hasTextKeys() bool {
	f := &textKeys{all: true}
	m.unordered(f)
	return f.all
}

type textKeys struct{ all bool }

// FoldEntry implements traits.Folder.
func (f *textKeys) FoldEntry(key, _ any) bool {
	_, f.all = key.(types.String)
	return f.all
}

// ordered returns v; if it is a map of cel-go's, so that it iterates in order.
func ordered(v ref.Val) ref.Val {
	switch m := v.(type) {
	case *stringMap, *record, literalMap, orderedMap:
		return v
	case traits.Mapper:
		return orderedMap{m}
	default:
		return v
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
