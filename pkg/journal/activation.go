package journal

import "time"

// Start says that an activation begins: its first attempt, one after a failed attempt, or the re-entry of one that
// waited.
//
// Paths in Path and From are whole (outer@2/inner@1), and so are those of every other record. The pseudo node that
// stands for the entry of an instance is START, or outer@2/START within the activation outer@2. It has no Start
// record, and an [End] only where that is needed to know what it caused: when it leads to a join, or when something
// that it triggers doesn't start in the same entry.
type Start struct {
	// Path is the activation's id.
	Path string

	// From are the activations whose end caused this one: one for an ordinary node; for a join the sources of the
	// arrivals that it consumes; START of its team for a member of one; none for the other children of an activation that
	// the engine starts by itself.
	From []string

	// Input is absent when it is what follows from From: the output of a single trigger; for a join the map from the
	// sources' node ids to their outputs; for START the input of the run or of the activation around it; with no From,
	// null; and on a later attempt or a re-entry what it was before. It must be given when a source failed, because
	// what such a source hands on isn't its output.
	Input Optional

	// InputDigest is the digest of the input; only for children that a body starts. The fold takes it, like Branch, from
	// the first attempt.
	InputDigest string

	// Attempt counts from 1.
	Attempt int

	// Branch is the branch of the transcript that the activation sees; empty for the trunk. Of an isolated one it is the
	// branch that it stands on: inside it is on a trunk of its own.
	Branch string

	// Isolated begins a session within the session: the activation, and everything below it, has a state and a transcript of
	// its own, see [OwnSession]. The fold takes it, like Branch, from the first attempt.
	Isolated bool

	// State is the state of its own that an isolated activation goes on with, a map; only in a run that goes on from another
	// one. Absent, it is a copy of the state around it as of this record.
	State Optional
}

// End says that an activation is done.
type End struct {
	Path string

	// Output is absent when the activation gave none.
	Output Optional

	// Routes are the routes that it produced, in order.
	Routes []string

	// Set and Delete are what it wrote to the state and removed from it. A write that lost against a later activation's
	// isn't here: the fold applies what is recorded, in the order of the log.
	Set    map[string]any
	Delete []string

	// Within is the isolated activation whose state that is, the innermost one that this one is or belongs to; empty for the
	// session's state, and where nothing was written.
	Within string

	// Next is everything that the end caused, in edge order: a path for each activation that is now queued, and
	// join<source (gate<b, or outer@2/gate<b within outer@2) for each arrival on a join. An empty list says that nothing
	// followed; nil, which is left out of the log, that what would have followed didn't, as the run was coming to its end.
	Next []string

	// Escalate says that the innermost loop around the activation ends.
	Escalate bool

	// Usage is what the activation consumed and no message of it accounts for.
	Usage *Usage

	// Took is how long the attempt executed; the log keeps milliseconds.
	Took time.Duration
}

// Fail says that an attempt failed. Exactly one of three things follows: with Due, the next attempt at that time; with
// Next, the failure was handled, and Next is what its ERROR edges caused; with neither, the failure is final.
type Fail struct {
	Path string

	// Err is what went wrong. The code [CodeCanceled] is the engine's alone: it says that the activation didn't fail but
	// was canceled.
	Err Failure

	// Attempt is the attempt that failed, from 1.
	Attempt int

	// Due is when the next attempt begins; zero when there is none.
	Due time.Time

	// Next has the form of [End.Next].
	Next []string
}

// CodeCanceled is the [Failure.Code] of an activation that the engine canceled. No error of a node carries it.
const CodeCanceled = "canceled"

// Failure is an error as it is recorded and handed to ERROR edges.
type Failure struct {
	// Type is the error's class as the node reports it.
	Type string
	// Code is the stable code of the rule or limit: timeout, panic, tool-error, …
	Code string
	// Message is for people.
	Message string
	// Field is the field of the document that the failure comes from, such as agents[triage].nodes[pick].routes[0].when;
	// empty when none is known.
	Field string
}

// Error returns the message, with the code where there is no message.
func (f Failure) Error() string {
	if f.Message == "" {
		return f.Code
	}
	return f.Message
}

// Wait says that an activation pauses. Without Asks it waits for its children alone.
type Wait struct {
	Path string
	Asks []Ask
}

// AskKind says what is asked of a person.
type AskKind string

// The kinds of interrupts.
const (
	AskInput    AskKind = "input"
	AskApproval AskKind = "approval"
)

// Ask is one interrupt: a question that stays open until a person or its deadline answers it.
type Ask struct {
	// ID is random and never reused.
	ID      string
	Kind    AskKind
	Message string

	// Payload is shown with the question; nil when there is none.
	Payload any

	// Schema is the JSON Schema of an acceptable answer; nil accepts anything.
	Schema any

	// Tool, Args and Call name the tool, its arguments as raw JSON and the id of the call, for an approval.
	Tool string
	Args string
	Call string

	// Deadline is when the question answers itself; zero means never.
	Deadline time.Time
}

// Via says who answered.
type Via string

// The ways an interrupt is answered.
const (
	ViaPerson   Via = "person"
	ViaDeadline Via = "deadline"
)

// Decision is the answer to an approval.
type Decision string

// The decisions.
const (
	Approve Decision = "approve"
	Edit    Decision = "edit"
	Reject  Decision = "reject"
)

// Answer closes an interrupt. All answers of one message stand in one entry.
type Answer struct {
	// ID is the interrupt's.
	ID   string
	Path string

	// Value answers an input; it is absent for an approval.
	Value Optional

	// Decision answers an approval. Args are the edited arguments as raw JSON, Reason is optional.
	Decision Decision
	Args     string
	Reason   string

	// By is the person; empty for a deadline.
	By  string
	Via Via
}

// Kind returns [KindStart].
func (Start) Kind() Kind { return KindStart }

// Kind returns [KindEnd].
func (End) Kind() Kind { return KindEnd }

// Kind returns [KindFail].
func (Fail) Kind() Kind { return KindFail }

// Kind returns [KindWait].
func (Wait) Kind() Kind { return KindWait }

// Kind returns [KindAnswer].
func (Answer) Kind() Kind { return KindAnswer }

func (Start) record()  {}
func (End) record()    {}
func (Fail) record()   {}
func (Wait) record()   {}
func (Answer) record() {}
