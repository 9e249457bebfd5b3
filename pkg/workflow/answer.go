package workflow

import (
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// answer adds the outcome of a run that a message began to the transcript: one message for each terminal that gave an
// output, in the order of the nodes. What an agent said is there already.
func (r *run) answer() {
	if r.rec == nil || r.message == nil {
		return
	}
	parent := r.tip()
	for _, t := range r.root.wf.graph.Terminals() {
		gave := r.root.nodes[t].gave
		if gave == nil || r.wf.nodes[t].speaks && !r.wf.nodes[t].cfg.Isolated || r.said(gave) {
			continue
		}
		m := journal.Msg{ID: r.messageID(), Parent: parent, Path: gave.by, Role: journal.RoleModel, Author: r.wf.name,
			Parts: []journal.Part{journal.Text{Text: spoken(gave.output)}}}
		parent = m.ID
		r.announce(Event{Kind: MessageAdded, Path: gave.by, Node: r.wf.nodes[t].name, Record: m}, r.record(m))
	}
}

// said reports whether the last thing that was said is the output, by an agent inside of the terminal.
func (r *run) said(gave *given) bool {
	r.rec.mu.RLock()
	defer r.rec.mu.RUnlock()
	n := r.rec.fold.Node(r.rec.fold.Tip)
	if n == nil {
		return false
	}
	m, ok := n.Record.(journal.Msg)
	if !ok || n.Run != r.id || m.Role != journal.RoleModel || m.Within != "" || !isInside(m.Path, gave.by) {
		return false
	}
	var text strings.Builder
	for _, p := range m.Parts {
		if t, ok := p.(journal.Text); ok {
			text.WriteString(t.Text)
		}
	}
	return text.String() == spoken(gave.output)
}

// tip is the newest message of the session, one that waits to be committed included.
func (r *run) tip() string {
	for _, rec := range slices.Backward(r.records) {
		switch rec := rec.(type) {
		case journal.Msg:
			return rec.ID
		case journal.Sum:
			return rec.ID
		}
	}
	return r.rec.tip()
}

// spoken is an output as people read it: text as it is, anything else as JSON.
func spoken(output any) string {
	if text, ok := output.(string); ok {
		return text
	}
	text, err := journal.EncodeValue(output)
	if err != nil { // outputs were normalised, which refuses what has no JSON form
		return ""
	}
	return string(text)
}
