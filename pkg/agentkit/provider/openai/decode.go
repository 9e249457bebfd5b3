package openai

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// decoder reads one answer.
type decoder struct {
	profile *Profile
	usage   usage
	finish  string
	stopped bool
	refused bool
	member  string // of the reasoning that is open
	details details
	calls   calls
}

// Event takes one event of a stream.
func (d *decoder) Event(name, data []byte, out *provider.Out) error {
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		if d.finish == "" { // gateways write it, too, when the vendor's stream broke off
			return &core.ProviderError{Class: core.ClassCut, Err: core.ErrCutStream}
		}
		return d.done(out)
	}
	var c chunk
	if err := c.read(data); err != nil {
		return err
	}
	if c.failed || string(name) == "error" {
		return failure(data)
	}
	if c.usage.seen {
		d.usage = c.usage
	}
	return d.take(&c.choice, out)
}

// Whole takes an answer in one piece.
func (d *decoder) Whole(data []byte, out *provider.Out) error {
	var c chunk
	switch err := c.read(data); {
	case err != nil:
		return err
	case c.failed:
		return failure(data)
	case !c.found:
		return errors.New("there is no choice in it")
	}
	d.usage = c.usage
	if err := d.take(&c.choice, out); err != nil {
		return err
	}
	return d.done(out)
}

// End knows that an answer is complete when everything but the mark at its end came.
func (d *decoder) End(out *provider.Out) {
	if d.finish != "" && d.usage.seen && d.calls.complete() {
		_ = d.done(out) // can't fail with names
	}
}

// take sends what is in a piece of the answer.
func (d *decoder) take(c *choice, out *provider.Out) error {
	if d.profile.Replay == ReplayDetails {
		text, err := d.details.add(c.details)
		if err != nil {
			return err
		}
		if c.thinking == "" {
			c.thinking = text
		}
	}
	if c.thinking != "" {
		d.member = c.member
		out.Thinking(c.thinking)
	}
	if c.text != "" || c.refusal != "" || len(c.calls) > 0 {
		d.thought(out)
	}
	out.Text(c.text)
	out.Text(c.refusal)
	d.refused = d.refused || c.refusal != ""
	for i := range c.calls {
		d.calls.take(&c.calls[i], out)
	}
	if c.finish != "" {
		d.finish, d.stopped = c.finish, c.stopped
	}
	return broken(c.finish)
}

// thought ends the reasoning that is open, with its signature where the vendor wants it back.
func (d *decoder) thought(out *provider.Out) {
	if d.member != "" && d.profile.Replay == ReplayText {
		out.Send(core.Delta{Kind: core.ThinkingDelta, Signature: d.member})
	}
	d.member = ""
}

// done ends the answer. The details of the reasoning are whole only now, because their pieces may come at any time; they
// are a part of their own, behind everything else.
func (d *decoder) done(out *provider.Out) error {
	if !d.calls.complete() && d.finish != "length" { // a limit may cut a call off before its name
		return errors.New("a call in the answer has no name")
	}
	d.thought(out)
	if signature := d.details.signature(); signature != "" {
		out.Send(core.Delta{Kind: core.ThinkingDelta, Signature: signature})
	}
	stop, known := stopReason(d.finish)
	switch {
	case !known:
		out.Warn(fmt.Sprintf("the answer ended for a reason that isn't known, %q; it is taken for complete", d.finish))
	case d.refused && stop == core.StopEnd:
		stop = core.StopRefusal
	case d.stopped && stop == core.StopEnd:
		stop = core.StopSequence
	}
	out.Done(stop, d.usage.core(d.profile.Cost))
	return nil
}

func stopReason(word string) (core.StopReason, bool) {
	switch word {
	case "stop":
		return core.StopEnd, true
	case "tool_calls", "function_call":
		return core.StopToolUse, true
	case "length":
		return core.StopMaxTokens, true
	case "content_filter":
		return core.StopRefusal, true
	}
	return core.StopEnd, false
}

// broken is the error that some vendors say as a reason of the end.
func broken(finish string) error {
	e := &core.ProviderError{Code: finish, Message: "the vendor broke off the answer"}
	switch finish {
	case "insufficient_system_resource": // DeepSeek
		e.Class = core.ClassOverloaded
	case "error", "abort": // OpenRouter, vLLM
		e.Class = core.ClassUnavailable
	default:
		return nil
	}
	return e
}
