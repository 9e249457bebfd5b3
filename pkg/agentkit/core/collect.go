package core

import (
	"fmt"
	"iter"
)

// Answer is a whole answer of a model.
type Answer struct {
	// Parts are the text, thinking and calls in the order in which they began.
	Parts    []Part
	Stop     StopReason
	Usage    Usage
	Warnings []string

	// Model is the name of the model that answered, when it is another one than was asked.
	Model string

	// Saved is what the answer had consumed when it was given, if it was taken from a cache now; else nil.
	Saved *Usage
}

// Collector puts the deltas of one answer together. The zero Collector is ready; it serves one goroutine, and one answer
// until it is reset.
// A whole answer is always derived in this way, so that streaming and waiting give the same bytes.
type Collector struct {
	blocks   []block
	warnings []string
	end      Delta
	done     bool
}

// block is a part under construction.
type block struct {
	kind   DeltaKind // TextDelta, ThinkingDelta or CallStart
	text   []byte
	sig    string
	item   string
	id     string
	name   string
	index  int
	redact bool
	closed bool // nothing is added any more
}

// Reset makes the collector ready for another answer. Those that it gave stay as they are.
func (c *Collector) Reset() { *c = Collector{blocks: c.blocks[:0]} }

// Add takes the next delta. An error says what the provider did wrong; the answer is unusable then.
func (c *Collector) Add(d Delta) error {
	if c.done {
		return badAnswer("the model's stream went on after its terminal event (%s)", d.Kind)
	}
	switch d.Kind {
	case TextDelta, ThinkingDelta:
		c.extend(d)
	case CallStart:
		return c.start(d)
	case CallDelta:
		return c.argument(d)
	case Warning:
		c.warnings = append(c.warnings, d.Text)
	case Done:
		c.done, c.end = true, d
	default:
		return badAnswer("the model's stream holds an event of unknown kind %d", d.Kind)
	}
	return nil
}

// extend adds text or thinking to the part that is open, or begins a part: text behind a call is a part of its own.
func (c *Collector) extend(d Delta) {
	b := c.last()
	if b == nil || b.kind != d.Kind || b.closed || d.Item != "" && b.item != "" && d.Item != b.item ||
		d.Redacted && len(b.text) > 0 { // what is withheld doesn't belong to what was said
		b = c.begin(block{kind: d.Kind})
	}
	b.text = append(b.text, d.Text...)
	b.redact = b.redact || d.Redacted
	if d.Item != "" {
		b.item = d.Item
	}
	if d.Signature != "" {
		b.sig, b.closed = d.Signature, true
	}
}

func (c *Collector) start(d Delta) error {
	if d.ID == "" {
		return badAnswer("the provider gave no id to the call of %q", d.Name)
	}
	for i := range c.blocks {
		if b := &c.blocks[i]; b.kind == CallStart && (b.id == d.ID || b.index == d.Index) {
			return badAnswer("the provider gave two calls the id %q or the index %d", d.ID, d.Index)
		}
	}
	b := c.begin(block{kind: CallStart, id: d.ID, name: d.Name, index: d.Index, sig: d.Signature, item: d.Item})
	b.text = append(b.text, d.Text...)
	return nil
}

// begin appends a part. Its text is written where that of a part of an earlier answer was.
func (c *Collector) begin(b block) *block {
	if n := len(c.blocks); n < cap(c.blocks) {
		b.text = c.blocks[:n+1][n].text[:0]
	}
	c.blocks = append(c.blocks, b)
	return c.last()
}

func (c *Collector) argument(d Delta) error {
	for i := len(c.blocks) - 1; i >= 0; i-- {
		b := &c.blocks[i]
		if b.kind != CallStart || b.index != d.Index {
			continue
		}
		b.text = append(b.text, d.Text...)
		if d.Signature != "" {
			b.sig = d.Signature
		}
		return nil
	}
	return badAnswer("the model's stream holds arguments of a call with index %d that never began", d.Index)
}

func (c *Collector) last() *block {
	if len(c.blocks) == 0 {
		return nil
	}
	return &c.blocks[len(c.blocks)-1]
}

// Answer returns the answer when it is complete, else [ErrCutStream].
func (c *Collector) Answer() (Answer, error) {
	if !c.done {
		return Answer{}, ErrCutStream
	}
	a := Answer{Stop: c.end.Stop, Usage: c.end.Usage, Warnings: c.warnings, Model: c.end.Model,
		Saved: c.end.Saved}
	for i := range c.blocks {
		if p := c.blocks[i].part(); p != nil {
			a.Parts = append(a.Parts, p)
		}
	}
	return a, nil
}

// part returns the finished part, or nil for one that holds nothing.
func (b *block) part() Part {
	text := string(b.text)
	switch {
	case b.kind == CallStart:
		return ToolCall{ID: b.id, Name: b.name, Args: text, Signature: b.sig, Item: b.item}
	case text == "" && b.sig == "":
		return nil
	case b.kind == ThinkingDelta:
		return Thinking{Text: text, Signature: b.sig, Item: b.item, Redacted: b.redact}
	default:
		return Text{Text: text, Signature: b.sig}
	}
}

// Collect waits for the whole answer of a stream.
func Collect(stream iter.Seq2[Delta, error]) (Answer, error) {
	var c Collector
	for d, err := range stream {
		if err != nil {
			return Answer{}, err
		}
		if err := c.Add(d); err != nil {
			return Answer{}, err
		}
	}
	return c.Answer()
}

// badAnswer is the error of an answer whose deltas make no sense together.
func badAnswer(format string, args ...any) error {
	return &ProviderError{Class: ClassBadAnswer, Message: fmt.Sprintf(format, args...)}
}
