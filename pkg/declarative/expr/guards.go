package expr

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// maxSteps is what one call of a function may take. The cost of a call is charged, and a deadline looked at, only
// after it has returned.
const maxSteps = 1 << 28

// guard looks at the arguments of a call before it runs and says how many steps or bytes it may take at most.
type guard func(args []ref.Val) int

// guarded lists the functions of the libraries whose work or result grows by more than the size of their arguments.
func guarded() map[string]guard {
	return map[string]guard{
		"sets.contains":   pairs,
		"sets.intersects": pairs,
		"sets.equivalent": pairs,
		"hasOnly":         pairs,
		"hasAny":          pairs,
		"hasAll":          pairs,
		"hasExactly":      pairs,
		"distinct":        func(args []ref.Val) int { return times(listSize(args[0]), listSize(args[0])) },
		"flatten":         func(args []ref.Val) int { return times(int(weight(args[0])), stepsPerByte) },
		"indexOf":         search,
		"lastIndexOf":     search,
		"join":            joined,
		"replace":         replaced,
	}
}

// pairs is for comparing every element of one list with every element of another. An element may be large.
func pairs(args []ref.Val) int { return times(times(listSize(args[0]), listSize(args[1])), 64) }

func search(args []ref.Val) int { return times(textSize(args[0]), textSize(args[1])) }

func joined(args []ref.Val) int {
	if len(args) < 2 {
		return 0
	}
	return times(times(listSize(args[0]), textSize(args[1])), stepsPerByte)
}

func replaced(args []ref.Val) int {
	text, ok := args[0].(types.String)
	old, isText := args[1].(types.String)
	if !ok || !isText {
		return 0
	}
	return times(times(strings.Count(string(text), string(old)), textSize(args[2])), stepsPerByte)
}

// noOverload is the error of a call with values of the wrong types. It is a new one each time, unlike cel-go's, so that
// it tells where it came up.
func noOverload() ref.Val { return types.NewErr("no such overload") }

// stepsPerByte makes a result of maxResult bytes as much as maxSteps.
const stepsPerByte = maxSteps / maxResult

func listSize(v ref.Val) int {
	if l, ok := v.(traits.Lister); ok {
		return int(l.Size().(types.Int))
	}
	return 0
}

func textSize(v ref.Val) int {
	s, _ := v.(types.String)
	return len(s)
}

// times multiplies and stops above maxSteps.
func times(a, b int) int {
	if b != 0 && a > maxSteps/b {
		return maxSteps + 1
	}
	return a * b
}

// guardedCalls knows what guarded functions do, by overload and by function.
type guardedCalls map[string]functions.FunctionOp

func newGuardedCalls(env *cel.Env) (guardedCalls, error) {
	decls := env.Functions()
	calls := guardedCalls{}
	for name, g := range guarded() {
		decl, ok := decls[name]
		if !ok {
			return nil, fmt.Errorf("no library declares %s()", name)
		}
		bindings, err := decl.Bindings()
		if err != nil {
			return nil, err
		}
		for _, b := range bindings {
			calls[b.Operator] = guardCall(name, g, b)
		}
	}
	return calls, nil
}

// apply puts a guard before a call, if its function has one.
func (g guardedCalls) apply(call interpreter.InterpretableCall) interpreter.InterpretableV2 {
	op, ok := g[call.OverloadID()]
	if !ok {
		op, ok = g[call.Function()]
	}
	if !ok {
		return call
	}
	return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), op)
}

func guardCall(name string, g guard, b *functions.Overload) functions.FunctionOp {
	return func(args ...ref.Val) ref.Val {
		if g(args) > maxSteps {
			return types.NewErr("%s() would take too long or give too much for arguments of this size", name)
		}
		switch {
		case b.Unary != nil && len(args) == 1:
			return b.Unary(args[0])
		case b.Binary != nil && len(args) == 2:
			return b.Binary(args[0], args[1])
		case b.Function != nil:
			return b.Function(args...)
		default:
			return noOverload()
		}
	}
}
