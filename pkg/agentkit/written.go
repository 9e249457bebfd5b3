package agentkit

import "github.com/plait-dev/plait/pkg/agentkit/core"

// emitDelta tells what a model writes.
func (r *run) emitDelta(d core.Delta) {
	switch {
	case r.yield == nil:
	case d.Kind == core.CallStart:
		r.emitCall(r.begun(d), d.Text)
	case d.Text == "":
	case d.Kind == core.TextDelta:
		r.emit(Event{Kind: EventText, Text: d.Text})
	case d.Kind == core.ThinkingDelta:
		r.emit(Event{Kind: EventThinking, Text: d.Text})
	case d.Kind == core.CallDelta:
		r.emitCall(r.writing[d.Index], d.Text)
	}
}

// emitCall tells more of the arguments of a call.
func (r *run) emitCall(c *core.Call, piece string) {
	r.emit(Event{Kind: EventCall, Call: c, Text: piece})
}

// begun notes that the model has begun to write a call.
func (r *run) begun(d core.Delta) *core.Call {
	if r.writing == nil {
		r.writing = map[int]*core.Call{}
	}
	c := &core.Call{ID: d.ID, Name: d.Name, Turn: r.turn + 1}
	r.writing[d.Index] = c
	return c
}

// emitParts tells an answer that was withheld until its hooks had judged it.
func (r *run) emitParts(parts []core.Part) {
	for _, p := range parts {
		switch p := p.(type) {
		case core.Text:
			r.emitDelta(core.Delta{Kind: core.TextDelta, Text: p.Text})
		case core.Thinking:
			r.emitDelta(core.Delta{Kind: core.ThinkingDelta, Text: p.Text})
		}
	}
}
