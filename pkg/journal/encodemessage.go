package journal

import "fmt"

func (e *encoder) message(r Msg) {
	e.str("id", r.ID)
	e.str("parent", r.Parent)
	e.str("p", r.Path)
	e.str("role", string(r.Role))
	e.str("author", r.Author)
	e.str("br", r.Branch)
	e.str("within", r.Within)
	e.str("stop", r.Stop)
	e.str("model", r.Model)
	e.usage(r.Usage)
	encodeEach(e, "parts", r.Parts, e.part)
	e.state("set", r.Set)
	e.list("del", r.Delete)
}

// part writes a part; its first member says what it is and is always there.
func (e *encoder) part(p Part) {
	switch p := p.(type) {
	case Text:
		e.value("text", p.Text)
		e.prose("sig", p.Signature)
	case Thinking:
		e.value("thinking", p.Text)
		e.prose("sig", p.Signature)
		e.str("item", p.Item)
		e.flag("redacted", p.Redacted)
	case ToolCall:
		e.object("call", func() { e.toolCall(p) })
	case ToolResult:
		e.object("result", func() { e.result(p) })
	case Image:
		e.object("image", func() { e.image(p) })
	default:
		e.fail("", &ValueError{Problem: fmt.Sprintf("%T is not a part of a message; parts are values of this package", p)})
	}
}

func (e *encoder) toolCall(c ToolCall) {
	e.str("id", c.ID)
	e.str("name", c.Name)
	e.prose("args", c.Args)
	e.prose("sig", c.Signature)
	e.str("item", c.Item)
}

func (e *encoder) result(r ToolResult) {
	e.str("id", r.ID)
	e.str("name", r.Name)
	e.prose("text", r.Text)
	e.flag("error", r.Error)
	if len(r.Images) > 0 {
		encodeEach(e, "images", r.Images, e.image)
	}
}

func (e *encoder) image(i Image) {
	e.str("media", i.MediaType)
	e.str("blob", i.Digest)
	e.integer("len", i.Size)
}

func (e *encoder) usage(u *Usage) {
	if u == nil {
		return
	}
	e.object("usage", func() {
		e.integer("in", u.Input)
		e.integer("out", u.Output)
		e.integer("cacheRead", u.CacheRead)
		e.integer("cacheWrite", u.CacheWrite)
		if u.Cost != 0 {
			e.value("cost", u.Cost)
		}
	})
}
