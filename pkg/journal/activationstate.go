package journal

import "time"

// ActivationState is the state of an activation.
type ActivationState string

// The states of activations. The last three are final.
const (
	ActivationQueued   ActivationState = "queued"
	ActivationRunning  ActivationState = "running"
	ActivationBackoff  ActivationState = "backoff"
	ActivationWaiting  ActivationState = "waiting"
	ActivationDone     ActivationState = "done"
	ActivationFailed   ActivationState = "failed"
	ActivationCanceled ActivationState = "canceled"
)

// Live reports whether an activation of this state isn't over.
func (s ActivationState) Live() bool {
	return s == ActivationQueued || s == ActivationRunning || s == ActivationBackoff || s == ActivationWaiting
}

// Activation is what the log says of one activation.
type Activation struct {
	Path  string
	State ActivationState

	// From are the activations that caused it.
	From []string

	// Input is what it was started with; meaningful from its start on.
	Input       any
	InputDigest string

	// Attempt is the present attempt or, in backoff, the one that failed; 0 while it is queued.
	Attempt int
	Branch  string

	// Due is when the next attempt begins, in backoff.
	Due time.Time

	// Output, Routes, Next and Escalate are those of its end; Next also that of a handled failure.
	Output   Optional
	Routes   []string
	Next     []string
	Escalate bool

	// Err is the last failure; nil when no attempt failed.
	Err *Failure

	// Answered are the interrupts that were answered, in order: those of the present attempt that asked for an input, and
	// the approvals since the activation's last message of a model, whatever the attempt.
	Answered []Interrupt

	// Recoveries counts how often the run was taken over while this activation was the one that ran.
	Recoveries int

	// Isolated says that it has a session of its own, and Own is what that holds; nil for others, and for one that is done.
	Isolated bool
	Own      *OwnSession

	// Started is where the present attempt began, Committed its last end, failure or pause.
	Started   Pos
	Committed Pos

	// children counts those that are live, open the interrupts; reentered says that it may start again in the same
	// attempt, because what it waited for has come.
	children  int
	open      int
	reentered bool

	// source is the memory of From in one that another one triggered.
	source [1]string
}

// Handled reports whether the activation failed and its ERROR edges took over.
func (a *Activation) Handled() bool { return a.State == ActivationFailed && len(a.Next) > 0 }

// Arrival is one value on its way into a join.
type Arrival struct {
	// Join is the join's node with its instance before it: gate, or outer@2/gate.
	Join string
	// Source is the node that the edge comes from, From its activation.
	Source string
	From   string
	Pos    Pos
}

// Interrupt is a question and, once it was given, the answer.
type Interrupt struct {
	Ask  Ask
	Path string
	Pos  Pos

	// Answer is nil while the interrupt is open.
	Answer *Answer
}

func (i Interrupt) isApproval() bool { return i.Ask.Kind == AskApproval }

// OpenCall is an intent without a result.
type OpenCall struct {
	Call Call
	Pos  Pos
}
