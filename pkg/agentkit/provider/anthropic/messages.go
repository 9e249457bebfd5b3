package anthropic

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// block is one part of a message as it will be written.
type block struct {
	part  core.Part
	image []byte // of a core.Image
	shots []shot // the images of a result
}

// kept is the block as it came, if it is one of a search.
func (b block) kept() json.RawMessage {
	if t, ok := b.part.(core.Thinking); ok {
		return provider.Kept(t)
	}
	return nil
}

// shot is a picture with its bytes.
type shot struct {
	core.Image

	data []byte
}

// turn is a message of the API: what one side says until the other does.
type turn struct {
	model  bool
	blocks []block
}

func (e *encoder) messages(ctx context.Context, msgs []core.Message) error {
	turns, err := e.turns(ctx, msgs)
	if err != nil {
		return err
	}
	e.Key("messages")
	e.BeginArray()
	for i, t := range turns {
		// The last turn is the user's, and every other one before it.
		marked := !t.model && i >= len(turns)-1-2*(markedTurns-1)
		e.turn(t, marked)
	}
	e.EndArray()
	return nil
}

// turns groups the messages, and leaves out what the API wouldn't take.
func (e *encoder) turns(ctx context.Context, msgs []core.Message) ([]turn, error) {
	user := turn{blocks: []block{{part: core.Text{Text: provider.GoOn}}}}
	turns := make([]turn, 0, len(msgs)+1)
	add := func(t turn) {
		switch n := len(turns); {
		case len(t.blocks) == 0:
		case n > 0 && turns[n-1].model == t.model:
			turns[n-1].blocks = append(turns[n-1].blocks, t.blocks...)
		case n == 0 && t.model:
			turns = append(turns, user, t)
		default:
			turns = append(turns, t)
		}
	}
	paused := pauses(msgs)
	for i, m := range msgs {
		t := turn{model: m.Role == core.RoleModel}
		for _, p := range m.Parts {
			b, ok, err := e.block(ctx, t.model, p)
			if err != nil {
				return nil, err
			}
			if ok {
				t.blocks = append(t.blocks, b)
			}
		}
		if t.model {
			t.blocks = endInSpeech(t.blocks, paused && i == len(msgs)-1)
		}
		add(t)
	}
	if n := len(turns); n == 0 || turns[n-1].model && !paused {
		add(user)
	}
	return turns, nil
}

// pauses says that the last message is the beginning of an answer, which the vendor goes on with as it is.
func pauses(msgs []core.Message) bool {
	return len(msgs) > 0 && core.StopReason(msgs[len(msgs)-1].Stop) == core.StopPaused
}

// endInSpeech drops the reasoning that a message would end in. A search ends one that goes on, and no other.
func endInSpeech(blocks []block, goesOn bool) []block {
	for n := len(blocks); n > 0; n-- {
		last := blocks[n-1]
		if _, thinks := last.part.(core.Thinking); !thinks || goesOn && last.kept() != nil {
			return blocks[:n]
		}
	}
	return nil
}

// block decides whether a part can be sent, and loads its images.
func (e *encoder) block(ctx context.Context, model bool, p core.Part) (b block, ok bool, err error) {
	b.part = p
	switch p := p.(type) {
	case core.Thinking: // the API proves it by its signature
		return b, p.Signature != "" && (provider.Kept(p) == nil || e.searched(p)), nil
	case core.Text: // blank texts are refused
		return b, strings.TrimSpace(p.Text) != "", nil
	case core.Image:
		if model {
			e.Warnf("an image in a message of the model is left out: this vendor takes none there")
			return b, false, nil
		}
		b.image, ok, err = e.load(ctx, p)
		return b, ok, err
	case core.ToolResult:
		for _, img := range p.Images {
			data, ok, err := e.load(ctx, img)
			if err != nil {
				return b, false, err
			}
			if ok {
				b.shots = append(b.shots, shot{img, data})
			}
		}
	}
	return b, true, nil
}

// load returns the bytes of an image of a kind that the API takes.
func (e *encoder) load(ctx context.Context, img core.Image) ([]byte, bool, error) {
	switch img.MediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return e.Image(ctx, img)
	}
	e.Warnf("an image of type %q is left out: this vendor takes PNG, JPEG, GIF and WebP", img.MediaType)
	return nil, false, nil
}

// turn writes a message.
func (e *encoder) turn(t turn, marked bool) {
	e.BeginObject()
	if t.model {
		e.TextField("role", "assistant")
	} else {
		e.TextField("role", "user")
	}
	e.Key("content")
	e.BeginArray()
	for i, b := range t.blocks {
		if kept := b.kept(); kept != nil {
			e.Raw(kept)
			continue
		}
		e.BeginObject()
		e.write(b)
		if marked && i == len(t.blocks)-1 {
			e.mark()
		}
		e.EndObject()
	}
	e.EndArray()
	e.EndObject()
}

// write writes the members of a block.
func (e *encoder) write(b block) {
	switch p := b.part.(type) {
	case core.Text:
		e.TextField("type", "text")
		e.TextField("text", p.Text)
	case core.Thinking:
		e.thinking(p)
	case core.ToolCall:
		e.TextField("type", "tool_use")
		e.TextField("id", e.ids.Call(p.ID))
		e.TextField("name", p.Name)
		e.Key("input")
		e.Raw(provider.ObjectArgs(p.Args))
	case core.ToolResult:
		e.result(p, b.shots)
	case core.Image:
		e.image(p, b.image)
	}
}

func (e *encoder) thinking(p core.Thinking) {
	if p.Redacted {
		e.TextField("type", "redacted_thinking")
		e.TextField("data", p.Signature)
		return
	}
	e.TextField("type", "thinking")
	e.TextField("thinking", p.Text)
	e.TextField("signature", p.Signature)
}

func (e *encoder) result(p core.ToolResult, shots []shot) {
	e.TextField("type", "tool_result")
	e.TextField("tool_use_id", e.ids.Result(p.ID))
	if p.Error {
		e.Key("is_error")
		e.Bool(true)
	}
	if strings.TrimSpace(p.Text) == "" && len(shots) == 0 {
		return
	}
	e.Key("content")
	e.BeginArray()
	if strings.TrimSpace(p.Text) != "" {
		e.BeginObject()
		e.TextField("type", "text")
		e.TextField("text", p.Text)
		e.EndObject()
	}
	for _, s := range shots {
		e.BeginObject()
		e.image(s.Image, s.data)
		e.EndObject()
	}
	e.EndArray()
}

func (e *encoder) image(img core.Image, data []byte) {
	e.TextField("type", "image")
	e.Key("source")
	e.BeginObject()
	e.TextField("type", "base64")
	e.TextField("media_type", img.MediaType)
	e.Key("data")
	e.Base64("", data)
	e.EndObject()
}
