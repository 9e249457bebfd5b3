package core

// DeltaKind says what a [Delta] carries.
type DeltaKind uint8

// The kinds of deltas.
const (
	// TextDelta carries more text of the answer.
	TextDelta DeltaKind = iota + 1
	// ThinkingDelta carries more of the model's reasoning, or its signature, or both.
	ThinkingDelta
	// CallStart begins a tool call with its ID and Name.
	CallStart
	// CallDelta carries more bytes of the arguments of the call with the same Index.
	CallDelta
	// Warning says in Text that the provider couldn't honour something of the request.
	Warning
	// Done ends a complete answer with its Stop and Usage.
	Done
)

// String returns the name of the kind.
func (k DeltaKind) String() string {
	names := [...]string{TextDelta: "text", ThinkingDelta: "thinking", CallStart: "call-start",
		CallDelta: "call-delta", Warning: "warning", Done: "done"}
	if k == 0 || int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Delta is one piece of a model's answer. It is a plain value, so a stream of thousands costs no allocation each.
type Delta struct {
	Kind DeltaKind

	// Text is the piece of text, thinking or arguments.
	Text string

	// Signature is what the vendor wants to see again with the text, the thinking or the call, opaque and whole. It ends
	// the part that it belongs to. Item is the vendor's id of the item, and Redacted says that the vendor withheld the
	// thinking; see [Thinking].
	Signature string
	Item      string
	Redacted  bool

	// Index tells the calls of one answer apart. It is meant for CallStart and CallDelta only.
	Index int

	// ID and Name belong to CallStart. A provider whose wire has no ids makes them, the same whether it streams or not.
	ID   string
	Name string

	// Stop and Usage belong to Done. A zero Usage means that the vendor reported none. Model is the name of the model that
	// answered, when it is another one than was asked.
	Stop  StopReason
	Usage Usage
	Model string

	// Saved belongs to Done, too: it says that the answer was taken from a cache of whole answers, and what it had consumed
	// when it was given. Usage is what taking it consumed, nothing as a rule.
	Saved *Usage
}
