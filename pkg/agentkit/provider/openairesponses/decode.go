package openairesponses

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// betweenSummaries stands between the parts of a summary, which are paragraphs.
const betweenSummaries = "\n\n"

// decoder reads one answer.
type decoder struct {
	profile *Profile
	open    []*openItem
	called  bool
	refused bool
}

// openItem is an item that began and isn't complete.
type openItem struct {
	index  int64
	id     string
	said   bool   // a piece of it came
	source string // the kind of event that its reasoning comes with: the summary's or the text's
	part   int64
}

// Event takes one event of a stream.
func (d *decoder) Event(_, data []byte, out *provider.Out) error {
	if string(bytes.TrimSpace(data)) == "[DONE]" { // other APIs end so; here it says that the end is missing
		return &core.ProviderError{Class: core.ClassCut, Err: core.ErrCutStream}
	}
	var e event
	if err := e.read(data); err != nil {
		return err
	}
	switch e.kind {
	case "response.output_item.added":
		return d.begin(e.index, &e.item, out)
	case "response.output_item.done":
		return d.end(e.index, &e.item, out)
	case "response.completed", "response.incomplete":
		if e.response.status == "" {
			e.response.status = strings.TrimPrefix(e.kind, "response.")
		}
		return d.done(&e.response, out)
	case "response.failed", "error":
		return failure(data)
	}
	d.extend(&e, out)
	return nil
}

// begin opens an item. The arguments that a call begins with are a placeholder.
func (d *decoder) begin(index int64, i *item, out *provider.Out) error {
	d.open = append(d.open, &openItem{index: index, id: i.id})
	if i.kind != "function_call" {
		return nil
	}
	if i.callID == "" || i.name == "" {
		return errors.New("an item of type function_call has no call_id or no name")
	}
	d.called = true
	out.Send(core.Delta{Kind: core.CallStart, Index: int(index), ID: i.callID, Name: i.name, Item: i.id})
	return nil
}

// at returns the item with that index, or nil.
func (d *decoder) at(index int64) *openItem {
	for _, o := range d.open {
		if o.index == index {
			return o
		}
	}
	return nil
}

// extend adds a piece to an item.
func (d *decoder) extend(e *event, out *provider.Out) {
	o := d.at(e.index)
	if o == nil || e.delta == "" {
		return
	}
	switch e.kind {
	case "response.output_text.delta":
		out.Text(e.delta)
	case "response.refusal.delta":
		d.refused = true
		out.Text(e.delta)
	case "response.function_call_arguments.delta":
		out.Args(int(e.index), e.delta)
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		if o.source != "" && o.source != e.kind {
			return // the text has a summary as well, or the other way round: one is enough
		}
		if o.said && e.part != o.part {
			e.delta = betweenSummaries + e.delta
		}
		o.source, o.part = e.kind, e.part
		out.Send(core.Delta{Kind: core.ThinkingDelta, Text: e.delta, Item: o.id})
	default:
		return
	}
	o.said = true
}

// end completes an item with what didn't come in pieces.
func (d *decoder) end(index int64, i *item, out *provider.Out) error {
	o := d.at(index)
	if o == nil { // servers that don't stream an item only end it
		if err := d.begin(index, i, out); err != nil {
			return err
		}
		o = d.at(index)
	}
	o.index = -1 // over
	switch i.kind {
	case "function_call":
		if !o.said {
			out.Args(int(index), i.args)
		}
	case "message":
		d.endMessage(o, i, out)
	case "reasoning":
		d.endReasoning(o, i, out)
	case searchItem, foundItem:
		out.Send(provider.Keep(i.id, i.raw))
	default:
		out.Warn(fmt.Sprintf("an item of type %q in the answer is left out", i.kind))
	}
	return nil
}

func (d *decoder) endMessage(o *openItem, i *item, out *provider.Out) {
	for _, c := range i.content {
		d.refused = d.refused || c.kind == "refusal"
		if !o.said {
			out.Text(c.text)
		}
		o.said = o.said || c.text != ""
	}
	if k := (mark{id: i.id, phase: i.phase}); o.said && k != (mark{}) {
		out.Send(core.Delta{Kind: core.TextDelta, Signature: k.String()})
	}
}

func (d *decoder) endReasoning(o *openItem, i *item, out *provider.Out) {
	if texts := i.thoughts(); !o.said && len(texts) > 0 {
		o.said = true
		out.Send(core.Delta{Kind: core.ThinkingDelta, Text: strings.Join(texts, betweenSummaries), Item: i.id})
	}
	switch {
	case d.profile.Encrypted && i.encrypted != "":
		out.Send(core.Delta{Kind: core.ThinkingDelta, Signature: i.encrypted, Item: i.id, Redacted: !o.said})
	case !d.profile.Encrypted && o.said:
		out.Send(core.Delta{Kind: core.ThinkingDelta, Signature: plainText, Item: i.id})
	}
}

// thoughts returns the summary of a reasoning, or else its text.
func (i *item) thoughts() []string {
	texts := i.summary
	if len(texts) == 0 {
		for _, c := range i.content {
			texts = append(texts, c.text)
		}
	}
	return texts
}

// done ends the answer.
func (d *decoder) done(p *response, out *provider.Out) error {
	stop := core.StopEnd
	switch {
	case p.status == "incomplete" && p.reason == "max_output_tokens":
		stop = core.StopMaxTokens
	case p.status == "incomplete" && p.reason == "content_filter", d.refused:
		stop = core.StopRefusal
	case p.status == "incomplete":
		out.Warn(fmt.Sprintf("the answer is incomplete for a reason that isn't known, %q; it is taken for complete", p.reason))
	case p.status != "completed":
		return fmt.Errorf("a response of status completed or incomplete is expected, not %q", p.status)
	case d.called:
		stop = core.StopToolUse
	}
	out.Done(stop, p.usage)
	return nil
}

// End does nothing: every answer ends with the response as a whole.
func (d *decoder) End(*provider.Out) {}

// Whole takes an answer in one piece.
func (d *decoder) Whole(data []byte, out *provider.Out) error {
	var p response
	r := jsonx.NewReader(data)
	if err := p.read(r, true); err != nil {
		return err
	}
	if err := r.End(); err != nil {
		return err
	}
	for n := range p.output {
		if err := d.end(int64(n), &p.output[n], out); err != nil {
			return err
		}
	}
	return d.done(&p, out)
}
