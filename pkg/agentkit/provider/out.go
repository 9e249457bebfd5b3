package provider

import (
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

// Out takes the deltas of one answer and hands each to the caller before the next event is read.
type Out struct {
	yield  func(core.Delta, error) bool
	tariff *cost.Tariff
	left   bool // the caller stopped
	done   bool // the terminal event was sent
}

// Send hands over a delta. When the caller has left, or the answer is complete, nothing happens.
func (o *Out) Send(d core.Delta) {
	if o.left || o.done {
		return
	}
	o.done = d.Kind == core.Done
	o.left = !o.yield(d, nil)
}

// Text sends a piece of text, if there is one.
func (o *Out) Text(text string) {
	if text != "" {
		o.Send(core.Delta{Kind: core.TextDelta, Text: text})
	}
}

// Thinking sends a piece of reasoning, if there is one.
func (o *Out) Thinking(text string) {
	if text != "" {
		o.Send(core.Delta{Kind: core.ThinkingDelta, Text: text})
	}
}

// Args sends a piece of the arguments of the call with that index, if there is one.
func (o *Out) Args(index int, piece string) {
	if piece != "" {
		o.Send(core.Delta{Kind: core.CallDelta, Index: index, Text: piece})
	}
}

// Warn tells the caller about something in the answer or the request.
func (o *Out) Warn(text string) { o.Send(core.Delta{Kind: core.Warning, Text: text}) }

// Done ends the answer. Its cost follows from the usage unless the vendor told it.
func (o *Out) Done(stop core.StopReason, usage core.Usage) {
	if usage.Cost == 0 {
		usage.Cost = o.tariff.Of(usage)
	}
	o.Send(core.Delta{Kind: core.Done, Stop: stop, Usage: usage})
}

// over reports whether nothing more is to be read.
func (o *Out) over() bool { return o.left || o.done }
