package workflow

import (
	"errors"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// Code is the stable name of a kind of failure. Bodies add their own by [Errorf] or [Coded].
type Code string

// The codes that the engine gives.
const (
	CodeError         Code = "error"          // a body returned an error without a code
	CodeToolError     Code = "tool-error"     // a tool failed
	CodeInputSchema   Code = "input-schema"   // the input isn't what the node takes
	CodeOutputSchema  Code = "output-schema"  // the output isn't what the node promised
	CodeOutputValue   Code = "output-value"   // the output or state has no JSON form
	CodeReservedRoute Code = "reserved-route" // the body produced the route DEFAULT or ERROR
	CodeTimeout       Code = "timeout"        // the attempt took too long
	CodePanic         Code = "panic"          // the body panicked
	CodeCrashLoop     Code = "crash-loop"     // the process died too often while the activation ran
	CodeLimit         Code = "limit-exceeded" // a limit of the run
	CodeCanceled      Code = journal.CodeCanceled
	CodeJournal       Code = "journal" // the journal could not be read or written
	CodeRequest       Code = "request" // the run could not be begun or taken up as asked
)

// Coded is an error that names its code.
type Coded interface {
	error
	ErrorCode() Code
}

// Errorf makes an error with a code; the format takes %w.
func Errorf(code Code, format string, args ...any) error {
	return &codedError{code: code, error: fmt.Errorf(format, args...)}
}

type codedError struct {
	error
	code Code
}

func (e *codedError) ErrorCode() Code { return e.code }
func (e *codedError) Unwrap() error   { return e.error }

// withCode gives err a code if it has none.
func withCode(err error, code Code) error {
	if coded := Coded(nil); err == nil || errors.As(err, &coded) {
		return err
	}
	return &codedError{code: code, error: err}
}

// Terminal marks err as not worth retrying; it is found through any wrapping. ERROR edges still apply.
func Terminal(err error) error {
	if err == nil {
		return nil
	}
	return &terminalError{err}
}

type terminalError struct{ error }

func (e *terminalError) Unwrap() error { return e.error }

func isTerminal(err error) bool {
	var t *terminalError
	return errors.As(err, &t)
}

// InField marks err as coming from a field of the document that the workflow was made of; it is found through any wrapping.
func InField(err error, field string) error {
	if err == nil || field == "" {
		return err
	}
	return &fieldError{error: err, field: field}
}

type fieldError struct {
	error
	field string
}

func (e *fieldError) Unwrap() error { return e.error }

// NodeError is the failure of an activation.
type NodeError struct {
	Code Code
	// Type is the Go type of the error that the body returned.
	Type    string
	Message string
	// Node and Path say which node failed in which activation.
	Node string
	Path string
	// Field is the field of the document that the failure comes from, see [InField] and [NodeConfig].Blame: of an activation
	// inside of a composite, what that one's failure comes from. It is empty when none is known.
	Field string
	// Attempts counts the attempts that were made, this one included.
	Attempts int
	// Input is the shaped input of the activation.
	Input any

	cause error // nil when the failure was read from the journal
}

// Error names the activation and the field, and says what happened. A failure from inside a composite names the innermost
// activation alone, whose path says where it is.
func (e *NodeError) Error() string {
	if inner, ok := strings.CutPrefix(e.Message, e.Path); ok && strings.IndexAny(inner, "/~") == 0 {
		return e.Message
	}
	if e.Field == "" || strings.Contains(e.Message, e.Field) {
		return e.Path + ": " + e.Message
	}
	return e.Path + ": " + e.Field + ": " + e.Message
}

// ErrorCode returns Code.
func (e *NodeError) ErrorCode() Code { return e.Code }

// Unwrap returns what the body returned. It is nil after a restart.
func (e *NodeError) Unwrap() error { return e.cause }

// value is what ERROR edges hand on.
func (e *NodeError) value() map[string]any {
	return map[string]any{
		"message": e.Message, "type": e.Type, "code": string(e.Code), "node": e.Node, "path": e.Path,
		"attempts": int64(e.Attempts), "input": e.Input,
	}
}

// RunError says why a run didn't complete. [Workflow.Run] and [Workflow.Resume] yield it as their last element.
type RunError struct {
	Code Code
	// Path is the activation that is to blame; empty when there is none.
	Path string
	// Field is the field of the document that is to blame, see [NodeError.Field]; of a limit of the run, limits and its name.
	Field   string
	Message string
	// Err is the cause: a *[NodeError], the error of the journal, or the cause of the cancellation.
	Err error
}

// Error says what happened, and where.
func (e *RunError) Error() string {
	if e.Path == "" || strings.HasPrefix(e.Message, e.Path) {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Unwrap returns the cause.
func (e *RunError) Unwrap() error { return e.Err }

// DefinitionError lists everything that is wrong with a workflow.
type DefinitionError struct {
	Workflow string
	Problems []Problem
}

// Error lists the problems, one a line.
func (e *DefinitionError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "workflow %s:", e.Workflow)
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "\n  %s", p.Message)
		if p.Hint != "" {
			fmt.Fprintf(&b, "; %s", p.Hint)
		}
	}
	return b.String()
}
