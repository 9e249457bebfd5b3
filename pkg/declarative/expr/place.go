package expr

import "fmt"

// Place says where in a document an expression stands, which decides the variables that it may use.
type Place int

// The places of expressions. All of them have input, state, session, user and invocation.
const (
	// Node is any field of a node but those below, and anything else that has no further variables.
	Node Place = iota
	// CelNode is a field of a cel node, which has vars in addition; see [Scope.WithVar].
	CelNode
	// RetryWhen is retry.when, with error.
	RetryWhen
	// BeforeModel is a rule of before_model, with request.
	BeforeModel
	// AfterModel is a rule of after_model, with response.
	AfterModel
	// BeforeTool is a rule of before_tool, with tool.
	BeforeTool
	// AfterTool is a rule of after_tool, with tool and result.
	AfterTool
)

// Kind says what a place wants back from an expression.
type Kind int

// The kinds of results. A result whose type is only known at run time is checked by [Program.Eval].
const (
	// Any takes every value that JSON can express.
	Any Kind = iota
	// Bool takes true and false; it is for when and escalate, and has the lower cost limit.
	Bool
	// String takes text.
	String
	// List takes a list of anything.
	List
	// Route takes a string, an integer, a boolean or a list of them; [Program.Eval] gives []string. Null and the
	// empty list are no route.
	Route
)

// String describes the kind as messages do: "a bool", "a list".
func (k Kind) String() string {
	switch k {
	case Any:
		return "any value"
	case Bool:
		return "a bool"
	case String:
		return "a string"
	case List:
		return "a list"
	case Route:
		return "a route (a string, an integer, a bool, or a list of them)"
	default:
		return fmt.Sprintf("Kind(%d)", int(k))
	}
}
