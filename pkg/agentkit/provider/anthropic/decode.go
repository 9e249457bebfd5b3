package anthropic

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// decoder reads one answer.
type decoder struct {
	usage core.Usage
	stop  string
	open  []openBlock
}

// openBlock is a block of a stream that began and didn't end.
type openBlock struct {
	index     int64
	kind      string
	signature string
	input     string // of a call, until pieces of its arguments come

	// Of a search for tools.
	id     string
	raw    string
	pieces []byte // of its input
}

// Event takes one event of a stream.
func (d *decoder) Event(_, data []byte, out *provider.Out) error {
	var e event
	if err := e.read(data, &d.usage); err != nil {
		return err
	}
	switch e.kind {
	case "content_block_start":
		return d.begin(e.index, &e.block, out)
	case "content_block_delta":
		d.extend(e.index, &e.block, out)
	case "content_block_stop":
		return d.end(e.index, out)
	case "message_delta":
		if e.stop != "" {
			d.stop = e.stop
		}
	case "message_stop":
		d.done(out)
	case "error":
		if err := provider.AnswerError(0, data); err != nil {
			return err
		}
		return errors.New("an event of type error says nothing about the error")
	}
	return nil
}

// begin opens a block. Most begin empty, but they needn't.
func (d *decoder) begin(index int64, c *content, out *provider.Out) error {
	b := openBlock{index: index, kind: c.kind, signature: c.signature}
	switch c.kind {
	case "text":
		out.Text(c.text)
	case "thinking":
		out.Thinking(c.thinking)
	case "redacted_thinking":
		out.Send(core.Delta{Kind: core.ThinkingDelta, Signature: c.data, Redacted: true})
	case "tool_use":
		if c.id == "" || c.name == "" {
			return errors.New("a tool_use block has no id or no name")
		}
		b.input = cmp.Or(string(c.input), "{}")
		out.Send(core.Delta{Kind: core.CallStart, Index: int(index), ID: c.id, Name: c.name})
	case searchBlock, foundBlock:
		b.id, b.raw = cmp.Or(c.id, c.toolUseID), string(c.raw)
	default:
		out.Warn(fmt.Sprintf("a block of type %q in the answer is left out", c.kind))
	}
	d.open = append(d.open, b)
	return nil
}

// extend adds a piece to a block. A signature is kept until the block ends, because it closes the part.
func (d *decoder) extend(index int64, c *content, out *provider.Out) {
	for i := range d.open {
		b := &d.open[i]
		if b.index != index {
			continue
		}
		switch c.kind {
		case "text_delta":
			out.Text(c.text)
		case "thinking_delta":
			out.Thinking(c.thinking)
		case "signature_delta":
			b.signature += c.signature
		case "input_json_delta":
			if b.kind == searchBlock {
				b.pieces = append(b.pieces, c.args...)
			} else if c.args != "" {
				b.input = "" // it was a placeholder
				out.Args(int(index), c.args)
			}
		}
	}
}

// end closes a block.
func (d *decoder) end(index int64, out *provider.Out) (err error) {
	for i, b := range d.open {
		if b.index != index {
			continue
		}
		switch b.kind {
		case searchBlock, foundBlock:
			err = d.keep(&b, out)
		case "thinking":
			if b.signature != "" {
				out.Send(core.Delta{Kind: core.ThinkingDelta, Signature: b.signature})
			}
		case "tool_use":
			out.Args(int(index), b.input)
		}
		d.open = append(d.open[:i], d.open[i+1:]...)
		return err
	}
	return nil
}

// done ends the answer.
func (d *decoder) done(out *provider.Out) {
	stop, known := stopReason(d.stop)
	if !known {
		out.Warn(fmt.Sprintf("the answer ended for a reason that isn't known, %q; it is taken for complete", d.stop))
	}
	out.Done(stop, d.usage)
}

func stopReason(word string) (core.StopReason, bool) {
	switch word {
	case "end_turn":
		return core.StopEnd, true
	case "tool_use":
		return core.StopToolUse, true
	case "max_tokens", "model_context_window_exceeded":
		return core.StopMaxTokens, true
	case "pause_turn":
		return core.StopPaused, true
	case "stop_sequence":
		return core.StopSequence, true
	case "refusal":
		return core.StopRefusal, true
	}
	return core.StopEnd, false
}

// End does nothing: message_stop is sent at the end of every answer.
func (d *decoder) End(*provider.Out) {}

// Whole takes an answer in one piece.
func (d *decoder) Whole(data []byte, out *provider.Out) error {
	var blocks []content
	kind := ""
	r := jsonx.NewReader(data)
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "type":
			kind = r.Text()
		case "content":
			for a := r.Array(); a.Next(); {
				var c content
				if err := c.whole(r); err != nil {
					return err
				}
				blocks = append(blocks, c)
			}
		case "stop_reason":
			d.stop = r.Text()
		case "usage":
			readUsage(r, &d.usage)
		}
	}
	if err := r.End(); err != nil {
		return err
	}
	if kind != "message" {
		return fmt.Errorf("an object of type message is expected, not %q", kind)
	}
	for i := range blocks {
		if err := d.begin(int64(i), &blocks[i], out); err != nil {
			return err
		}
		if err := d.end(int64(i), out); err != nil {
			return err
		}
	}
	d.done(out)
	return nil
}
