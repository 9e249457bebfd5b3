package openai

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// chunk is what matters of an event, or of an answer in one piece, which has the same form.
type chunk struct {
	object string
	failed bool // there is an error in it
	usage  usage
	choice choice // the first one; there are no others, since one is asked for
	found  bool
}

// choice is a piece of the answer.
type choice struct {
	index    int64
	finish   string
	stopped  bool // by a stop sequence
	failed   bool
	text     string
	refusal  string
	member   string // that the reasoning came in
	thinking string
	details  []json.RawMessage
	calls    []piece
}

// piece is a piece of a call.
type piece struct {
	index   int64
	indexed bool
	id      string
	name    string
	args    string
}

// read reads the whole of data.
func (c *chunk) read(data []byte) error {
	r := jsonx.NewReader(data)
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "object":
			c.object = r.Text()
		case "error":
			c.failed = c.failed || r.Peek() != 'n'
		case "usage":
			c.usage.read(r)
		case "choices":
			for a := r.Array(); a.Next(); {
				c.choices(r)
			}
		}
	}
	c.failed = c.failed || c.choice.failed || c.object == "error"
	return r.End()
}

// choices reads a choice and keeps it if it is the first.
func (c *chunk) choices(r *jsonx.Reader) {
	var one choice
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "index":
			one.index = r.Int()
		case "finish_reason":
			one.finish = r.Text()
		case "stop_reason": // vLLM: the sequence, or the number of a token
			one.stopped = r.Peek() == '"'
		case "error":
			one.failed = r.Peek() != 'n'
		case "delta":
			one.read(r, false)
		case "message":
			one.read(r, true)
		case "usage": // Moonshot has it here as well
			c.usage.read(r)
		}
	}
	if one.index == 0 && !c.found {
		c.choice, c.found = one, true
	}
}

// read reads a message or a piece of one.
func (c *choice) read(r *jsonx.Reader, whole bool) {
	for o := r.Object(); o.Next(); {
		switch key := string(o.Key()); key {
		case "content":
			c.text = content(r)
		case "refusal":
			c.refusal = r.Text()
		case reasoningContent, reasoning: // gateways that send both send the same text in both
			if text := content(r); text != "" && c.thinking == "" {
				c.member, c.thinking = key, text
			}
		case "reasoning_details":
			for a := r.Array(); a.Next(); {
				c.details = append(c.details, r.Raw())
			}
		case "tool_calls":
			for a := r.Array(); a.Next(); {
				p := piece{index: int64(len(c.calls)), indexed: whole}
				p.read(r)
				c.calls = append(c.calls, p)
			}
		}
	}
}

// content reads a text, or the texts of an array of parts.
func content(r *jsonx.Reader) string {
	switch r.Peek() {
	case '[':
		var all []byte
		for a := r.Array(); a.Next(); {
			for o := r.Object(); o.Next(); {
				if string(o.Key()) == "text" {
					all = r.AppendText(all)
				}
			}
		}
		return string(all)
	case '{': // nobody's form of a text, but no reason to give up on an answer
		r.Skip()
		return ""
	}
	return r.Text()
}

func (p *piece) read(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "index":
			if r.Peek() != 'n' {
				p.index, p.indexed = r.Int(), true
			}
		case "id":
			p.id = r.Text()
		case "function":
			for o := r.Object(); o.Next(); {
				switch string(o.Key()) {
				case "name":
					p.name = r.Text()
				case "arguments":
					p.args = arguments(r)
				}
			}
		}
	}
}

// arguments reads a text with JSON in it, or, from servers that know no better, the JSON itself.
func arguments(r *jsonx.Reader) string {
	if c := r.Peek(); c == '{' || c == '[' {
		return string(r.Raw())
	}
	return r.Text()
}
