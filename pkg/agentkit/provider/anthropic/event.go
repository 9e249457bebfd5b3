package anthropic

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// event is what matters of an event of a stream; members that an event doesn't have are zero.
type event struct {
	kind  string
	index int64
	block content // of content_block_start, and what content_block_delta adds
	stop  string  // of message_delta
}

// content is a block of the answer, or a piece of one.
type content struct {
	kind      string
	id        string
	toolUseID string
	name      string
	text      string
	thinking  string
	signature string
	data      string
	args      string
	input     json.RawMessage
	raw       json.RawMessage // the block as a whole
}

// read reads an event and adds its usage.
func (e *event) read(data []byte, usage *core.Usage) error {
	r := jsonx.NewReader(data)
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "type":
			e.kind = r.Text()
		case "index":
			e.index = r.Int()
		case "content_block":
			if err := e.block.whole(r); err != nil {
				return err
			}
		case "delta":
			e.stop = e.block.read(r)
		case "message": // of message_start: its usage is of interest only
			for o := r.Object(); o.Next(); {
				if string(o.Key()) == "usage" {
					readUsage(r, usage)
				}
			}
		case "usage":
			readUsage(r, usage)
		}
	}
	return r.End()
}

// whole reads a block that is one value, and keeps its bytes.
func (c *content) whole(r *jsonx.Reader) error {
	c.raw = r.Raw()
	inner := jsonx.NewReader(c.raw)
	c.read(inner)
	return inner.End()
}

// read reads a block or a delta, and returns the reason of the end that a message's delta has.
func (c *content) read(r *jsonx.Reader) (stop string) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "type":
			c.kind = r.Text()
		case "id":
			c.id = r.Text()
		case "tool_use_id":
			c.toolUseID = r.Text()
		case "name":
			c.name = r.Text()
		case "text":
			c.text = r.Text()
		case "thinking":
			c.thinking = r.Text()
		case "signature":
			c.signature = r.Text()
		case "data":
			c.data = r.Text()
		case "partial_json":
			c.args = r.Text()
		case "input":
			c.input = r.Raw()
		case "stop_reason":
			stop = r.Text()
		}
	}
	return stop
}

// readUsage takes the numbers over. They are sums so far, so a later event replaces what an earlier one said; what stands
// in none of them stays. Cached tokens aren't part of input_tokens here.
func readUsage(r *jsonx.Reader, u *core.Usage) {
	for o := r.Object(); o.Next(); {
		if r.Peek() == 'n' {
			continue // not reported
		}
		switch string(o.Key()) {
		case "input_tokens":
			u.Input = r.Int()
		case "output_tokens":
			u.Output = r.Int()
		case "cache_read_input_tokens":
			u.CacheRead = r.Int()
		case "cache_creation_input_tokens":
			u.CacheWrite = r.Int()
		}
	}
}
