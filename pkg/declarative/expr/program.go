package expr

import (
	"context"
	"errors"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// interruptEvery is after how many steps of a loop an evaluation looks at its deadline.
const interruptEvery = 100

// Program is a compiled expression. It is immutable and may be used by any number of goroutines.
type Program struct {
	src  Source
	want Kind
	typ  Type
	refs []Ref
	ast  *ast.AST
	plan cel.Program
}

// Type returns the static type of the result, for [Scope.WithVar].
func (p *Program) Type() Type { return p.typ }

// Source returns what the program was compiled from.
func (p *Program) Source() Source { return p.src }

// Parts returns how many names, operators and calls the expression has, with those that macros made: what it costs to check
// it is in proportion.
func (p *Program) Parts() int { return ast.NodeCount(p.ast) }

// Refs returns what the expression reads of its variables, sorted and without duplicates. The caller must not change
// the slice.
func (p *Program) Refs() []Ref { return p.refs }

// Eval evaluates the expression. The result is a plain Go JSON value of the kind that the program was compiled for:
// nil, bool, string, int64, uint64, float64, []any or map[string]any; for [Route] it is a []string, nil for no route.
// It shares nothing with the activation.
//
// An error is an [*EvalError]. Once ctx is done, loops stop soon.
func (p *Program) Eval(ctx context.Context, act *Activation) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, p.stopped(context.Cause(ctx))
	}
	v, _, err := p.run(ctx, resolver{act})
	if errors.Is(err, interpreter.InterruptError{}) {
		return nil, p.stopped(context.Cause(ctx))
	}
	if err != nil {
		return nil, p.failed(err)
	}
	result, err := toGo(v, false)
	if err != nil {
		return nil, p.failed(err)
	}
	return p.as(result)
}

// run evaluates the plan. Without a deadline cel-go's plain evaluation does, which is cheaper.
func (p *Program) run(ctx context.Context, vars resolver) (ref.Val, *cel.EvalDetails, error) {
	if ctx.Done() == nil {
		return p.plan.Eval(vars)
	}
	return p.plan.ContextEval(ctx, vars)
}
