package expr

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// literalErrors finds what is wrong with literals although their types are right: patterns, durations and timestamps
// that aren't any, conversions that can't succeed, keys that no map can have.
func (x *explainer) literalErrors(env *cel.Env, checked *ast.AST) []Problem {
	var problems []Problem
	report := func(e ast.Expr, code diag.Code, message string) {
		problems = append(problems, x.at(code, checked.SourceInfo().GetStartLocation(e.ID()), message, ""))
	}
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.CallKind:
			arg, reason := callError(env, e)
			if reason != "" {
				report(arg, diag.CELLiteral, reason)
			}
		case ast.MapKind:
			for _, entry := range e.AsMap().Entries() {
				key := entry.AsMapEntry().Key()
				if t := checked.GetType(key.ID()); !isKey(t) {
					report(key, diag.CELType, "the key of a map is a string, an int, a uint or a bool, not "+
						article(Type{t}.String()))
				}
			}
		default:
		}
	}))
	return inOrder(problems)
}

// callError evaluates a call whose argument is a literal where that can fail, and returns the argument and why.
func callError(env *cel.Env, e ast.Expr) (ast.Expr, string) {
	call := e.AsCall()
	if pattern, ok := patternOf(call); ok {
		if text, isText := literal(pattern).(types.String); isText {
			if _, err := compileRegex(string(text)); err != nil {
				return pattern, fmt.Sprintf("this is not a regular expression (RE2): %v", err)
			}
		}
		return nil, ""
	}
	name := call.FunctionName()
	if call.IsMemberFunction() || len(call.Args()) != 1 || literal(call.Args()[0]) == nil ||
		!overloads.IsTypeConversionFunction(name) {
		return nil, ""
	}
	arg := call.Args()[0]
	prog, err := env.PlanProgram(ast.NewAST(e, ast.NewSourceInfo(nil)))
	if err == nil {
		_, _, err = prog.Eval(cel.NoVars())
	}
	if err == nil {
		return nil, ""
	}
	return arg, conversionMessage(name, literal(arg))
}

// conversionMessage says what a conversion takes.
func conversionMessage(name string, v any) string {
	text := clip(fmt.Sprint(v))
	switch name {
	case overloads.TypeConvertDuration:
		return fmt.Sprintf("%q is not a duration like '90s', '1.5h' or '2h30m'", text)
	case overloads.TypeConvertTimestamp:
		return fmt.Sprintf("%q is not a timestamp like '2026-11-30T12:00:00Z'", text)
	default:
		return fmt.Sprintf("%q can't be converted by %s()", text, name)
	}
}

// patternOf returns the argument of a call that is a regular expression.
func patternOf(call ast.CallExpr) (ast.Expr, bool) {
	args := call.Args()
	switch name := call.FunctionName(); {
	case name == overloads.Matches && call.IsMemberFunction() && len(args) == 1:
		return args[0], true
	case name == overloads.Matches && len(args) == 2:
		return args[1], true
	case strings.HasPrefix(name, "regex.") && len(args) >= 2:
		return args[1], true
	default:
		return nil, false
	}
}

// literal returns the value of a literal, nil for anything else.
func literal(e ast.Expr) any {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	return e.AsLiteral()
}

// isKey reports whether a value of type t may be the key of a map literal.
func isKey(t *types.Type) bool {
	switch t.Kind() {
	case types.StringKind, types.IntKind, types.UintKind, types.BoolKind,
		types.DynKind, types.AnyKind, types.TypeParamKind:
		return true
	default:
		return false
	}
}
