package expr

import (
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// decorate replaces nodes of a plan as it is made, children before parents: our own functions, the literals whose
// results must be in order or be paid for, and the functions that must not run unchecked.
func (e *Env) decorate(node interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	switch n := node.(type) {
	case interpreter.InterpretableCall:
		switch n.Function() {
		case defaultFunc:
			return newDefaultNode(n)
		case seqFunc:
			args := n.Args()
			return &seqNode{call: n, first: args[0], then: args[1]}, nil
		case overloads.Matches, regexReplace, regexExtract, regexExtractAll:
			return planRegex(n)
		default:
			return e.guards.apply(n), nil
		}
	case interpreter.InterpretableConstructor:
		return decorateLiteral(n)
	default:
		return node, nil
	}
}

// decorateLiteral makes a list or map literal pay for its weight, puts a map in order, and computes a constant one
// once. cel-go would compute it, too, but not after it has become one of our nodes. A key that no map can have, as in
// {dyn(b'x'): 1}, is left for the evaluation to fail.
func decorateLiteral(n interpreter.InterpretableConstructor) (interpreter.InterpretableV2, error) {
	literal := &literalNode{InterpretableConstructor: n}
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

type literalNode struct {
	interpreter.InterpretableConstructor
}

func (n *literalNode) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	v := n.InterpretableConstructor.Exec(frame)
	if types.IsUnknownOrError(v) {
		return v
	}
	chargeWeight(frame, n.ID(), v)
	if m, ok := v.(traits.Mapper); ok {
		return ordered(m)
	}
	return v
}

func (n *literalNode) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, n.Exec)
}
