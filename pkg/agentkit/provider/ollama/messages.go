package ollama

import (
	"context"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// messages writes the system prompt and the messages.
func (e *encoder) messages(ctx context.Context, req *core.Request) error {
	e.Key("messages")
	e.BeginArray()
	system := req.System
	if system != "" && e.words != "" {
		system += "\n\n"
	}
	if system += e.words; system != "" {
		e.plain("system", system)
	}
	last := core.RoleModel
	for _, m := range req.Messages {
		var err error
		if m.Role == core.RoleTool {
			err = e.results(ctx, m.Parts)
		} else {
			err = e.message(ctx, m)
		}
		if err != nil {
			return err
		}
		last = m.Role
	}
	if last == core.RoleModel {
		e.plain("user", provider.GoOn)
	}
	e.EndArray()
	return nil
}

// plain writes a message of text.
func (e *encoder) plain(role, text string) {
	e.BeginObject()
	e.TextField("role", role)
	e.TextField("content", text)
	e.EndObject()
}

// message writes what a person or the model said. The model's pieces of text are one text as they are; those of a person
// stand on lines of their own.
func (e *encoder) message(ctx context.Context, m core.Message) error {
	var texts, thoughts []string
	var images []core.Image
	for _, p := range m.Parts {
		switch p := p.(type) {
		case core.Text:
			texts = append(texts, p.Text)
		case core.Thinking:
			if p.Redacted {
				e.Warnf("withheld reasoning is left out: this vendor has none")
			}
			thoughts = append(thoughts, p.Text)
		case core.Image:
			images = append(images, p)
		case core.ToolCall, core.ToolResult: // calls have a place of their own, results aren't here
		}
	}
	role, between := "user", "\n"
	if m.Role == core.RoleModel {
		role, between = "assistant", ""
	}
	e.BeginObject()
	e.TextField("role", role)
	e.TextField("content", strings.Join(texts, between))
	if thought := strings.Join(thoughts, ""); thought != "" {
		e.TextField("thinking", thought)
	}
	if err := e.images(ctx, images); err != nil {
		return err
	}
	e.calls(core.CallsOf(m))
	e.EndObject()
	return nil
}

func (e *encoder) calls(calls []core.ToolCall) {
	if len(calls) == 0 {
		return
	}
	e.Key("tool_calls")
	e.BeginArray()
	for _, c := range calls {
		e.BeginObject()
		e.TextField("id", e.ids.Call(c.ID))
		e.Key("function")
		e.BeginObject()
		e.TextField("name", c.Name)
		e.Key("arguments")
		e.Raw(provider.ObjectArgs(c.Args))
		e.EndObject()
		e.EndObject()
	}
	e.EndArray()
}

// results writes each result as a message. Servers that don't know ids read the name, and go by the order.
func (e *encoder) results(ctx context.Context, parts []core.Part) error {
	for _, p := range parts {
		r, ok := p.(core.ToolResult)
		if !ok {
			continue
		}
		e.BeginObject()
		e.TextField("role", "tool")
		e.TextField("content", r.Text)
		e.TextField("tool_name", r.Name)
		e.TextField("tool_call_id", e.ids.Result(r.ID))
		if err := e.images(ctx, r.Images); err != nil {
			return err
		}
		e.EndObject()
	}
	return nil
}

// images writes the images of a message. Their type isn't said: the server looks at the bytes.
func (e *encoder) images(ctx context.Context, images []core.Image) error {
	open := false
	for _, img := range images {
		data, ok, err := e.Image(ctx, img)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if !open {
			e.Key("images")
			e.BeginArray()
			open = true
		}
		e.Base64("", data)
	}
	if open {
		e.EndArray()
	}
	return nil
}
