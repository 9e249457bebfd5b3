package journal

// NeedsSync reports whether a record has to be durable before anything else happens: before an effect begins, before
// someone is told, or because someone was told that it is. The others may wait for the next entry: when they are lost
// in a crash, what they tell of happens again, from what is durable.
//
// Effectful says of a [Start], and of it alone, that the activation has effects: a model call, a tool, a function, an
// interrupt. Activations without are START, cel, join, and the entry and exit of composites.
func NeedsSync(r Record, effectful bool) bool {
	switch r.Kind() {
	case KindStart:
		return effectful
	case KindEnd, KindFail, KindNote:
		return false
	default:
		return true
	}
}

// IsRequest reports whether every record of the entry is one that a process without the run's lease may write: a
// cancellation, answers, or a person's message and its place in the queue.
func (e *Entry) IsRequest() bool {
	for _, r := range e.Records {
		switch r := r.(type) {
		case Cancel, Answer, Queue, Note:
		case Msg:
			if r.Role != RoleUser {
				return false
			}
		default:
			return false
		}
	}
	return true
}
