package openairesponses

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// item is what matters of an item of the answer.
type item struct {
	kind      string
	id        string
	callID    string
	name      string
	args      string
	phase     string
	encrypted string
	summary   []string
	content   []content
	raw       json.RawMessage // the item as a whole
}

// content is a part of a message or of reasoning.
type content struct {
	kind string
	text string
}

// whole reads an item, and keeps its bytes.
func (i *item) whole(r *jsonx.Reader) error {
	i.raw = r.Raw()
	inner := jsonx.NewReader(i.raw)
	i.read(inner)
	return inner.End()
}

func (i *item) read(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "type":
			i.kind = r.Text()
		case "id":
			i.id = r.Text()
		case "call_id":
			i.callID = r.Text()
		case "name":
			i.name = r.Text()
		case "arguments":
			if r.Peek() == '"' { // those of a search are an object
				i.args = r.Text()
			}
		case "phase":
			i.phase = r.Text()
		case "encrypted_content":
			i.encrypted = r.Text()
		case "summary":
			for a := r.Array(); a.Next(); {
				i.summary = append(i.summary, readContent(r).text)
			}
		case "content":
			for a := r.Array(); a.Next(); {
				i.content = append(i.content, readContent(r))
			}
		}
	}
}

func readContent(r *jsonx.Reader) (c content) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "type":
			c.kind = r.Text()
		case "text", "refusal":
			c.text = r.Text()
		}
	}
	return c
}
