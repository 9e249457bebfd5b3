package expr

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/interpreter"
)

// EvalCode says why an evaluation failed, for callers that tell the cases apart.
type EvalCode string

// The reasons for a failed evaluation.
const (
	// MissingKey is a key or field that is not there.
	MissingKey EvalCode = "missing-key"
	// CostLimit is an expression that took more steps than it may.
	CostLimit EvalCode = "cost-limit"
	// Deadline is a context that ended; errors.Is finds its cause, such as context.DeadlineExceeded.
	Deadline EvalCode = "deadline"
	// WrongKind is a result of another kind than the place needs.
	WrongKind EvalCode = "wrong-kind"
	// Failed is everything else: a division by zero, text that isn't JSON, an operator on types it doesn't have.
	Failed EvalCode = "failed"
)

// EvalError is a failed evaluation.
type EvalError struct {
	// Path is the place of the expression in the document.
	Path string
	// Message says what failed, and what to do about it where we know.
	Message string
	Code    EvalCode
	// Cause is the underlying error; nil for [WrongKind].
	Cause error
}

// Error gives the path and the message.
func (e *EvalError) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Unwrap returns the cause.
func (e *EvalError) Unwrap() error { return e.Cause }

func (p *Program) wrongKind(message string) *EvalError {
	return &EvalError{Path: p.src.path, Message: message, Code: WrongKind}
}

func (p *Program) stopped(cause error) *EvalError {
	return &EvalError{
		Path: p.src.path, Code: Deadline, Cause: cause,
		Message: fmt.Sprintf("the evaluation was stopped: %v", cause),
	}
}

// failed makes the error of an evaluation from cel-go's.
func (p *Program) failed(err error) *EvalError {
	var cancelled interpreter.EvalCancelledError
	if errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded {
		return &EvalError{
			Path: p.src.path, Code: CostLimit, Cause: err,
			Message: fmt.Sprintf("the expression takes more than %d steps for these values: let it look at fewer of them",
				p.want.costLimit()),
		}
	}
	if name, missing := missingName(err); missing {
		return &EvalError{Path: p.src.path, Code: MissingKey, Cause: err, Message: p.missingMessage(name, err)}
	}
	return &EvalError{Path: p.src.path, Code: Failed, Cause: err, Message: p.evalMessage(err)}
}

// evalMessage puts cel-go's text into words for people who don't know CEL.
func (p *Program) evalMessage(err error) string {
	text := err.Error()
	quoted := quotedWords(text)
	switch {
	case strings.HasPrefix(text, "no such overload"):
		return p.overloadMessage(err)
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
func (p *Program) overloadMessage(err error) string {
	what := "an operator or function"
	if name := p.callAt(err); name != "" {
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
func (p *Program) callAt(err error) string {
	var failed *types.Err
	if !errors.As(err, &failed) {
		return ""
	}
	e := findExpr(p.ast.Expr(), failed.NodeID())
	if e == nil || e.Kind() != ast.CallKind {
		return ""
	}
	return e.AsCall().FunctionName()
}

// nowhere is the id of no expression.
const nowhere = math.MaxInt64

// cel-go shares the values of two errors between all evaluations and writes into them where they first came up, so
// that two goroutines that fail in the same way race. Written here once, they are only read afterwards.
var labelSharedErrors = sync.OnceFunc(func() {
	types.LabelErrNode(nowhere, types.NoSuchOverloadErr())
	types.LabelErrNode(nowhere, types.Int(math.MaxInt64).ConvertToType(types.TimestampType))
})
