package expr

import (
	"errors"
	"reflect"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

const (
	defaultFunc     = "default"
	defaultOverload = "default_T_T"
)

// declareDefault declares default(e, d): d when e is null or when something on the way to e does not exist, else e.
// Both have one type. The function has no binding: defaultNode takes the place of the call, because d is only
// evaluated when it is needed and because the errors of e must reach it.
func declareDefault() cel.EnvOption {
	t := cel.TypeParamType("T")
	return cel.Function(defaultFunc, cel.Overload(defaultOverload, []*cel.Type{t, t}, t))
}

// defaultNode evaluates a call of default. It implements Eval besides Exec since cel-go evaluates the condition of a
// ternary by Eval.
type defaultNode struct {
	call            interpreter.InterpretableCall
	value, fallback interpreter.InterpretableV2
}

func (n *defaultNode) ID() int64 { return n.call.ID() }

func (n *defaultNode) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	v := n.value.Exec(frame)
	if v != types.NullValue && !isMissing(v) {
		return v
	}
	if c := frame.CostTracker(); c != nil {
		c.EvalUnary(frame, n.ID(), n.call, v, v)
	}
	return n.fallback.Exec(frame)
}

func (n *defaultNode) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, n.Exec)
}

// The beginnings of cel-go's texts for things that aren't there. TestMissingKeyTexts pins them.
const (
	noSuchKey       = "no such key: "
	noSuchAttribute = "no such attribute(s): "
)

// listMember is cel-go's whole text for a field of a list, as in ['a'].name.
const listMember = "unsupported index type 'string' in list"

// resolutionError is the type of cel-go's error for a missing key. cel-go doesn't export it, so it is taken from an
// error that we provoke. Together with the type the text is proof: a key or a message of a user's can say "no such
// key" as well, but never in an error of this type, or not at its beginning.
var resolutionError = provokeMissingKey() //nolint:gochecknoglobals // a constant that Go has no word for

func provokeMissingKey() reflect.Type {
	factory := interpreter.NewAttributeFactory(nil, types.DefaultTypeAdapter, nil)
	q, err := factory.NewQualifier(nil, 0, "k", false)
	if err != nil {
		return nil
	}
	_, err = q.Qualify(interpreter.EmptyActivation(), map[string]any{})
	return reflect.TypeOf(err)
}

// isMissing reports whether v is the error of reading something that does not exist: a key of a map, a member of a
// value that has none.
func isMissing(v ref.Val) bool {
	e, ok := v.(*types.Err)
	if !ok {
		return false
	}
	_, missing := missingName(e)
	return missing
}

// missingName returns what was missing. The name is empty for a member of a list, whose error doesn't tell.
func missingName(err error) (string, bool) {
	if f, ok := errors.AsType[*missingField](err); ok {
		return f.name, true
	}
	inner := err
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(next) {
		inner = next
	}
	switch text := inner.Error(); {
	case text == listMember:
		return "", true
	case reflect.TypeOf(inner) != resolutionError:
		return "", false
	case strings.HasPrefix(text, noSuchKey):
		return strings.TrimPrefix(text, noSuchKey), true
	case strings.HasPrefix(text, noSuchAttribute):
		return strings.TrimPrefix(text, noSuchAttribute), true
	default:
		return "", false
	}
}
