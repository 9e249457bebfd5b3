package provider

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Framing is how a vendor separates the events of a stream.
type Framing string

// The framings.
const (
	FramingSSE   Framing = "text/event-stream"
	FramingLines Framing = "application/x-ndjson"
)

// Wire is what a vendor's API adds to this package. A Wire is safe for concurrent use: what belongs to one request is in
// the draft and the decoder.
type Wire interface {
	// Traits returns what is the same for all requests.
	Traits() Traits

	// Encode writes a request. An error means that it can't be said on this wire at all; what can be left out is left out
	// with a warning. Messages are repaired already. req is not kept.
	Encode(ctx context.Context, req *core.Request, d *Draft) error

	// Decoder returns a decoder for one answer.
	Decoder() Decoder
}

// Traits are the constants of a wire.
type Traits struct {
	// BaseURL is the vendor's; empty when there is none, and the configuration has to name one.
	BaseURL string

	// Framing is that of streamed answers.
	Framing Framing

	// Headers are sent with every request unless the configuration replaces or deletes them.
	Headers []Header

	// KeyHeader and KeyPrefix say where an API key goes: for instance "x-api-key", or "Authorization" and "Bearer ".
	KeyHeader string
	KeyPrefix string

	// LimitDemanded says that requests have to bound the output. Encode then finds in the request what is known to be the
	// model's limit when the caller named none.
	LimitDemanded bool
}

// Decoder reads one answer, on one goroutine. An error ends the answer; one that isn't a *[core.ProviderError] is taken
// for an answer that can't be understood. Bytes given to it are valid during the call only.
type Decoder interface {
	// Event takes one event of a stream. The name is that of a server-sent event, empty on other framings. Events of
	// unknown kinds are ignored. The terminal event sends Done; without it the answer counts as cut.
	Event(name, data []byte, out *Out) error

	// Whole takes an answer that came in one piece, and sends what the same answer would send in a stream, Done included.
	Whole(data []byte, out *Out) error

	// End is called when a stream ended before Done was sent. A decoder that can tell from what it saw that the answer is
	// complete sends Done; all others do nothing.
	End(out *Out)
}
