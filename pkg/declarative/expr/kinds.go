package expr

import (
	"fmt"
	"math"
	"strconv"

	"cel.dev/cel-go/common/types"
)

// accepts reports whether an expression of static type t may stand where k is wanted. What is dyn is looked at again
// when it has been evaluated.
func (k Kind) accepts(t *types.Type) bool {
	switch t.Kind() {
	case types.DynKind, types.AnyKind, types.TypeParamKind:
		return true
	case types.TypeKind:
		return false
	default:
		return k.acceptsKnown(t)
	}
}

// acceptsKnown is accepts for a type that isn't dyn.
func (k Kind) acceptsKnown(t *types.Type) bool {
	switch k {
	case Bool:
		return t.Kind() == types.BoolKind
	case String:
		return t.Kind() == types.StringKind
	case List:
		return t.Kind() == types.ListKind
	case Route:
		return isRoute(t)
	default:
		return true
	}
}

func isRoute(t *types.Type) bool {
	switch t.Kind() {
	case types.ListKind:
		elem := t.Parameters()[0]
		return elem.Kind() != types.ListKind && Route.accepts(elem)
	case types.OpaqueKind:
		return t.TypeName() == types.OptionalType.TypeName() && Route.accepts(t.Parameters()[0])
	case types.StringKind, types.IntKind, types.UintKind, types.BoolKind, types.NullTypeKind:
		return true
	default:
		return false
	}
}

// as checks a result against the kind that the program was compiled for.
func (p *Program) as(result any) (any, error) {
	ok := true
	switch p.want {
	case Bool:
		_, ok = result.(bool)
	case String:
		_, ok = result.(string)
	case List:
		_, ok = result.([]any)
	case Route:
		return p.asRoutes(result)
	case Any:
	}
	if !ok {
		return nil, p.wrongKind(fmt.Sprintf("gave %s, %s is needed", describe(result), p.want))
	}
	return result, nil
}

func (p *Program) asRoutes(result any) (any, error) {
	items, isList := result.([]any)
	if !isList {
		if result == nil {
			return []string(nil), nil
		}
		items = []any{result}
	}
	var routes []string
	for _, item := range items {
		route, ok := routeText(item)
		if !ok && isList {
			return nil, p.wrongKind(fmt.Sprintf("gave a list with %s in it, %s is needed", describe(item), Route))
		}
		if !ok {
			return nil, p.wrongKind(fmt.Sprintf("gave %s, %s is needed", describe(item), Route))
		}
		routes = append(routes, route)
	}
	return routes, nil
}

// routeText writes a route as edges compare it. JSON doesn't tell 7 from 7.0, so a double without a fraction is an
// integer here.
func routeText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case uint64:
		return strconv.FormatUint(v, 10), true
	case float64:
		const exact = 1 << 53
		if v != math.Trunc(v) || math.Abs(v) > exact {
			return "", false
		}
		return strconv.FormatInt(int64(v), 10), true
	default:
		return "", false
	}
}

// describe says what kind of value a result is.
func describe(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a bool"
	case string:
		return "a string"
	case int64, uint64:
		return "an integer"
	case float64:
		return "a number with a fraction"
	case []any:
		return "a list"
	default:
		return "a map"
	}
}
