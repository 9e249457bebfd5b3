package oai

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// Encoder is what writing a request has in common.
type Encoder struct {
	*provider.Draft

	IDs      *provider.IDs
	Model    string
	Known    Model // what the model's name tells
	NoImages bool  // the vendor takes none

	forgotten bool // the caller was told that reasoning is left out
	unseen    bool // and that images are
}

// Declare writes the tools that the model is shown, and behind them what else it is told of.
func (e *Encoder) Declare(tools []core.Spec, cache *provider.ToolCache, write provider.ToolWriter, more func()) {
	if len(tools) == 0 && more == nil {
		return
	}
	e.Key("tools")
	e.BeginArray()
	for i := range tools {
		e.Tool(cache, &tools[i], write)
	}
	if more != nil {
		more()
	}
	e.EndArray()
}

// ArgsStrict says whether the vendor is to hold the arguments of a tool to its schema; the note says why it can't, if it is to.
func ArgsStrict(spec *core.Spec, can bool) (strict bool, note string) {
	against := "this vendor isn't known to be able to"
	if can {
		against = AgainstStrict(provider.InputSchema(spec))
		if against == "" {
			return spec.Strict, ""
		}
		against = "this vendor can't take " + against + " in it"
	}
	return false, provider.NotStrict(spec, against)
}

// Level returns the vendor's word for a level of thinking, or nothing where the model can't be asked for it.
func (e *Encoder) Level(level string, levels []string) string {
	if level == "off" {
		level = "none"
	}
	switch {
	case level == "" || level == "none" && e.Known.Plain():
		return ""
	case e.Known.Plain():
		e.Warnf("thinking %q: the model %s doesn't think", level, e.Model)
		return ""
	case len(levels) == 0:
		e.Warnf("thinking %q: this vendor can't be asked for it; the model's default is used", level)
		return ""
	case !slices.Contains(levels, level):
		e.Warnf("thinking %q: one of %s is expected; the model's default is used", level, strings.Join(levels, ", "))
		return ""
	}
	return level
}

// Strict says whether the vendor is to hold the answer to the schema, and tells the caller when it can't.
func (e *Encoder) Strict(schema json.RawMessage) {
	against := AgainstStrict(schema)
	if against != "" {
		e.Warnf("the output schema is a hint, the answer isn't bound to it: this vendor can't take %s in it", against)
	}
	e.Key("strict")
	e.Bool(against == "")
}

// Forget tells the caller, once, that reasoning is left out.
func (e *Encoder) Forget() {
	if !e.forgotten {
		e.Warnf("reasoning isn't sent back: it came in a form that this vendor doesn't take")
	}
	e.forgotten = true
}

// Picture is an image with its bytes.
type Picture struct {
	core.Image

	Data []byte
}

// Write writes an image as a data URL.
func (p Picture) Write(w *provider.Draft) { w.Base64("data:"+p.MediaType+";base64,", p.Data) }

// Content returns what a person says: texts, as strings, and pictures.
func (e *Encoder) Content(ctx context.Context, parts []core.Part) (content []any, err error) {
	for _, p := range parts {
		switch p := p.(type) {
		case core.Text:
			content = append(content, p.Text)
		case core.Image:
			if content, err = e.Load(ctx, content, p); err != nil {
				return nil, err
			}
		}
	}
	return content, nil
}

// Load adds the images that can be sent: those of a type that the vendor takes and that the caller has. The others are left
// out with a warning.
func (e *Encoder) Load(ctx context.Context, content []any, images ...core.Image) ([]any, error) {
	for _, img := range images {
		if e.NoImages {
			if !e.unseen {
				e.Warnf("images are left out: this vendor takes none")
			}
			e.unseen = true
			continue
		}
		switch img.MediaType {
		case "image/png", "image/jpeg", "image/gif", "image/webp":
		default:
			e.Warnf("an image of type %q is left out: this vendor takes PNG, JPEG, GIF and WebP", img.MediaType)
			continue
		}
		data, ok, err := e.Image(ctx, img)
		if err != nil {
			return nil, err
		}
		if ok {
			content = append(content, Picture{img, data})
		}
	}
	return content, nil
}

// Unsaid warns about what a model's message can't hold here.
func (e *Encoder) Unsaid(parts []core.Part) {
	for _, p := range parts {
		if _, ok := p.(core.Image); ok {
			e.Warnf("an image in a message of the model is left out: this vendor takes none there")
		}
	}
}
