package workflow

import (
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// EventKind says what an [Event] tells.
type EventKind string

// The kinds of events. A run that was taken up again tells nothing of what happened before.
const (
	RunStarted    EventKind = "run-started"
	RunResumed    EventKind = "run-resumed"
	NodeStarted   EventKind = "started"   // an attempt of an activation begins
	NodeCompleted EventKind = "completed" // an activation is done
	NodeWaiting   EventKind = "waiting"   // an activation asks a person; the record is a journal.Wait
	NodeRetrying  EventKind = "retrying"  // an attempt failed; the next one begins after Delay
	NodeFailed    EventKind = "failed"    // an activation failed; its ERROR edges, if any, fired
	NodeCanceled  EventKind = "canceled"  // the engine canceled an activation
	NoteTaken     EventKind = "note"      // a warning; the record is a journal.Note
	MessageAdded  EventKind = "message"   // an agent's turn, or the run's answer; the record is a journal.Msg
	CallIntended  EventKind = "call"      // an agent is about to call a tool; the record is a journal.Call
	Progressed    EventKind = "progress"  // a node shows what it is doing; not recorded
	RunCompleted  EventKind = "run-completed"
	RunFailed     EventKind = "run-failed"
	RunCanceled   EventKind = "run-canceled"
	RunSuspended  EventKind = "run-suspended"
	RunWaiting    EventKind = "run-waiting" // nothing is left to do before somebody answers; see Interrupts and Wake
)

// Event is something that happened in a run. Except for progress it is durable when it is seen. Its values must not be
// changed.
type Event struct {
	Kind EventKind

	// Pos is the place of Record in the session's log; zero without a store and for progress.
	Pos journal.Pos
	At  time.Time

	// Path, Node and Attempt say which activation the event is about; empty for the run's own.
	Path    string
	Node    string
	Attempt int

	// Output is what an activation or the run gave; nil for nothing. Routes are those that the activation produced.
	Output any
	Routes []string

	// Err is the failure of an attempt.
	Err *NodeError
	// Delay is the time until the next attempt, Duration how long the attempt executed.
	Delay    time.Duration
	Duration time.Duration

	// Progress is set for Progressed alone.
	Progress *Progress

	// Warnings sum up, with the run's last event, what its author should know about the result.
	Warnings []journal.Note

	// Interrupts are, with RunWaiting, the questions that are open, oldest first. Wake is when the run goes on by itself,
	// because the deadline of one of them passes; zero means never.
	Interrupts []journal.Interrupt
	Wake       time.Time

	// Record is the record that tells the same in the journal. Without a store there are none for activations.
	Record journal.Record
}

// Progress is a sign of life of a node: shown at once, never recorded.
type Progress struct {
	// Text continues the text that the node is producing.
	Text string
	// Data is anything else; its meaning is between the node and who watches.
	Data any
}
