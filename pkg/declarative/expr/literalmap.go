package expr

import (
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// literalMap is the map of a literal with a key that isn't known when it is compiled, or isn't a text. It is a map of
// cel-go in all but the order of its keys, without the object that cel-go puts around one.
type literalMap struct{ entries map[ref.Val]ref.Val }

var (
	_ traits.Mapper   = literalMap{}
	_ traits.Foldable = literalMap{}
	_ traits.Zeroer   = literalMap{}
)

// mapNode makes a literalMap.
type mapNode struct {
	interpreter.InterpretableConstructor

	parts []interpreter.InterpretableV2 // keys and values, as they are written
}

// Exec evaluates what the literal has in the order in which it is written, and costs what a map of cel-go does.
func (n *mapNode) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	m := literalMap{make(map[ref.Val]ref.Val, len(n.parts)/2)}
	light := len(n.parts) <= 2*short
	for i := 0; i < len(n.parts); i += 2 {
		key := n.parts[i].Exec(frame)
		if types.IsUnknownOrError(key) {
			return key
		}
		value := n.parts[i+1].Exec(frame)
		if types.IsUnknownOrError(value) {
			return value
		}
		m.entries[key] = value
		light = light && isSmall(key) && isLightItem(value)
	}
	if costs := frame.CostTracker(); costs != nil {
		costs.CreateMap(n.ID(), m)
	}
	if !light {
		chargeWeight(frame, n.ID(), m)
	}
	return m
}

func (n *mapNode) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, n.Exec)
}

// ordered is the same map for what needs no speed.
func (m literalMap) ordered() orderedMap {
	return orderedMap{types.NewRefValMap(adapter{}, m.entries)}
}

// FindStringKey lets cel-go select a field without making a CEL string of its name.
func (m literalMap) FindStringKey(key string) (any, bool) {
	v, found := m.entries[types.String(key)]
	return v, found
}

func (m literalMap) Find(key ref.Val) (ref.Val, bool) {
	if name, ok := key.(types.String); ok {
		v, found := m.entries[name]
		return v, found
	}
	return m.ordered().Find(key) // a number may be written as another type of number
}

func (m literalMap) Get(key ref.Val) ref.Val {
	v, found := m.Find(key)
	if !found {
		return types.ValOrErr(v, noSuchKey+"%v", key)
	}
	return v
}

func (m literalMap) Contains(key ref.Val) ref.Val {
	_, found := m.Find(key)
	return types.Bool(found)
}

// Fold implements traits.Foldable, which comprehensions use.
func (m literalMap) Fold(f traits.Folder) { m.ordered().Fold(f) }

func (m literalMap) Iterator() traits.Iterator                 { return m.ordered().Iterator() }
func (m literalMap) Size() ref.Val                             { return types.Int(len(m.entries)) }
func (m literalMap) IsZeroValue() bool                         { return len(m.entries) == 0 }
func (m literalMap) Type() ref.Type                            { return types.MapType }
func (m literalMap) Value() any                                { return m.entries }
func (m literalMap) Equal(other ref.Val) ref.Val               { return equalMaps(m, other) }
func (m literalMap) ConvertToType(t ref.Type) ref.Val          { return convertMap(m, t) }
func (m literalMap) ConvertToNative(reflect.Type) (any, error) { return nil, errNoNative }
