package jsonx

import "encoding/json"

// Salvage returns the object that the beginning of one already makes: its members up to the last whose value is there to
// the end, in their own bytes. It is for showing the arguments of a call while a model writes them. A member that is cut
// off is left out, not closed: half a text is another text. So is a number at the very end, which may go on. What can't
// be the beginning of an object gives the empty one, so the result is always an object that [Check] takes.
//
// Nothing tells what is complete from what only looks like it but the end of the stream: arguments that were cut off
// never are those of a call that is made.
func Salvage(text []byte) json.RawMessage {
	r := NewReader(text)
	if r.Peek() != '{' {
		return json.RawMessage("{}")
	}
	from := r.s.pos
	whole := from + 1 // the text up to there holds what is complete
	for o := r.Object(); o.Next(); {
		digit := r.Peek() != '"' && r.Peek() < 'A' // or a minus
		if r.Raw(); r.err != nil || digit && r.s.pos == len(text) {
			break
		}
		whole = r.s.pos
	}
	return append(text[from:whole:whole], '}')
}
