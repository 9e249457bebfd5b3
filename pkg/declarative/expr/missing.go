package expr

import (
	"fmt"
	"strconv"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// missingMessage says which key was missing where, as far as the expression shows it.
func missingMessage(root ast.Expr, name string, err error) string {
	object, whole := missingIn(exprAt(root, err), name)
	switch {
	case object != "":
		return fmt.Sprintf("%s has no %q; write default(%s, ...) if it may be missing", object, name, whole)
	case name != "":
		return fmt.Sprintf("there is no key %q in the value it is read from; default(..., fallback) allows for that", name)
	default:
		return "a list has no named fields; default(..., fallback) allows for a value of another shape"
	}
}

// missingIn looks in a path like input.output.plan for the object in which name was missing. cel-go reports the path
// as a whole, so the innermost step of that name is the one. Both texts are empty if e is no such path.
func missingIn(e ast.Expr, name string) (object, whole string) {
	whole, ok := pathText(e)
	if !ok {
		return "", ""
	}
	for operand, key := step(e); operand != nil; operand, key = step(operand) {
		if key == name {
			object, _ = pathText(operand)
		}
	}
	return object, whole
}

// step takes the last step off a path: the operand and the key read from it, nil if e isn't a step.
func step(e ast.Expr) (ast.Expr, string) {
	switch e.Kind() {
	case ast.SelectKind:
		return e.AsSelect().Operand(), e.AsSelect().FieldName()
	case ast.CallKind:
		call := e.AsCall()
		if call.FunctionName() != operators.Index || call.Args()[1].Kind() != ast.LiteralKind {
			return nil, ""
		}
		return call.Args()[0], fmt.Sprint(call.Args()[1].AsLiteral().Value())
	default:
		return nil, ""
	}
}

// pathText writes a variable with the steps behind it.
func pathText(e ast.Expr) (string, bool) {
	if e == nil {
		return "", false
	}
	if e.Kind() == ast.IdentKind {
		return e.AsIdent(), true
	}
	operand, key := step(e)
	if operand == nil {
		return "", false
	}
	object, ok := pathText(operand)
	if e.Kind() == ast.SelectKind {
		return object + "." + key, ok
	}
	if _, isText := e.AsCall().Args()[1].AsLiteral().(types.String); isText {
		key = strconv.Quote(key)
	}
	return object + "[" + key + "]", ok
}
