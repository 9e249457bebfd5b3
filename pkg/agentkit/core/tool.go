package core

import (
	"context"
	"encoding/json"
)

// Tool is something that a model can call. Implementations are safe for concurrent use: the calls of one batch run in
// parallel, and one tool may serve several agents.
type Tool interface {
	// Spec describes the tool. It returns the same value every time, and callers don't change what it points to.
	Spec() Spec

	// Run executes one call. Arguments are a JSON object that has passed the schema of Spec, in the bytes that the
	// model wrote. A failure that the model should know of may be returned either as a Result with IsError or as an
	// error, whose text then becomes the result; siblings of the same batch are not cancelled by it. A tool obeys ctx:
	// when ctx is done the run is being cancelled, and what Run returns is discarded.
	Run(ctx context.Context, call Call) (Result, error)
}

// Spec is what a model is told about a tool, and what the loop has to know of it.
type Spec struct {
	// Name is how the model calls the tool: unique within an agent, at most 64 letters, digits, "_" and "-".
	Name string

	// Description tells the model what the tool does and when to use it.
	Description string

	// InputSchema is the JSON Schema of the arguments, an object schema. The bytes are sent as they are, so a tool that
	// is built twice from the same source has to give the same bytes. Empty means an object without properties.
	InputSchema json.RawMessage

	// Deferred asks that the model isn't shown the tool with every request, but finds it when it searches the deferred ones
	// for what it needs: an agent with hundreds of tools reads few of them. The vendor searches, where it can; elsewhere the
	// tool is declared like any other, which is reported (see [Warning]). A deferred tool is never part of the prefix that
	// the vendor caches, so adding one in the middle of a session leaves the cache valid, and it stays deferred when it has been
	// used.
	Deferred bool

	// Strict asks the vendor to let the model write nothing but arguments that fit InputSchema. Vendors can do so for a part of
	// JSON Schema; a tool with another schema is declared without, which is reported. Arguments are checked in either case.
	Strict bool

	// Guidelines are sentences for the system prompt about the use of the tool. The same sentence from two tools is
	// said once.
	Guidelines []string

	// Server is the name of the MCP server that offers the tool, and ServerTool the tool's name there; both are empty
	// for other tools.
	Server     string
	ServerTool string

	// ReadOnly says that a call changes nothing, Idempotent that repeating a call with the same key or arguments has no
	// further effect. A call whose outcome is unknown because the process died is repeated only when one of them holds.
	ReadOnly   bool
	Idempotent bool
}

// Repeatable reports whether a call whose outcome is unknown may be made again.
func (s Spec) Repeatable() bool { return s.ReadOnly || s.Idempotent }

// Call is one call of a tool as the model made it.
type Call struct {
	// ID pairs the call with its result. It is unique within its turn.
	ID string

	// Name is the tool's name as the model knows it.
	Name string

	// Args are the arguments in the model's own bytes.
	Args json.RawMessage

	// Turn and Place, both from 1, are the turn of the agent in which the call was made, and its place among the calls of
	// that turn: together they are unique in an activation, and the same whenever the call is made again.
	Turn, Place int

	// Key is the idempotency key: the same for every execution of this call, in whatever process or attempt. It is
	// empty when the run was given none.
	Key string

	// Transcript is the prompt that the model answered with this call, without the answer. It isn't changed. A call that no
	// agent makes has none.
	Transcript []Message
}

// Result is what a call came to.
type Result struct {
	// Text is what the model reads.
	Text string

	// Images follow the text.
	Images []ImageData

	// Structured is the machine-readable form of the result, if the tool has one: a JSON value. The model doesn't see it
	// (a tool that has nothing else repeats it in Text); a graph node that calls the tool takes it as its output.
	Structured json.RawMessage

	// IsError marks a failed call; Text then says what went wrong and what would be right.
	IsError bool

	// Set and Delete are what the call writes to the session's state and removes from it, committed together with the
	// result. Values are what JSON has: nil, bool, numbers, string, []any and map[string]any.
	Set    map[string]any
	Delete []string

	// Usage is what models consumed for this call, in a tool that asks some itself. It counts like a model call of the
	// run that made the call.
	Usage Usage

	// EndRun asks that the agent ends after this batch instead of calling the model again. It does so only when every
	// result of the batch asks for it.
	EndRun bool
}

// TextResult returns a successful result of plain text.
func TextResult(text string) Result { return Result{Text: text} }

// ErrorResult returns a failed result whose text the model reads.
func ErrorResult(text string) Result { return Result{Text: text, IsError: true} }
