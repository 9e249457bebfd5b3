package google

import (
	"context"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// contents writes the messages. A content holds what one side says until the other does, and the results of a turn are one
// of their own: as many results as calls have to follow at once.
func (e *encoder) contents(ctx context.Context, msgs []core.Message) error {
	e.Key("contents")
	e.BeginArray()
	for i := range msgs {
		if msgs[i].Role != core.RoleTool {
			e.showLater()
		}
		if err := e.message(ctx, &msgs[i]); err != nil {
			return err
		}
	}
	e.showLater()
	if e.speaker != core.RoleUser && e.speaker != core.RoleTool {
		e.speak(core.RoleUser)
		e.text(core.Text{Text: provider.GoOn})
	}
	e.hush()
	e.EndArray()
	return nil
}

// speak opens a content of that speaker, unless it is open.
func (e *encoder) speak(role core.Role) {
	if e.speaker == role {
		return
	}
	if e.speaker == "" && role == core.RoleModel {
		e.speak(core.RoleUser)
		e.text(core.Text{Text: provider.GoOn})
	}
	e.hush()
	e.speaker = role
	e.BeginObject()
	if role == core.RoleModel {
		e.TextField("role", "model")
	} else {
		e.TextField("role", "user")
	}
	e.Key("parts")
	e.BeginArray()
}

// hush closes the content that is open.
func (e *encoder) hush() {
	if e.speaker != "" {
		e.EndArray()
		e.EndObject()
	}
}

// message writes the parts of a message. A content is opened by the first part that can be sent: an empty one is refused.
func (e *encoder) message(ctx context.Context, m *core.Message) error {
	stand := e.standIn(m)
	for _, p := range m.Parts {
		switch p := p.(type) {
		case core.Text:
			e.speak(m.Role)
			e.text(p)
		case core.Thinking:
			if p.Signature == "" {
				continue // a summary: the vendor keeps the reasoning itself in the signatures of other parts
			}
			e.speak(m.Role)
			e.thinking(p)
		case core.ToolCall:
			if p.Signature == "" {
				p.Signature, stand = stand, ""
			}
			e.speak(m.Role)
			e.call(p)
		case core.ToolResult:
			e.speak(m.Role)
			if err := e.result(ctx, p); err != nil {
				return err
			}
		case core.Image:
			pic, ok, err := e.load(ctx, p)
			if err != nil {
				return err
			}
			if ok {
				e.speak(m.Role)
				e.picture(pic)
			}
		}
	}
	return nil
}

// standIn is what stands for the signature of a message's first call when the message has none, because another model made
// it: without one the vendor refuses the call. The words are the vendor's own for that case. They are put in whether the
// turn is the current one or not, so that a session keeps its bytes, and with them its place in the vendor's cache.
func (e *encoder) standIn(m *core.Message) string {
	signed := func(p core.Part) bool { return signature(p) != "" }
	if !e.wire.generation.demandsSignatures() || slices.ContainsFunc(m.Parts, signed) {
		return ""
	}
	return "skip_thought_signature_validator"
}

func signature(p core.Part) string {
	switch p := p.(type) {
	case core.Text:
		return p.Signature
	case core.Thinking:
		return p.Signature
	case core.ToolCall:
		return p.Signature
	}
	return ""
}
