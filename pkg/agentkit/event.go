package agentkit

import (
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// EventKind says what an [Event] tells.
type EventKind uint8

// The kinds of events.
const (
	// EventText and EventThinking carry what the model writes while it writes it. It isn't committed: when the answer
	// fails, a later turn may say it again.
	EventText EventKind = iota + 1
	EventThinking
	// EventCall carries the arguments of a call while the model writes them, and isn't committed either: Call has the id and
	// the name, Text the next piece, the first of which may be empty. What the pieces make so far is shown by
	// [jsonx.Salvage]; what is called in the end is told by EventTool. An agent with hooks behind its model tells none.
	EventCall
	// EventMessage tells that a message was committed: an answer of the model, or the result of a call.
	EventMessage
	// EventTool tells that a call begins. Its intent is committed.
	EventTool
	// EventNote tells a committed remark, such as a setting that the provider couldn't honour.
	EventNote
	// EventEnd is the last event of a run that succeeded, and carries its result.
	EventEnd
)

// Event is something that happens in a run, in the order in which it happens.
type Event struct {
	Kind EventKind
	Turn int // from 1

	Text    string        // EventText, EventThinking, EventCall
	Message *core.Message // EventMessage
	Call    *core.Call    // EventTool; EventCall has no more of it than the id, the name and the turn
	Note    *journal.Note // EventNote
	Result  *Result       // EventEnd
}
