package expr

import (
	"time"

	"cel.dev/cel-go/interpreter"
)

// Activation holds the values of one evaluation. Values are plain JSON values in Go: nil, bool, string, int64,
// uint64, float64, []any, map[string]any; other integer types, json.Number, []byte, time.Time and time.Duration are
// understood, too. A float64 is a double in an expression, whatever its value: decode JSON so that integers become
// int64, or state.n + 1 fails for a number that was written as 7.
//
// The values must not change during an evaluation. An Activation may be used for any number of evaluations, also at
// the same time. Its zero value is an activation in which everything is null or empty.
type Activation struct {
	// Input is the value that arrived at the node, shaped by the node's own input expression.
	Input any
	// State is the session state; nil is the empty state. See [StateMap].
	State State
	// Vars holds the values of a cel node's vars that were computed so far.
	Vars map[string]any

	Session    Session
	User       User
	Invocation Invocation

	// Error is set for [RetryWhen], Request for [BeforeModel], Response for [AfterModel], Tool for [BeforeTool] and
	// [AfterTool], Result for [AfterTool].
	Error    *Failure
	Request  *Request
	Response *Response
	Tool     *Tool
	Result   any
}

// State is the session state as expressions read it. Both methods are called while an expression is evaluated, so
// they must be quick and must show one unchanging state.
type State interface {
	// Get returns the value of a key, and false if there is none.
	Get(key string) (value any, ok bool)
	// Keys returns all keys in any order. The caller may change the returned slice.
	Keys() []string
}

// StateMap is a [State] that is held in a map.
type StateMap map[string]any

// Session is the variable session.
type Session struct {
	ID, UserID, App string
}

// User is the variable user. Content is the text of the message that started the run.
type User struct {
	ID, Content string
	Files       []File
}

// File is an element of user.files. Size counts bytes.
type File struct {
	Name, Type string
	Size       int64
}

// Invocation is the variable invocation. Attempt counts from 1; StartedAt is when the run began; Index is the place
// of a worker's item in its list, from 0.
type Invocation struct {
	ID, Agent, Node string
	Attempt         int
	StartedAt       time.Time
	Index           int
}

// Failure is the variable error of retry.when.
type Failure struct {
	Message, Type, Code string
	Timeout             bool
	Attempt             int
}

// Request is the variable request of before_model. Messages and Tools hold plain JSON values.
type Request struct {
	Model, System   string
	Messages, Tools []any
}

// Response is the variable response of after_model. ToolCalls and Usage hold plain JSON values.
type Response struct {
	Text       string
	ToolCalls  []any
	StopReason string
	Usage      map[string]any
}

// Tool is the variable tool of before_tool and after_tool. Args holds plain JSON values.
type Tool struct {
	Name, Server string
	Args         map[string]any
}

// resolver looks up the variables of an activation for cel-go. Nothing is built before it is asked for.
type resolver struct{ *Activation }

// stateVar is how a state that isn't a map is handed to cel-go without an allocation.
type stateVar Activation

// FindStringKey lets cel-go select a key of the state directly.
func (s *stateVar) FindStringKey(key string) (any, bool) { return s.State.Get(key) }

// ResolveName implements interpreter.Activation.
func (r resolver) ResolveName(name string) (any, bool) {
	switch name {
	case "input":
		return r.Input, true
	case "state":
		switch s := r.State.(type) {
		case nil:
			return map[string]any(nil), true
		case StateMap:
			return map[string]any(s), true
		default:
			return (*stateVar)(r.Activation), true
		}
	case "vars":
		return r.Vars, true
	case "session":
		return &r.Session, true
	case "user":
		return &r.User, true
	case "invocation":
		return &r.Invocation, true
	default:
		return r.resolveHook(name)
	}
}

// resolveHook looks up the variables that only retries and hooks have. One that isn't set is null.
func (r resolver) resolveHook(name string) (any, bool) {
	switch name {
	case "error":
		return orNil(r.Error), true
	case "request":
		return orNil(r.Request), true
	case "response":
		return orNil(r.Response), true
	case "tool":
		return orNil(r.Tool), true
	case "result":
		return r.Result, true
	default:
		return nil, false
	}
}

// Parent implements interpreter.Activation.
func (resolver) Parent() interpreter.Activation { return nil }

func orNil[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}
