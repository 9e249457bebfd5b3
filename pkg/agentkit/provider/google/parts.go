package google

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// picture is an image with its bytes, and the tool that showed it.
type picture struct {
	core.Image

	data []byte
	tool string
}

// load returns an image of a kind that the API takes.
func (e *encoder) load(ctx context.Context, img core.Image) (picture, bool, error) {
	switch img.MediaType {
	case "image/png", "image/jpeg", "image/webp", "image/heic", "image/heif":
		data, ok, err := e.Image(ctx, img)
		return picture{Image: img, data: data}, ok, err
	}
	e.Warnf("an image of type %q is left out: this vendor takes PNG, JPEG, WebP, HEIC and HEIF", img.MediaType)
	return picture{}, false, nil
}

func (e *encoder) text(p core.Text) {
	e.BeginObject()
	e.TextField("text", p.Text)
	e.sign(p.Signature)
	e.EndObject()
}

func (e *encoder) thinking(p core.Thinking) {
	e.BeginObject()
	e.TextField("text", p.Text)
	e.Key("thought")
	e.Bool(true)
	e.sign(p.Signature)
	e.EndObject()
}

func (e *encoder) sign(signature string) {
	if signature != "" {
		e.TextField("thoughtSignature", signature)
	}
}

func (e *encoder) call(p core.ToolCall) {
	e.BeginObject()
	e.Key("functionCall")
	e.BeginObject()
	if e.hasID(p.ID) {
		e.TextField("id", e.ids.Call(p.ID))
	}
	e.TextField("name", p.Name)
	e.Key("args")
	e.Raw(provider.ObjectArgs(p.Args))
	e.EndObject()
	e.sign(p.Signature)
	e.EndObject()
}

// hasID reports whether an id is sent. One that the server left out isn't: it may not know the member.
func (e *encoder) hasID(id string) bool {
	return !e.wire.noIDs && !provider.MadeUp(id)
}

// result writes a result. What went right and what went wrong have keys that the vendor gave them.
func (e *encoder) result(ctx context.Context, p core.ToolResult) error {
	var shown []picture
	for _, img := range p.Images {
		pic, ok, err := e.load(ctx, img)
		if err != nil {
			return err
		}
		if ok {
			pic.tool = p.Name
			shown = append(shown, pic)
		}
	}
	e.BeginObject()
	e.Key("functionResponse")
	e.BeginObject()
	if e.hasID(p.ID) {
		e.TextField("id", e.ids.Result(p.ID))
	}
	e.TextField("name", p.Name)
	e.Key("response")
	e.BeginObject()
	if p.Error {
		e.TextField("error", p.Text)
	} else {
		e.TextField("output", p.Text)
	}
	e.EndObject()
	e.within(shown)
	e.EndObject()
	e.EndObject()
	return nil
}

// within writes the images of a result into it, or keeps them for later: older models take none there.
func (e *encoder) within(shown []picture) {
	if !e.wire.generation.showsResults() {
		e.later = append(e.later, shown...)
		return
	}
	if len(shown) == 0 {
		return
	}
	e.Key("parts")
	e.BeginArray()
	for _, pic := range shown {
		e.picture(pic)
	}
	e.EndArray()
}

// showLater writes the images of results that didn't go into them. They are the user's then, because beside results
// nothing may stand.
func (e *encoder) showLater() {
	tool := ""
	for _, pic := range e.later {
		e.speak(core.RoleUser)
		if pic.tool != tool {
			tool = pic.tool
			e.text(core.Text{Text: "Images in the result of " + tool + ":"})
		}
		e.picture(pic)
	}
	e.later = nil
}

func (e *encoder) picture(pic picture) {
	e.BeginObject()
	e.Key("inlineData")
	e.BeginObject()
	e.TextField("mimeType", pic.MediaType)
	e.Key("data")
	e.Base64("", pic.data)
	e.EndObject()
	e.EndObject()
}
