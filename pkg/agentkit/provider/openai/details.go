package openai

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// details are the blocks of reasoning in the array reasoning_details, which OpenRouter wants back as a whole answer would
// have had them. In a stream their pieces come: those of one type and index are one block, its texts strung together. A
// block that was sent back in pieces has a signature that fits none of them.
// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks
type details []*detail

// detail is a block: its members in their order.
type detail struct {
	kind    string
	index   string
	members []*member
}

// member is a member of a block, whose value is a text that may go on or something else.
type member struct {
	key   string
	text  string
	value json.RawMessage // nil when it is a text
}

// add adds pieces and returns the text in them.
func (all *details) add(pieces []json.RawMessage) (text string, err error) {
	for _, raw := range pieces {
		piece, said, err := readDetail(raw)
		if err != nil {
			return "", err
		}
		text += said
		if old := all.find(piece); old != nil {
			old.extend(piece)
		} else {
			*all = append(*all, piece)
		}
	}
	return text, nil
}

// find returns the block that a piece belongs to.
func (all *details) find(piece *detail) *detail {
	for _, d := range *all {
		if piece.index != "" && d.index == piece.index && d.kind == piece.kind {
			return d
		}
	}
	return nil
}

func readDetail(raw json.RawMessage) (d *detail, said string, err error) {
	r := jsonx.NewReader(raw)
	d = &detail{}
	for o := r.Object(); o.Next(); {
		m := &member{key: string(o.Key())}
		d.members = append(d.members, m)
		if r.Peek() != '"' {
			m.value = append(json.RawMessage{}, r.Raw()...)
			if m.key == "index" && string(m.value) != "null" {
				d.index = string(m.value)
			}
			continue
		}
		m.text = r.Text()
		switch m.key {
		case "type":
			d.kind = m.text
		case "text", "summary":
			said += m.text
		}
	}
	return d, said, r.End()
}

// extend adds a piece to a block.
func (d *detail) extend(piece *detail) {
	for _, add := range piece.members {
		m := d.member(add.key)
		switch goesOn := add.key == "text" || add.key == "summary" || add.key == "data"; {
		case string(add.value) == "null":
		case goesOn && m.value == nil && add.value == nil:
			m.text += add.text
		default:
			m.text, m.value = add.text, add.value
		}
	}
}

// member returns the member with that key, which is made when it isn't there.
func (d *detail) member(key string) *member {
	for _, m := range d.members {
		if m.key == key {
			return m
		}
	}
	m := &member{key: key}
	d.members = append(d.members, m)
	return m
}

// signature returns the array, or nothing when there are no blocks.
func (all details) signature() string {
	if len(all) == 0 {
		return ""
	}
	w := &jsonx.Writer{}
	w.BeginArray()
	for _, d := range all {
		w.BeginObject()
		for _, m := range d.members {
			w.Key(m.key)
			if m.value == nil {
				w.Text(m.text)
			} else {
				w.Raw(m.value)
			}
		}
		w.EndObject()
	}
	w.EndArray()
	return string(w.Bytes())
}
