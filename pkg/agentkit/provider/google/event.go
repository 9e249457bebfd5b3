package google

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// event is what matters of an event of a stream. An answer in one piece is one event.
type event struct {
	parts   []part
	finish  string // the vendor's word for the reason of the end
	message string // what the vendor says about the end, or about the block
	blocked string // the vendor's word for why the prompt got no answer
	counted bool   // there is usage in it
	failed  bool   // there is an error in it
}

// part is a part of the answer, or a piece of a text.
type part struct {
	text      string
	signature string
	thought   bool
	spoken    bool // it has a text, which may be empty
	call      bool
	id        string
	name      string
	args      json.RawMessage
	other     string // the kind of what isn't known
}

// counts are the tokens as the vendor counts them: cached ones within the prompt, those of thinking beside the candidates.
type counts struct {
	prompt, cached, tools, candidates, thoughts int64
}

// usage counts each token once.
func (c counts) usage() core.Usage {
	return core.Usage{Input: max(0, c.prompt-c.cached) + c.tools, Output: c.candidates + c.thoughts, CacheRead: c.cached}
}

// read reads an event. Its usage replaces what an earlier one said: the numbers are sums so far.
func (e *event) read(data []byte, c *counts) error {
	*e = event{parts: e.parts[:0]}
	r := jsonx.NewReader(data)
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "candidates":
			first := true // more than one aren't asked for
			for a := r.Array(); a.Next(); first = false {
				if first {
					e.candidate(r)
				}
			}
		case "promptFeedback":
			e.feedback(r)
		case "usageMetadata":
			e.counted = true
			c.read(r)
		case "error":
			e.failed = true
		}
	}
	return r.End()
}

func (e *event) candidate(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "content":
			for o := r.Object(); o.Next(); {
				if string(o.Key()) != "parts" {
					continue
				}
				for a := r.Array(); a.Next(); {
					var p part
					p.read(r)
					e.parts = append(e.parts, p)
				}
			}
		case "finishReason":
			e.finish = r.Text()
		case "finishMessage":
			e.message = r.Text()
		}
	}
}

func (e *event) feedback(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "blockReason":
			e.blocked = r.Text()
		case "blockReasonMessage":
			e.message = r.Text()
		}
	}
}

func (p *part) read(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "text":
			p.text, p.spoken = r.Text(), true
		case "thought":
			p.thought = r.Bool()
		case "thoughtSignature":
			p.signature = r.Text()
		case "functionCall":
			p.call = true
			p.readCall(r)
		default:
			if r.Peek() == '{' {
				p.other = string(o.Key())
			}
		}
	}
}

func (p *part) readCall(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		if r.Peek() == 'n' {
			continue // none
		}
		switch string(o.Key()) {
		case "id":
			p.id = r.Text()
		case "name":
			p.name = r.Text()
		case "args":
			p.args = r.Raw()
		}
	}
}

func (c *counts) read(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		if r.Peek() == 'n' {
			continue // not reported
		}
		switch string(o.Key()) {
		case "promptTokenCount":
			c.prompt = r.Int()
		case "cachedContentTokenCount":
			c.cached = r.Int()
		case "toolUsePromptTokenCount":
			c.tools = r.Int()
		case "candidatesTokenCount":
			c.candidates = r.Int()
		case "thoughtsTokenCount":
			c.thoughts = r.Int()
		}
	}
}
