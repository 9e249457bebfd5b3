package wiretest

import (
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// Dialect is how one vendor says what the suite wants said. Its functions are written by hand in the wire's test, not with
// the wire's own code.
type Dialect struct {
	// New makes the model under test.
	New func(opts provider.Options) (core.Model, error)

	// Framing is that of streams.
	Framing provider.Framing

	// Stream writes an answer as the vendor streams it; each element is one event in its framing. Texts and arguments are
	// cut into at least two pieces (see [Halves]) where the vendor cuts them.
	Stream func(a Answer) [][]byte

	// Whole writes the same answer in one piece.
	Whole func(a Answer) []byte

	// Unknown is an event of a kind that doesn't exist. Overloaded is an event that says, within a stream, that the
	// vendor is overloaded.
	Unknown    []byte
	Overloaded []byte

	// Stops are the vendor's words for why an answer ended; see [Answer].
	Stops map[string]core.StopReason

	// Sent reads a request that the wire wrote, and Check says what the vendor would refuse in it.
	Sent  func(body []byte) (Sent, error)
	Check func(body []byte) error

	// Adapt returns what of an answer survives on a wire that can't carry all of it; nil: everything does. AdaptSent does
	// the same for what is sent.
	Adapt     func(a core.Answer) core.Answer
	AdaptSent func(said []Said) []Said

	// EndTold says that an answer may be complete without its terminal event, by what came before: what a server sends behind
	// that has no place in the answer.
	EndTold bool

	// NoCutArgs says that arguments come as a JSON value, so that they can't be cut off by max_tokens.
	NoCutArgs bool
}

// Answer is what a model is made to answer.
type Answer struct {
	core.Answer

	// StopWord is the vendor's word to end with; empty: the usual one for Stop.
	StopWord string

	name      string
	truncated bool // the arguments of a call are cut off
}

// Sent is what a request says, in one form for all wires.
type Sent struct {
	System string
	Said   []Said
	Tools  []core.Spec // name, description and schema, these in the bytes that were sent
	Schema string      // the output schema in the bytes that were sent
}

// Said is one part of the messages in their order. Images, also those within results, have the standard base64 of their
// bytes as Digest and no Size.
type Said struct {
	Role core.Role
	Part core.Part
}

// Halves cuts a text into two pieces, neither of them empty and no character cut, if it has two characters.
func Halves(text string) []string {
	runes := []rune(text)
	if len(runes) < 2 {
		return []string{text}
	}
	return []string{string(runes[:len(runes)/2]), string(runes[len(runes)/2:])}
}
