package expr

import (
	"reflect"
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// record is the map of a literal whose keys are texts that are known when it is compiled, as in most literals. Its keys
// are put in order once and for all, so that making one is cheaper than making a map, and looking through it is, too.
type record struct {
	keys   *recordKeys
	values []ref.Val // in the order of the keys
}

// recordKeys are the keys that all records of a literal have.
type recordKeys struct {
	names  []string  // in order
	texts  []ref.Val // the same
	places []int     // in names, of the entries as they are written
	light  bool      // they are few and short, see chargeWeight
}

// place finds the value of a key.
func (k *recordKeys) place(key string) (int, bool) { return slices.BinarySearch(k.names, key) }

var (
	_ traits.Mapper   = (*record)(nil)
	_ traits.Foldable = (*record)(nil)
	_ traits.Zeroer   = (*record)(nil)
)

// newRecordKeys is nil unless all keys are texts that are known, and different ones.
func newRecordKeys(entries []ast.EntryExpr) *recordKeys {
	keys := &recordKeys{}
	written := make([]string, len(entries))
	for i, e := range entries {
		name, ok := literal(e.AsMapEntry().Key()).(types.String)
		if !ok {
			return nil
		}
		written[i] = string(name)
	}
	keys.names = slices.Compact(slices.Sorted(slices.Values(written)))
	if len(keys.names) < len(written) {
		return nil
	}
	keys.light = len(keys.names) <= short
	for _, name := range keys.names {
		text := types.String(name)
		keys.texts = append(keys.texts, text)
		keys.light = keys.light && isSmall(text)
	}
	for _, name := range written {
		place, _ := keys.place(name)
		keys.places = append(keys.places, place)
	}
	return keys
}

// recordNode makes a record.
type recordNode struct {
	interpreter.InterpretableConstructor

	keys   *recordKeys
	values []interpreter.InterpretableV2 // as they are written
}

func newRecordNode(n interpreter.InterpretableConstructor, keys *recordKeys) *recordNode {
	node := &recordNode{InterpretableConstructor: n, keys: keys}
	for i, v := range n.InitVals() {
		if i%2 == 1 {
			node.values = append(node.values, v)
		}
	}
	return node
}

// Exec evaluates the values in the order in which they are written, and costs what a map of cel-go does.
func (n *recordNode) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	r := &record{keys: n.keys, values: make([]ref.Val, len(n.values))}
	light := n.keys.light
	for i, value := range n.values {
		v := value.Exec(frame)
		if types.IsUnknownOrError(v) {
			return v
		}
		r.values[n.keys.places[i]] = v
		light = light && isLightItem(v)
	}
	if costs := frame.CostTracker(); costs != nil {
		costs.CreateMap(n.ID(), r)
	}
	if !light {
		chargeWeight(frame, n.ID(), r)
	}
	return r
}

func (n *recordNode) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, n.Exec)
}

// FindStringKey lets cel-go select a field without making a CEL string of its name.
func (r *record) FindStringKey(key string) (any, bool) {
	place, found := r.keys.place(key)
	if !found {
		return nil, false
	}
	return r.values[place], true
}

func (r *record) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	place, found := r.keys.place(string(name))
	if !found {
		return nil, false
	}
	return r.values[place], true
}

func (r *record) Get(key ref.Val) ref.Val {
	v, found := r.Find(key)
	if !found {
		return types.ValOrErr(v, noSuchKey+"%v", key)
	}
	return v
}

func (r *record) Contains(key ref.Val) ref.Val {
	_, found := r.Find(key)
	return types.Bool(found)
}

// Fold implements traits.Foldable, which comprehensions use.
func (r *record) Fold(f traits.Folder) {
	for i, key := range r.keys.texts {
		if !f.FoldEntry(key, r.values[i]) {
			return
		}
	}
}

// Value returns the entries as cel-go's maps have them.
func (r *record) Value() any {
	entries := make(map[ref.Val]ref.Val, len(r.values))
	for i, key := range r.keys.texts {
		entries[key] = r.values[i]
	}
	return entries
}

func (r *record) Iterator() traits.Iterator                 { return &keyIterator{keys: r.keys.texts} }
func (r *record) Size() ref.Val                             { return types.Int(len(r.values)) }
func (r *record) IsZeroValue() bool                         { return len(r.values) == 0 }
func (r *record) Type() ref.Type                            { return types.MapType }
func (r *record) Equal(other ref.Val) ref.Val               { return equalMaps(r, other) }
func (r *record) ConvertToType(t ref.Type) ref.Val          { return convertMap(r, t) }
func (r *record) ConvertToNative(reflect.Type) (any, error) { return nil, errNoNative }
