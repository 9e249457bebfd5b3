package openairesponses

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

func (e *encoder) input(ctx context.Context, msgs []core.Message) error {
	e.Key("input")
	e.BeginArray()
	begin := len(e.Bytes())
	for _, m := range msgs {
		var err error
		switch m.Role {
		case core.RoleModel:
			e.answer(m)
		case core.RoleTool:
			err = e.result(ctx, m)
		default:
			err = e.user(ctx, m)
		}
		if err != nil {
			return err
		}
	}
	if len(e.Bytes()) == begin { // nothing was said
		e.ask(provider.GoOn)
	}
	e.EndArray()
	return nil
}

// user writes what a person says.
func (e *encoder) user(ctx context.Context, m core.Message) error {
	content, err := e.Content(ctx, m.Parts)
	if err != nil || len(content) == 0 {
		return err
	}
	e.ask(content...)
	return nil
}

func (e *encoder) ask(content ...any) {
	e.BeginObject()
	e.TextField("type", "message")
	e.TextField("role", "user")
	e.Key("content")
	e.content(content)
	e.EndObject()
}

func (e *encoder) content(content []any) {
	e.BeginArray()
	for _, c := range content {
		e.BeginObject()
		switch c := c.(type) {
		case string:
			e.TextField("type", "input_text")
			e.TextField("text", c)
		case oai.Picture:
			e.TextField("type", "input_image")
			e.TextField("detail", "auto")
			e.Key("image_url")
			c.Write(e.Draft)
		}
		e.EndObject()
	}
	e.EndArray()
}

// result writes what a call gave. It refers to the call alone, not to its item.
func (e *encoder) result(ctx context.Context, m core.Message) error {
	r, ok := core.ResultOf(m)
	if !ok {
		return nil
	}
	content, err := e.Load(ctx, nil, r.Images...)
	if err != nil {
		return err
	}
	text := oai.ResultText(r)
	e.BeginObject()
	e.TextField("type", "function_call_output")
	e.TextField("call_id", e.IDs.Result(r.ID))
	e.Key("output")
	switch {
	case len(content) == 0:
		e.Text(text)
	case text == "":
		e.content(content)
	default:
		e.content(append([]any{text}, content...))
	}
	e.EndObject()
	return nil
}

// answer writes what the model said. The ids of items are sent behind the reasoning that led to them, and not without it:
// the vendor knows them as a pair, and refuses one half. Reasoning that nothing follows, cut off by a limit, is left out
// for the same reason.
func (e *encoder) answer(m core.Message) {
	paired := false
	for i, p := range m.Parts {
		switch p := p.(type) {
		case core.Thinking:
			if !followed(m.Parts[i+1:]) {
				continue
			}
			if item := provider.Kept(p); item != nil {
				e.searched(item, paired)
			} else {
				paired = e.reasoning(p) || paired
			}
		case core.Text:
			if p.Text != "" {
				e.message(p, paired)
			}
		case core.ToolCall:
			e.call(p, paired)
		}
	}
	e.Unsaid(m.Parts)
}

// followed reports whether something is said behind reasoning.
func followed(parts []core.Part) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case core.ToolCall:
			return true
		case core.Text:
			if p.Text != "" {
				return true
			}
		}
	}
	return false
}

// reasoning writes an item of reasoning, if it can go back.
func (e *encoder) reasoning(t core.Thinking) bool {
	encrypted := e.wire.profile.Encrypted
	switch {
	case encrypted && t.Signature == "": // Repair keeps it for those who want it
		return false
	case encrypted && t.Signature == plainText, !encrypted && t.Text == "":
		e.Forget()
		return false
	}
	e.BeginObject()
	e.TextField("type", "reasoning")
	if t.Item != "" {
		e.TextField("id", t.Item)
	}
	e.Key("summary")
	e.BeginArray()
	if encrypted && t.Text != "" {
		e.BeginObject()
		e.TextField("type", "summary_text")
		e.TextField("text", t.Text)
		e.EndObject()
	}
	e.EndArray()
	if encrypted {
		e.TextField("encrypted_content", t.Signature)
	} else {
		e.Key("content")
		e.BeginArray()
		e.BeginObject()
		e.TextField("type", "reasoning_text")
		e.TextField("text", t.Text)
		e.EndObject()
		e.EndArray()
	}
	e.EndObject()
	return true
}

// message writes a text of the model.
func (e *encoder) message(t core.Text, paired bool) {
	k := readMark(t.Signature)
	e.BeginObject()
	e.TextField("type", "message")
	e.TextField("role", "assistant")
	if k.phase != "" {
		e.TextField("phase", k.phase)
	}
	if !paired || k.id == "" {
		e.TextField("content", t.Text)
		e.EndObject()
		return
	}
	e.TextField("id", k.id)
	e.TextField("status", "completed")
	e.Key("content")
	e.BeginArray()
	e.BeginObject()
	e.TextField("type", "output_text")
	e.TextField("text", t.Text)
	e.Key("annotations")
	e.BeginArray()
	e.EndArray()
	e.EndObject()
	e.EndArray()
	e.EndObject()
}

func (e *encoder) call(c core.ToolCall, paired bool) {
	e.BeginObject()
	e.TextField("type", "function_call")
	if paired && c.Item != "" {
		e.TextField("id", c.Item)
	}
	e.TextField("call_id", e.IDs.Call(c.ID))
	e.TextField("name", c.Name)
	if e.deferred[c.Name] { // such a tool is alone in a namespace of its own name
		e.TextField("namespace", c.Name)
	}
	e.TextField("arguments", string(provider.ObjectArgs(c.Args)))
	e.EndObject()
}
