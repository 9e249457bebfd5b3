package session

import "github.com/plait-dev/plait/pkg/agentkit/core"

// prompt is put together of the messages of a transcript. As long as these are taken one behind the other and as they are
// it is the beginning of the transcript, and nothing is copied.
type prompt struct {
	of   []core.Message
	same int            // how many of them it is, while out is nil
	out  []core.Message // what it is from there on
}

// take appends the i-th message of the transcript, with these of its parts.
func (p *prompt) take(i int, parts []core.Part) {
	m := &p.of[i]
	if whole := len(parts) == len(m.Parts) && &parts[0] == &m.Parts[0]; whole && p.out == nil && i == p.same {
		p.same++
		return
	}
	p.copy()
	p.out = append(p.out, *m)
	p.out[len(p.out)-1].Parts = parts
}

// put appends a message that isn't in the transcript.
func (p *prompt) put(m core.Message) {
	p.copy()
	p.out = append(p.out, m)
}

// copy makes the prompt one of its own.
func (p *prompt) copy() {
	if p.out == nil {
		p.out = append(make([]core.Message, 0, len(p.of)+1), p.of[:p.same]...)
	}
}
