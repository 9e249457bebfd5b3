package core

import (
	"context"
	"encoding/json"
	"iter"
)

// Model is one model of a provider, ready to be called. Implementations are safe for concurrent use.
type Model interface {
	// Name is the model's own name as the vendor spells it; it is recorded with every message that the model wrote.
	Name() string

	// Stream sends a request and yields the answer as it arrives. A complete answer ends with exactly one event of kind
	// [Done]; a sequence that ends without it was cut, and nothing in it may be acted on. An error is yielded at most
	// once and is the last thing yielded; it is a *[ProviderError] when the provider knows more than its text. When ctx
	// is done, or the consumer stops early, the implementation gives back its connection and goroutines before it
	// returns. The request is not changed, and not kept after the sequence ended.
	Stream(ctx context.Context, req *Request) iter.Seq2[Delta, error]
}

// Request is one call of a model: all that is sent, in order.
type Request struct {
	// Agent, Turn and Attempt say who asks: the agent's name, the turn within its activation and the activation's
	// attempt, both from 1. They aren't sent; they are the same when a turn is asked for again after a restart.
	Agent   string
	Turn    int
	Attempt int

	// System is the assembled system prompt; empty means none.
	System string

	// Messages is the prompt, already repaired: it alternates in a way that every provider accepts once it has been
	// grouped, and each tool call has its result.
	Messages []Message

	// Tools are declared in this order.
	Tools []Spec

	// Generate holds the sampling settings.
	Generate Generate

	// OutputSchema asks for an answer that is JSON of this schema, where the model can be bound to one; empty: free text.
	OutputSchema json.RawMessage

	// Image loads the bytes of the images in Messages. Nil means that there are none to be had: a provider then leaves
	// images out and says so in a [Warning].
	Image func(ctx context.Context, img Image) ([]byte, error)
}
