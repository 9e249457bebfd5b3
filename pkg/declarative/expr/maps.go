package expr

import (
	"errors"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Maps iterate in the order of their keys. cel-go iterates in the random order of Go maps, so that input.map(k, ...)
// would give another list at every evaluation; a run that is resumed must see what it saw before. Here is what our
// maps have in common.

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
