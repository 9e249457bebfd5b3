package google

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// decoder reads one answer.
type decoder struct {
	event  event
	counts counts
	ids    provider.CallIDs
	finish string
	reason string // what the vendor says about the end
	begun  bool   // something of the answer came
}

// Event takes one event of a stream.
func (d *decoder) Event(_, data []byte, out *provider.Out) error {
	if err := d.take(data, out); err != nil {
		return err
	}
	if d.ends() {
		return d.done(out)
	}
	return nil
}

// Whole takes an answer in one piece.
func (d *decoder) Whole(data []byte, out *provider.Out) error {
	if err := d.take(data, out); err != nil || d.finish == "" {
		return err
	}
	return d.done(out)
}

// End ends an answer whose terminal event couldn't be told from the others. Its word is STOP, so nothing can be wrong with it.
func (d *decoder) End(out *provider.Out) {
	if d.finish != "" {
		_ = d.done(out)
	}
}

// ends reports whether the last event was the terminal one: it says why the answer ended. Gateways that translate from other
// wires say STOP in front of the answer too, or tell the usage in an event that follows; then the end of the stream counts.
func (d *decoder) ends() bool {
	return d.finish != "" && (d.finish != stop || d.begun && d.event.counted)
}

// take reads an event and hands over what of the answer is in it.
func (d *decoder) take(data []byte, out *provider.Out) error {
	e := &d.event
	if err := e.read(data, &d.counts); err != nil {
		return err
	}
	if e.failed {
		if err := provider.AnswerError(0, data); err != nil {
			return err
		}
	}
	if e.blocked != "" {
		return &core.ProviderError{Class: core.ClassContentPolicy, Type: e.blocked,
			Message: cmp.Or(e.message, "the vendor's filter blocked the prompt: there is no answer")}
	}
	for i := range e.parts {
		if err := d.part(&e.parts[i], out); err != nil {
			return err
		}
	}
	d.begun = d.begun || len(e.parts) > 0
	if e.finish != "" {
		d.finish, d.reason = e.finish, e.message
	}
	return nil
}

// part hands over a part. A signature without a text closes the text in front of it, or is a part of its own.
func (d *decoder) part(p *part, out *provider.Out) error {
	kind := core.TextDelta
	switch {
	case p.call:
		return d.call(p, out)
	case !p.spoken && p.signature == "" && p.other != "":
		out.Warn(fmt.Sprintf("a part of kind %q in the answer is left out", p.other))
	case p.thought:
		kind = core.ThinkingDelta
	}
	if p.text != "" || p.signature != "" {
		out.Send(core.Delta{Kind: kind, Text: p.text, Signature: p.signature})
	}
	return nil
}

// call hands over a call, which comes whole.
func (d *decoder) call(p *part, out *provider.Out) error {
	if p.name == "" {
		return errors.New("a functionCall has no name")
	}
	n, id := d.ids.Next(p.id)
	out.Send(core.Delta{Kind: core.CallStart, Index: n, ID: id, Name: p.name, Signature: p.signature})
	out.Args(n, cmp.Or(string(p.args), "{}"))
	return nil
}
