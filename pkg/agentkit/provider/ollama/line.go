package ollama

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// line is what matters of a line of a stream. An answer in one piece is one line.
type line struct {
	text   string
	think  string
	calls  []call
	done   bool
	reason string // why the answer ended
	input  int64
	output int64
	failed bool // there is an error in it
}

// call is a call, which comes whole.
type call struct {
	id   string
	name string
	args json.RawMessage
}

func (l *line) read(data []byte) error {
	*l = line{calls: l.calls[:0]}
	r := jsonx.NewReader(data)
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "message":
			l.message(r)
		case "done":
			l.done = r.Bool()
		case "done_reason":
			l.reason = r.Text()
		case "prompt_eval_count":
			l.input = r.Int()
		case "eval_count":
			l.output = r.Int()
		case "error":
			l.failed = true
		}
	}
	return r.End()
}

func (l *line) message(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "content":
			l.text = r.Text()
		case "thinking":
			l.think = r.Text()
		case "tool_calls":
			for a := r.Array(); a.Next(); {
				var c call
				c.read(r)
				l.calls = append(l.calls, c)
			}
		}
	}
}

func (c *call) read(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "id":
			c.id = r.Text()
		case "function":
			for o := r.Object(); o.Next(); {
				switch string(o.Key()) {
				case "name":
					c.name = r.Text()
				case "arguments":
					if r.Peek() != 'n' {
						c.args = r.Raw()
					}
				}
			}
		}
	}
}
