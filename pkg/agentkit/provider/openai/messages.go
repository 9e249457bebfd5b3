package openai

import (
	"context"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

func (e *encoder) messages(ctx context.Context, req *core.Request) error {
	e.Key("messages")
	e.BeginArray()
	e.system(req.System)
	begin := len(e.Bytes())
	var shown []shown
	for i, m := range req.Messages {
		var err error
		switch m.Role {
		case core.RoleModel:
			e.answer(m)
		case core.RoleTool:
			if shown, err = e.result(ctx, m, shown); err != nil {
				return err
			}
			// All results of a turn have to stand directly behind it.
			if i+1 == len(req.Messages) || req.Messages[i+1].Role != core.RoleTool {
				e.show(shown)
				shown = nil
			}
		default:
			if err = e.user(ctx, m); err != nil {
				return err
			}
		}
	}
	if len(e.Bytes()) == begin { // nothing was said
		e.content(provider.GoOn)
	}
	e.EndArray()
	return nil
}

// user writes what a person says.
func (e *encoder) user(ctx context.Context, m core.Message) error {
	content, err := e.Content(ctx, m.Parts)
	if err == nil && len(content) > 0 {
		e.content(content...)
	}
	return err
}

// content writes a message of the user's side. A text alone is written as such: some servers know nothing else.
func (e *encoder) content(content ...any) {
	e.BeginObject()
	e.TextField("role", "user")
	if text, ok := content[0].(string); ok && len(content) == 1 {
		e.TextField("content", text)
		e.EndObject()
		return
	}
	e.Key("content")
	e.BeginArray()
	for _, c := range content {
		e.BeginObject()
		switch c := c.(type) {
		case string:
			e.TextField("type", "text")
			e.TextField("text", c)
		case oai.Picture:
			e.TextField("type", "image_url")
			e.Key("image_url")
			e.BeginObject()
			e.Key("url")
			c.Write(e.Draft)
			e.EndObject()
		}
		e.EndObject()
	}
	e.EndArray()
	e.EndObject()
}

// answer writes what the model said. A message that holds reasoning alone, cut off before anything was said, is left out:
// nobody takes it.
func (e *encoder) answer(m core.Message) {
	text := core.TextOf(m)
	calls := core.CallsOf(m)
	e.Unsaid(m.Parts)
	if text == "" && len(calls) == 0 {
		return
	}
	e.BeginObject()
	e.TextField("role", "assistant")
	e.Key("content")
	if text == "" {
		e.Raw([]byte("null"))
	} else {
		e.Text(text)
	}
	e.thought(m, len(calls) > 0)
	if len(calls) > 0 {
		e.Key("tool_calls")
		e.BeginArray()
		for _, c := range calls {
			e.call(c)
		}
		e.EndArray()
	}
	e.EndObject()
}

func (e *encoder) call(c core.ToolCall) {
	e.BeginObject()
	e.TextField("id", e.IDs.Call(c.ID))
	e.TextField("type", "function")
	e.Key("function")
	e.BeginObject()
	e.TextField("name", c.Name)
	// They are a text here, which may be anything; but servers of open models parse it, and refuse what isn't an object.
	e.TextField("arguments", string(provider.ObjectArgs(c.Args)))
	e.EndObject()
	e.EndObject()
}

// shown are the images of a result.
type shown struct {
	name     string
	pictures []any
}

// result writes a result without its images, which it adds to those that will be shown.
func (e *encoder) result(ctx context.Context, m core.Message, all []shown) ([]shown, error) {
	r, ok := core.ResultOf(m)
	if !ok {
		return all, nil
	}
	pictures, err := e.Load(ctx, nil, r.Images...)
	if err != nil {
		return nil, err
	}
	text := oai.ResultText(r)
	if len(pictures) > 0 {
		all = append(all, shown{r.Name, pictures})
		if strings.TrimSpace(text) == "" {
			text = "The images follow."
		}
	}
	e.BeginObject()
	e.TextField("role", "tool")
	e.TextField("tool_call_id", e.IDs.Result(r.ID))
	e.TextField("content", text)
	e.EndObject()
	return all, nil
}

// show writes the images of a turn's results.
func (e *encoder) show(all []shown) {
	var content []any
	for _, s := range all {
		content = append(append(content, "Images of the result of "+s.name+":"), s.pictures...)
	}
	if len(content) > 0 {
		e.content(content...)
	}
}
