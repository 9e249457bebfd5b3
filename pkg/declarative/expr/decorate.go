package expr

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// planner replaces nodes of a plan as cel-go makes it, children before parents: our own functions, the literals whose
// results must be in order or be paid for, and the functions that must not run unchecked.
type planner struct {
	guards guardedCalls
	// free are the ids of literals that cost nothing more; see freeLiterals.
	free map[int64]bool
	maps map[int64]*recordKeys // see mapLiterals
}

func (p *planner) decorate(node interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	switch n := node.(type) {
	case interpreter.InterpretableCall:
		switch args := n.Args(); n.Function() {
		case defaultFunc:
			return &defaultNode{call: n, value: args[0], fallback: args[1]}, nil
		case seqFunc:
			return &seqNode{call: n, first: args[0], then: args[1]}, nil
		case overloads.Matches, regexReplace, regexExtract, regexExtractAll:
			return planRegex(n)
		default:
			return p.guards.apply(n), nil
		}
	case interpreter.InterpretableConstructor:
		if p.free[n.ID()] {
			return n, nil
		}
		return p.decorateLiteral(n)
	default:
		return node, nil
	}
}

// freeLiterals returns the list literals in which filter() puts the element at hand: what they hold is a part of the
// list that is filtered, so that they can't make anything grow.
func freeLiterals(e ast.Expr) map[int64]bool {
	free := map[int64]bool{}
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(part ast.Expr) {
		if part.Kind() != ast.ComprehensionKind {
			return
		}
		loop := part.AsComprehension()
		step := calledWith(calledWith(loop.LoopStep(), operators.Conditional), operators.Add)
		if step == nil || step.Kind() != ast.ListKind || step.AsList().Size() != 1 {
			return
		}
		if item := step.AsList().Elements()[0]; item.Kind() == ast.IdentKind && item.AsIdent() == loop.IterVar() {
			free[step.ID()] = true
		}
	}))
	return free
}

// calledWith returns the second argument of a call of a function, nil for anything else.
func calledWith(e ast.Expr, function string) ast.Expr {
	if e == nil || e.Kind() != ast.CallKind || e.AsCall().FunctionName() != function {
		return nil
	}
	return e.AsCall().Args()[1]
}

// mapLiterals returns the map literals without optional entries, and what is known of their keys.
func mapLiterals(e ast.Expr) map[int64]*recordKeys {
	literals := map[int64]*recordKeys{}
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(part ast.Expr) {
		if part.Kind() != ast.MapKind {
			return
		}
		entries := part.AsMap().Entries()
		isOptional := func(e ast.EntryExpr) bool { return e.AsMapEntry().IsOptional() }
		if !slices.ContainsFunc(entries, isOptional) {
			literals[part.ID()] = newRecordKeys(entries)
		}
	}))
	return literals
}

// decorateLiteral makes a list or map literal pay for its weight, puts a map in order, and computes a constant one
// once. cel-go would compute it, too, but not after it has become one of our nodes. A key that no map can have, as in
// {dyn(b'x'): 1}, is left for the evaluation to fail.
func (p *planner) decorateLiteral(n interpreter.InterpretableConstructor) (interpreter.InterpretableV2, error) {
	literal := p.literalNode(n)
	for i, v := range n.InitVals() {
		c, ok := v.(interpreter.InterpretableConst)
		isMapKey := n.Type() == types.MapType && i%2 == 0
		if !ok || isMapKey && keyRank(c.Value()) == otherKey {
			return literal, nil
		}
	}
	frame, err := interpreter.NewExecutionFrame(interpreter.EmptyActivation())
	if err != nil {
		return nil, err
	}
	defer frame.Close()
	v := literal.Exec(frame)
	if e, ok := v.(*types.Err); ok {
		return nil, e
	}
	return interpreter.NewConstValue(n.ID(), v), nil
}

// literalNode is what evaluates a literal.
func (p *planner) literalNode(n interpreter.InterpretableConstructor) interpreter.InterpretableV2 {
	keys, plain := p.maps[n.ID()]
	switch {
	case keys != nil:
		return newRecordNode(n, keys)
	case plain:
		return &mapNode{InterpretableConstructor: n, parts: n.InitVals()}
	default:
		return &literalNode{InterpretableConstructor: n}
	}
}

// literalNode is a list, or a map with optional entries.
type literalNode struct {
	interpreter.InterpretableConstructor
}

func (n *literalNode) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	v := n.InterpretableConstructor.Exec(frame)
	if types.IsUnknownOrError(v) {
		return v
	}
	if list, ok := v.(traits.Lister); !ok || !isLightList(list) {
		chargeWeight(frame, n.ID(), v)
	}
	return ordered(v)
}

func (n *literalNode) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, n.Exec)
}
