package expr

import (
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// anyList is a JSON array in an expression. A loop over cel-go's own list makes a CEL value of every element; this one
// shows the element as it is, which is all that the selection of a field needs.
type anyList struct{ items []any }

var (
	_ traits.Lister   = (*anyList)(nil)
	_ traits.Foldable = (*anyList)(nil)
	_ traits.Zeroer   = (*anyList)(nil)
)

// list is the same list as cel-go's, for what needs no speed.
func (l *anyList) list() traits.Lister { return types.NewList[any](adapter{}, l.items) }

// Fold implements traits.Foldable, which comprehensions use.
func (l *anyList) Fold(f traits.Folder) {
	for i, item := range l.items {
		if !f.FoldEntry(i, item) {
			return
		}
	}
}

// GetInt64Index lets cel-go read an element without making a CEL number of its index.
func (l *anyList) GetInt64Index(i int64) (any, bool) {
	if i < 0 || i >= int64(len(l.items)) {
		return nil, false
	}
	return l.items[i], true
}

func (l *anyList) Get(index ref.Val) ref.Val {
	if i, ok := index.(types.Int); ok {
		if item, found := l.GetInt64Index(int64(i)); found {
			return adapter{}.NativeToValue(item)
		}
	}
	return l.list().Get(index)
}

func (l *anyList) Add(other ref.Val) ref.Val                 { return l.list().Add(other) }
func (l *anyList) Contains(elem ref.Val) ref.Val             { return l.list().Contains(elem) }
func (l *anyList) Equal(other ref.Val) ref.Val               { return l.list().Equal(other) }
func (l *anyList) ConvertToType(t ref.Type) ref.Val          { return l.list().ConvertToType(t) }
func (l *anyList) ConvertToNative(reflect.Type) (any, error) { return nil, errNoNative }
func (l *anyList) Iterator() traits.Iterator                 { return l.list().Iterator() }
func (l *anyList) Size() ref.Val                             { return types.Int(len(l.items)) }
func (l *anyList) IsZeroValue() bool                         { return len(l.items) == 0 }
func (l *anyList) Type() ref.Type                            { return types.ListType }
func (l *anyList) Value() any                                { return l.items }
