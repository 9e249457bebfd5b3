package openai

import (
	"encoding/json"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// The members in which vendors send the text of reasoning. The member's name is the signature of what came in it, so that
// it goes back where it came from.
const (
	reasoningContent = "reasoning_content"
	reasoning        = "reasoning"
)

// thought writes the reasoning of a message in the way that the vendor wants it back.
func (e *encoder) thought(m core.Message, calls bool) {
	switch e.wire.profile.Replay {
	case ReplayText:
		e.thoughtText(m, calls)
	case ReplayDetails:
		e.thoughtDetails(m)
	case ReplayNone:
		for _, p := range m.Parts {
			if t, ok := p.(core.Thinking); ok && t.Signature != "" {
				e.Forget()
			}
		}
	}
}

func (e *encoder) thoughtText(m core.Message, calls bool) {
	var text strings.Builder
	member := reasoningContent
	for _, p := range m.Parts {
		if t, ok := p.(core.Thinking); ok {
			text.WriteString(t.Text)
			if t.Signature == reasoning {
				member = reasoning
			}
			if t.Text == "" {
				e.Forget()
			}
		}
	}
	switch {
	case text.Len() > 0:
		e.TextField(member, text.String())
	case calls && e.wire.profile.Demanded:
		e.TextField(member, e.wire.profile.Missing)
	}
}

// thoughtDetails writes the arrays that are the signatures as one.
func (e *encoder) thoughtDetails(m core.Message) {
	var items []json.RawMessage
	for _, p := range m.Parts {
		t, ok := p.(core.Thinking)
		if !ok || t.Signature == "" { // a text that is in the details as well
			continue
		}
		r := jsonx.NewReader([]byte(t.Signature))
		var these []json.RawMessage
		if r.Peek() == '[' {
			for a := r.Array(); a.Next(); {
				these = append(these, r.Raw())
			}
		}
		if r.End() != nil || len(these) == 0 {
			e.Forget()
			continue
		}
		items = append(items, these...)
	}
	if len(items) == 0 {
		return
	}
	e.Key("reasoning_details")
	e.BeginArray()
	for _, item := range items {
		e.Raw(item)
	}
	e.EndArray()
}
