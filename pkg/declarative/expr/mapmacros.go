package expr

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
)

// orderedFunc puts the map that a macro builds in order. Its name can't be written in an expression.
const orderedFunc = "@ordered"

func declareOrdered() cel.EnvOption {
	m := cel.MapType(cel.TypeParamType("K"), cel.TypeParamType("V"))
	return cel.Function(orderedFunc, cel.Overload("@ordered_map", []*cel.Type{m}, m,
		cel.UnaryBinding(ordered)))
}

// orderedMacros replaces the macros that build maps by macros that build them in order.
func orderedMacros(macros []cel.Macro) cel.EnvOption {
	var replaced []cel.Macro
	for _, m := range macros {
		if name := m.Function(); name == "transformMap" || name == "transformMapEntry" {
			replaced = append(replaced, cel.ReceiverMacro(name, m.ArgCount(), orderResult(m.Expander())))
		}
	}
	return cel.Macros(replaced...)
}

func orderResult(expand cel.MacroFactory) cel.MacroFactory {
	return func(f cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		expanded, err := expand(f, target, args)
		if expanded == nil || err != nil {
			return expanded, err
		}
		return f.NewCall(orderedFunc, expanded), nil
	}
}
