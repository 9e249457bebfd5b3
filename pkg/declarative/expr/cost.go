package expr

import (
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// The cost limits of one evaluation. One unit is about one step of the interpreter.
const (
	anyCostLimit  = 1_000_000
	boolCostLimit = 100_000
)

// costLimit is the limit for expressions of a kind.
func (k Kind) costLimit() uint64 {
	if k == Bool {
		return boolCostLimit
	}
	return anyCostLimit
}

const (
	// bytesPerCost is how many bytes of text a function scans for one unit, as in cel-go.
	bytesPerCost = 10
	// weightPerCost is how many bytes of a new list or map cost one unit.
	weightPerCost = 64
	// maxWeight is where weighing stops: it is over any limit.
	maxWeight = weightPerCost * (anyCostLimit + 1)
)

const (
	mapInsertFunc = "cel.@mapInsert"
	weightFunc    = "@weight"
)

// costs prices what cel-go takes for free: our functions; calls whose overload is only known at run time because an
// argument is dyn; and lists that are put together. Without it input.a + input.a costs one unit however long the text
// is, and forty of those, one in the other, fill the memory.
type costs struct{}

// CallCost implements interpreter.ActualCostEstimator. Nil leaves the price to cel-go.
func (costs) CallCost(function, overloadID string, args []ref.Val, result ref.Val) *uint64 {
	switch function {
	case weightFunc:
		return price(weight(args[0]) / weightPerCost)
	case mapInsertFunc:
		return price(1 + weight(args[len(args)-1])/weightPerCost)
	case jsonFunc, toJSONFunc, "base64.encode", "base64.decode":
		return price(1 + scan(args[0]) + scan(result))
	case operators.Add:
		if n, ok := concatenation(args); ok {
			return price(n)
		}
	case overloads.Size:
		if _, ok := args[0].(traits.Lister); ok {
			return price(1)
		}
	}
	if overloadID != "" {
		return nil
	}
	sum := uint64(1)
	for _, a := range args {
		sum += scan(a)
	}
	return price(sum)
}

// small holds the prices that are worth no allocation.
//
//nolint:gochecknoglobals // never written
var small = func() (prices [256]uint64) {
	for i := range prices {
		prices[i] = uint64(i)
	}
	return prices
}()

func price(n uint64) *uint64 {
	if n < uint64(len(small)) {
		return &small[n]
	}
	large := n // a variable of its own, so that n stays off the heap
	return &large
}

// concatenation prices list + list by the shorter one: cel-go shares both, so that doubling a list is quick and its
// size grows with every step. Priced so, no list can get longer than the limit.
func concatenation(args []ref.Val) (uint64, bool) {
	a, ok := args[0].(traits.Lister)
	if !ok {
		return 0, false
	}
	b, ok := args[1].(traits.Lister)
	if !ok {
		return 0, false
	}
	return 1 + uint64(min(a.Size().(types.Int), b.Size().(types.Int))), true
}

// scan prices one pass over a value, not over what is in it.
func scan(v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return uint64(len(v)) / bytesPerCost
	case types.Bytes:
		return uint64(len(v)) / bytesPerCost
	case traits.Lister:
		return uint64(v.Size().(types.Int))
	default:
		return 0
	}
}

// chargeWeight prices a list or map that was just built by all that is in it. Values share their parts, so a small
// expression can build one with more leaves than any memory holds; nothing that walks over it would come to an end.
//
// A short list of small scalars, and a short map of such lists and scalars, are covered by the price of their literal and
// need no weighing, which spares the loops that build a list element by element, and the records that nodes put out. What
// is nested deeper is weighed: it is how values grow.
func chargeWeight(frame *interpreter.ExecutionFrame, id int64, v ref.Val) {
	if c := frame.CostTracker(); c != nil {
		c.EvalUnary(frame, id, weightCall{}, v, v)
	}
}

// short is how many items a light list or map has, at most.
const short = 8

// isLightItem reports whether v may be in a light map.
func isLightItem(v ref.Val) bool {
	if isSmall(v) {
		return true
	}
	list, ok := v.(traits.Lister)
	return ok && isLightList(list)
}

// isLightList reports whether l is a short list of small scalars.
func isLightList(l traits.Lister) bool {
	size := l.Size().(types.Int)
	if size > short {
		return false
	}
	for i := range size {
		if !isSmall(l.Get(i)) {
			return false
		}
	}
	return true
}

// isSmall reports whether v is a scalar that the price of a literal covers.
func isSmall(v ref.Val) bool {
	switch v := v.(type) {
	case types.Bool, types.Int, types.Uint, types.Double, types.Null:
		return true
	case types.String:
		return len(v) <= weightPerCost
	default:
		return false
	}
}

// weightCall is the call that chargeWeight bills.
type weightCall struct{}

func (weightCall) Function() string   { return weightFunc }
func (weightCall) OverloadID() string { return weightFunc }

// nodeWeight is what a value weighs besides its text.
const nodeWeight = 16

// weight is about the size in bytes that v would take if nothing in it were shared. It stops at maxWeight.
func weight(v any) uint64 { return uint64(addWeight(0, v)) }

func addWeight(sum int, v any) int {
	sum += nodeWeight
	switch v := v.(type) {
	case types.String:
		return sum + len(v)
	case string:
		return sum + len(v)
	case types.Bytes:
		return sum + len(v)
	case *stringMap:
		return addWeight(sum, v.Value())
	case *anyList:
		return addWeight(sum, v.items)
	case literalMap:
		return addWeight(sum-nodeWeight, v.ordered())
	case orderedMap:
		w := &weigher{sum: sum}
		v.unordered(w)
		return w.sum
	case map[string]any:
		for key, item := range v {
			if sum = addWeight(sum+len(key), item); sum >= maxWeight {
				break
			}
		}
		return sum
	case []any:
		for _, item := range v {
			if sum = addWeight(sum, item); sum >= maxWeight {
				break
			}
		}
		return sum
	case *types.Optional:
		if v.HasValue() {
			return addWeight(sum, v.GetValue())
		}
		return sum
	case traits.Foldable: // the lists of cel-go, and its maps while they are made
		w := &weigher{sum: sum}
		v.Fold(w)
		return w.sum
	default:
		return sum
	}
}

// weigher adds the weight of what it is shown.
type weigher struct{ sum int }

// FoldEntry implements traits.Folder.
func (w *weigher) FoldEntry(key, value any) bool {
	if s, ok := key.(types.String); ok {
		w.sum += len(s)
	}
	w.sum = addWeight(w.sum, value)
	return w.sum < maxWeight
}
