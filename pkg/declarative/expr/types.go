package expr

import (
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// Type is the static type of an expression's result. The zero Type is dyn: known at run time only.
type Type struct{ cel *types.Type }

// String names the type as messages do, for instance "list(string)".
func (t Type) String() string { return displayType(cel.FormatCELType(t.celType())) }

func (t Type) celType() *types.Type {
	if t.cel == nil {
		return types.DynType
	}
	return t.cel
}

// resultType is what the result of an expression of type t is after it has become a Go JSON value.
func resultType(t *types.Type) *types.Type {
	switch t.Kind() {
	case types.BoolKind, types.IntKind, types.UintKind, types.DoubleKind, types.StringKind:
		return t
	case types.BytesKind, types.TimestampKind, types.DurationKind:
		return types.StringType
	case types.ListKind:
		return types.NewListType(resultType(t.Parameters()[0]))
	case types.MapKind:
		return types.NewMapType(types.StringType, resultType(t.Parameters()[1]))
	case types.StructKind:
		return dynMap()
	default:
		return types.DynType
	}
}

// displayType turns cel-go's names of types into the words that an author knows.
func displayType(name string) string {
	return strings.NewReplacer(
		objectPrefix, "",
		"google.protobuf.Timestamp", "timestamp",
		"google.protobuf.Duration", "duration",
		"optional_type", "optional",
		"null_type", "null",
	).Replace(name)
}
