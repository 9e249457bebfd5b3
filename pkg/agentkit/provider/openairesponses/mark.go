package openairesponses

import "github.com/plait-dev/plait/pkg/agentkit/jsonx"

// plainText is the signature of reasoning that came as text.
const plainText = "reasoning_text"

// mark is what is kept of the item that a text came in, as the text's signature: its id, and the phase (commentary or
// final_answer) that newer models want to see again.
type mark struct{ id, phase string }

// String returns the mark as JSON.
func (k mark) String() string {
	w := &jsonx.Writer{}
	w.BeginObject()
	if k.id != "" {
		w.TextField("id", k.id)
	}
	if k.phase != "" {
		w.TextField("phase", k.phase)
	}
	w.EndObject()
	return string(w.Bytes())
}

// readMark reads a mark; what isn't one is as good as none.
func readMark(signature string) mark {
	var k mark
	r := jsonx.NewReader([]byte(signature))
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "id":
			k.id = r.Text()
		case "phase":
			k.phase = r.Text()
		}
	}
	if r.End() != nil {
		return mark{}
	}
	return k
}
