package jsonx

import (
	"encoding/json"
	"strconv"
)

// Reader takes one JSON text apart from left to right, without building a tree and without copying what isn't asked for.
// It is as strict as [Check]. Members that the caller doesn't read are checked and passed over, so what a peer adds later
// does no harm:
//
//	r := jsonx.NewReader(data)
//	for o := r.Object(); o.Next(); {
//		switch string(o.Key()) {
//		case "type":
//			kind = r.Text()
//		case "index":
//			index = r.Int()
//		}
//	}
//	if err := r.End(); err != nil {
//
// The first error ends the reading: each method then returns the zero value, and End the error. A null is the zero value
// of what is asked for, an object without members or an array without elements. A Reader serves one goroutine.
type Reader struct {
	s     scanner
	err   error
	depth int
	due   bool // a value of the innermost object or array wasn't read yet
}

// NewReader returns a reader of data, which mustn't change while it or what it returned is in use.
func NewReader(data []byte) *Reader { return &Reader{s: scanner{data: data}, due: true} }

// End checks that nothing follows the value, and returns the first error of the reading. It is a *[SyntaxError].
func (r *Reader) End() error {
	if r.due {
		r.Skip()
	}
	if r.err == nil {
		r.err = r.s.end()
	}
	return r.err
}

// Skip passes over a value.
func (r *Reader) Skip() { r.Raw() }

// Raw returns the bytes of a value as they are, without the space around them; they are part of the text.
func (r *Reader) Raw() json.RawMessage {
	if !r.begin() {
		return nil
	}
	from := r.s.pos
	if r.err = r.s.value(r.depth); r.err != nil {
		return nil
	}
	return r.s.data[from:r.s.pos:r.s.pos]
}

// Peek returns the first byte of the value that is next: one of {["tfn, a digit or a minus; 0 when there is none.
func (r *Reader) Peek() byte {
	if r.err != nil || !r.due {
		return 0
	}
	r.s.space()
	return r.s.peek()
}

// Text returns a string.
func (r *Reader) Text() string {
	text, escaped := r.inside()
	if !escaped {
		return string(text)
	}
	return string(appendUnescaped(make([]byte, 0, len(text)), text))
}

// AppendText appends a string to dst, for callers that collect many.
func (r *Reader) AppendText(dst []byte) []byte {
	text, escaped := r.inside()
	if !escaped {
		return append(dst, text...)
	}
	return appendUnescaped(dst, text)
}

// inside reads a string and returns what stands between its quotes.
func (r *Reader) inside() (text []byte, escaped bool) {
	if !r.begin() || r.null() {
		return nil, false
	}
	if r.s.peek() != '"' {
		r.err = r.s.wanted("a string")
		return nil, false
	}
	text, escaped, r.err = r.s.str()
	return text, escaped
}

// Int returns an integer of 64 bits; numbers with a fraction, an exponent or more digits are an error.
func (r *Reader) Int() int64 {
	text := r.number()
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.err = r.s.fail("an integer of 64 bits is expected, not %s", text)
	}
	return n
}

// number reads a number and returns its literal; it is empty for null.
func (r *Reader) number() string {
	if !r.begin() || r.null() {
		return ""
	}
	if c := r.s.peek(); c != '-' && (c < '0' || c > '9') {
		r.err = r.s.wanted("a number")
		return ""
	}
	from := r.s.pos
	if r.err = r.s.number(); r.err != nil {
		return ""
	}
	return string(r.s.data[from:r.s.pos])
}

// Bool returns a boolean.
func (r *Reader) Bool() bool {
	if !r.begin() || r.null() {
		return false
	}
	switch r.s.peek() {
	case 't':
		r.err = r.s.word("true")
		return r.err == nil
	case 'f':
		r.err = r.s.word("false")
	default:
		r.err = r.s.wanted("true or false")
	}
	return false
}

// begin stands at the value that is due.
func (r *Reader) begin() bool {
	if r.err == nil && !r.due {
		r.err = r.s.fail("a value was read twice: this is a mistake of the program")
	}
	if r.err != nil {
		return false
	}
	r.due = false
	r.s.space()
	return true
}

// null passes over a null.
func (r *Reader) null() bool {
	if r.s.peek() != 'n' {
		return false
	}
	r.err = r.s.word("null")
	return true
}
