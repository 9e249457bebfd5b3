package openairesponses

import (
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// event is what matters of an event of a stream; members that an event doesn't have are zero.
type event struct {
	kind     string
	index    int64 // of the item in the answer
	part     int64 // of the summary or the content in the item
	delta    string
	item     item
	response response
}

// response is what matters of the response as a whole.
type response struct {
	status string
	reason string // why it is incomplete
	usage  core.Usage
	output []item // of an answer in one piece; in a stream they came already
}

func (e *event) read(data []byte) error {
	r := jsonx.NewReader(data)
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "type":
			e.kind = r.Text()
		case "output_index":
			e.index = r.Int()
		case "summary_index", "content_index":
			e.part = r.Int()
		case "delta":
			if r.Peek() == '"' { // of some events it is an object
				e.delta = r.Text()
			}
		case "item":
			if err := e.item.whole(r); err != nil {
				return err
			}
		case "response":
			if err := e.response.read(r, false); err != nil {
				return err
			}
		}
	}
	return r.End()
}

func (p *response) read(r *jsonx.Reader, output bool) error {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "status":
			p.status = r.Text()
		case "incomplete_details":
			for o := r.Object(); o.Next(); {
				if string(o.Key()) == "reason" {
					p.reason = r.Text()
				}
			}
		case "usage":
			p.usage = readUsage(r)
		case "output":
			if !output {
				continue
			}
			for a := r.Array(); a.Next(); {
				var i item
				if err := i.whole(r); err != nil {
					return err
				}
				p.output = append(p.output, i)
			}
		}
	}
	return nil
}

// readUsage counts each token once: the input has those in it that came from the cache and went into it.
func readUsage(r *jsonx.Reader) (u core.Usage) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "input_tokens":
			u.Input = r.Int()
		case "output_tokens":
			u.Output = r.Int()
		case "input_tokens_details":
			for o := r.Object(); o.Next(); {
				switch string(o.Key()) {
				case "cached_tokens":
					u.CacheRead = r.Int()
				case "cache_write_tokens":
					u.CacheWrite = r.Int()
				}
			}
		}
	}
	u.Input = max(0, u.Input-u.CacheRead-u.CacheWrite)
	return u
}
