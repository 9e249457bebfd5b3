package expr

import (
	"errors"
	"fmt"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
)

// failureMessage puts cel-go's text of a failed evaluation into words for people who don't know CEL.
func failureMessage(root ast.Expr, err error) string {
	text := err.Error()
	quoted := quotedWords(text)
	switch {
	case strings.HasPrefix(text, "no such overload"):
		return overloadMessage(root, err)
	case strings.HasPrefix(text, "type conversion error from "):
		return fmt.Sprintf("%s can't be converted to %s, or not this one",
			article(displayType(quoted[0])), displayType(quoted[1]))
	case strings.HasPrefix(text, "index out of bounds: "):
		return "the list has no element " + strings.TrimPrefix(text, "index out of bounds: ")
	case strings.HasPrefix(text, "optional.none() dereference"):
		return "the optional has no value: .orValue(fallback) allows for that"
	case strings.Contains(text, "hash of unhashable type"):
		return "the key of a map is a string, an int, a uint or a bool"
	default:
		return text
	}
}

// overloadMessage explains that a function or operator met values of types that it doesn't take.
func overloadMessage(root ast.Expr, err error) string {
	what := "an operator or function"
	if name := callAt(root, err); name != "" {
		if name == operators.Conditional {
			return "the condition before \"?\" is no bool"
		}
		if overloads.IsTypeConversionFunction(name) {
			return name + "() can't convert a value of this type; toJson() makes text of lists and maps"
		}
		what = name + "()"
		if op, ok := operators.FindReverse(name); ok && op != "" {
			what = quote(op)
		}
	}
	return what + " was used on values of types that it doesn't take; int(), double() and string() convert"
}

// callAt returns the function that failed, "" if cel-go doesn't tell.
func callAt(root ast.Expr, err error) string {
	e := exprAt(root, err)
	if e == nil || e.Kind() != ast.CallKind {
		return ""
	}
	return e.AsCall().FunctionName()
}

// exprAt returns the part of an expression that failed, nil if cel-go doesn't tell.
func exprAt(root ast.Expr, err error) ast.Expr {
	var failed *types.Err
	if !errors.As(err, &failed) {
		return nil
	}
	return findExpr(root, failed.NodeID())
}

// findExpr returns the part of e with an id, nil if there is none.
func findExpr(e ast.Expr, id int64) ast.Expr {
	var found ast.Expr
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(part ast.Expr) {
		if part.ID() == id {
			found = part
		}
	}))
	return found
}
