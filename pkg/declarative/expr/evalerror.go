package expr

import (
	"errors"
	"fmt"
	"math"
	"sync"

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
		return &EvalError{Path: p.src.path, Code: MissingKey, Cause: err, Message: missingMessage(p.ast.Expr(), name, err)}
	}
	return &EvalError{Path: p.src.path, Code: Failed, Cause: err, Message: failureMessage(p.ast.Expr(), err)}
}

// nowhere is the id of no expression.
const nowhere = math.MaxInt64

// cel-go shares the values of two errors between all evaluations and writes into them where they first came up, so
// that two goroutines that fail in the same way race. Written here once, they are only read afterwards.
//
//nolint:gochecknoglobals // what it guards is global in cel-go
var labelSharedErrors = sync.OnceFunc(func() {
	types.LabelErrNode(nowhere, types.NoSuchOverloadErr())
	types.LabelErrNode(nowhere, types.Int(math.MaxInt64).ConvertToType(types.TimestampType))
})
