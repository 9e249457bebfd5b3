package expr

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

const (
	withMacro = "with"
	// seqFunc evaluates its first argument for the sake of its errors and gives the second. Its name can't be
	// written in an expression.
	seqFunc = "@seq"
	// unusedVar names the loop variable of a comprehension that doesn't loop.
	unusedVar = "#unused"
)

// declareWith declares value.with(name, body): body with name bound to value, which is evaluated once and before body.
// cel-go's own binding is lazy and would hide the errors of a value that body doesn't use; @seq makes it eager.
func declareWith() cel.EnvOption {
	a, b := cel.TypeParamType("A"), cel.TypeParamType("B")
	return options(
		cel.Function(seqFunc, cel.Overload("@seq_A_B", []*cel.Type{a, b}, b)),
		cel.Macros(
			cel.ReceiverMacro(withMacro, 2, expandWith),
			cel.ReceiverVarArgMacro(withMacro, refuse("with() takes a name and an expression: value.with(name, expression)")),
			cel.GlobalVarArgMacro(withMacro, refuse("with() stands behind a value: value.with(name, expression)")),
		),
	)
}

func expandWith(f cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	if args[0].Kind() != ast.IdentKind {
		return nil, f.NewError(args[0].ID(), "the first argument of with() is a plain name: value.with(name, expression)")
	}
	name := args[0].AsIdent()
	return f.NewComprehension(
		f.NewList(), unusedVar, name, target, f.NewLiteral(types.False), f.NewIdent(name),
		f.NewCall(seqFunc, f.NewIdent(name), args[1]),
	), nil
}

// refuse expands every call into an error.
func refuse(message string) cel.MacroFactory {
	return func(f cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		return nil, &cel.Error{Message: message}
	}
}

// refuseUnless lets calls with n arguments through to the function of the same name.
func refuseUnless(n int, message string) cel.MacroFactory {
	return func(f cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		if len(args) == n {
			return nil, nil
		}
		return nil, &cel.Error{Message: message}
	}
}

// seqNode evaluates a call of @seq.
type seqNode struct {
	call        interpreter.InterpretableCall
	first, then interpreter.InterpretableV2
}

func (n *seqNode) ID() int64 { return n.call.ID() }

func (n *seqNode) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	if v := n.first.Exec(frame); types.IsUnknownOrError(v) {
		return v
	}
	return n.then.Exec(frame)
}

func (n *seqNode) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, n.Exec)
}
