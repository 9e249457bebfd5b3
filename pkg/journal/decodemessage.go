package journal

func (f fields) message() Msg {
	return Msg{ID: f.str("id"), Parent: f.str("parent"), Path: f.str("p"), Role: Role(f.str("role")),
		Author: f.str("author"), Branch: f.str("br"), Within: f.str("within"), Parts: decodeEach(f, "parts", fields.part),
		Stop: f.str("stop"), Model: f.str("model"), Usage: f.usage(), Set: f.state("set"), Delete: f.list("del")}
}

// part reads a part by the member that only parts of its kind have.
func (f fields) part() Part {
	has := func(name string) bool { _, ok := f.object[name]; return ok }
	switch {
	case has("text"):
		return Text{Text: f.prose("text"), Signature: f.prose("sig")}
	case has("thinking"):
		return Thinking{Text: f.prose("thinking"), Signature: f.prose("sig"), Item: f.str("item"),
			Redacted: f.flag("redacted")}
	case has("call"):
		c, _ := f.sub("call")
		return ToolCall{ID: c.str("id"), Name: c.str("name"), Args: c.prose("args"), Signature: c.prose("sig"),
			Item: c.str("item")}
	case has("result"):
		r, _ := f.sub("result")
		return ToolResult{ID: r.str("id"), Name: r.str("name"), Text: r.prose("text"), Error: r.flag("error"),
			Images: decodeEach(r, "images", fields.image)}
	case has("image"):
		i, _ := f.sub("image")
		return i.image()
	default:
		f.failWith("", &NewerFormatError{Seq: f.seq, Record: string(KindMsg)})
		return nil
	}
}

func (f fields) image() Image {
	return Image{MediaType: f.str("media"), Digest: f.str("blob"), Size: f.integer("len")}
}

func (f fields) usage() *Usage {
	u, ok := f.sub("usage")
	if !ok {
		return nil
	}
	return &Usage{Input: u.integer("in"), Output: u.integer("out"), CacheRead: u.integer("cacheRead"),
		CacheWrite: u.integer("cacheWrite"), Cost: u.double("cost")}
}

// double is a number of either kind.
func (f fields) double(name string) float64 {
	switch v := f.object[name].(type) {
	case nil:
		return 0
	case int64:
		return float64(v)
	case float64:
		return v
	default:
		f.fail(name, "expected a number")
		return 0
	}
}
