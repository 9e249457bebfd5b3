package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a message; real ones stay below ten.
const maxDepth = 100

// maxSafeInteger is the largest integer that every JSON implementation agrees on.
const maxSafeInteger = 1<<53 - 1

// violation says how a message broke a rule that the SDK doesn't enforce. Nothing of such a message is acted on.
type violation struct {
	rule string
	msg  []byte // the message or its beginning, for the error's text
}

// Error names the rule and shows the beginning of the message.
func (v *violation) Error() string {
	if len(v.msg) == 0 {
		return v.rule
	}
	return fmt.Sprintf("%s: %s", v.rule, excerpt(v.msg))
}

// screen checks one inbound message, or a batch of them, and returns the bytes to hand to the SDK. Duplicate keys are
// refused at every level because the SDK and whatever stood between may disagree on which one counts; an id that isn't
// a safe integer because the SDK would round it to that of another request.
//
// The value of result.structuredContent is replaced by a JSON string of its own text: the SDK decodes numbers to
// float64, and this way the exact bytes come through (see [unquoteStructured]).
func screen(msg []byte) ([]byte, error) {
	if !utf8.Valid(msg) {
		return nil, &violation{rule: "message is not UTF-8", msg: msg}
	}
	if !json.Valid(msg) {
		return nil, &violation{rule: "not a JSON-RPC message", msg: msg}
	}
	w := walker{data: msg}
	if err := w.message(); err != nil {
		return nil, &violation{rule: err.Error(), msg: msg}
	}
	return w.quoted(), nil
}

// place is where in a message the walker stands, as far as a rule depends on it.
type place int

const (
	elsewhere place = iota
	inMessage       // the members of a JSON-RPC message
	inResult        // the members of its result
)

type span struct{ start, end int }

// walker visits every value of a text that is known to be valid JSON, which spares it all syntax errors.
type walker struct {
	data       []byte
	pos        int
	version    bool // the message that is being walked says jsonrpc 2.0
	structured []span
}

// message walks a message or a batch.
func (w *walker) message() error {
	if w.skipSpace(); w.data[w.pos] != '[' {
		return w.single()
	}
	for w.pos++; w.more(']'); {
		if err := w.single(); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) single() error {
	if w.skipSpace(); w.data[w.pos] != '{' {
		return fmt.Errorf("not a JSON-RPC message")
	}
	w.version = false
	if err := w.object(1, inMessage); err != nil {
		return err
	}
	if !w.version {
		return fmt.Errorf("not a JSON-RPC 2.0 message")
	}
	return nil
}

func (w *walker) value(depth int, at place) error {
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	w.skipSpace()
	switch w.data[w.pos] {
	case '{':
		return w.object(depth, at)
	case '[':
		for w.pos++; w.more(']'); {
			if err := w.value(depth+1, elsewhere); err != nil {
				return err
			}
		}
	case '"':
		w.skipString()
	default:
		w.skipLiteral()
	}
	return nil
}

func (w *walker) object(depth int, at place) error {
	seen := map[string]struct{}{}
	for w.pos++; w.more('}'); {
		key, err := w.key()
		if err != nil {
			return err
		}
		if _, dup := seen[key]; dup {
			return fmt.Errorf("duplicate key %q", key)
		}
		seen[key] = struct{}{}
		if err := w.member(depth, at, key); err != nil {
			return err
		}
	}
	return nil
}

// member walks the value of a key and applies the rule of its place, if there is one.
func (w *walker) member(depth int, at place, key string) error {
	w.skipSpace()
	start, inner := w.pos, elsewhere
	if at == inMessage && key == "result" {
		inner = inResult
	}
	if err := w.value(depth+1, inner); err != nil {
		return err
	}
	raw := w.data[start:w.pos]
	switch {
	case at == inMessage && key == "jsonrpc":
		w.version = string(raw) == `"2.0"`
	case at == inMessage && key == "id":
		return checkID(raw)
	case at == inResult && key == "structuredContent" && string(raw) != "null":
		w.structured = append(w.structured, span{start, w.pos})
	}
	return nil
}

// checkID refuses a number that isn't an integer between ±(2^53 - 1). Other types are the SDK's to judge.
func checkID(raw []byte) error {
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		return nil
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n > maxSafeInteger || n < -maxSafeInteger {
		return fmt.Errorf("id %s is not an integer between -(2^53-1) and 2^53-1", raw)
	}
	return nil
}

// key reads a member's name and the colon behind it. Names are compared as they decode: "a" and "\u0061" are one.
func (w *walker) key() (string, error) {
	w.skipSpace()
	start := w.pos
	w.skipString()
	raw := w.data[start:w.pos]
	w.skipSpace()
	w.pos++ // the colon
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	var key string
	err := json.Unmarshal(raw, &key)
	return key, err
}

// more steps over a comma and reports whether another element follows; it steps over the closing bracket otherwise.
func (w *walker) more(closing byte) bool {
	w.skipSpace()
	if w.data[w.pos] == ',' {
		w.pos++
		w.skipSpace()
	}
	if w.data[w.pos] == closing {
		w.pos++
		return false
	}
	return true
}

func (w *walker) skipSpace() {
	for w.pos < len(w.data) {
		switch w.data[w.pos] {
		case ' ', '\t', '\n', '\r':
			w.pos++
		default:
			return
		}
	}
}

func (w *walker) skipString() {
	for w.pos++; w.data[w.pos] != '"'; w.pos++ {
		if w.data[w.pos] == '\\' {
			w.pos++
		}
	}
	w.pos++
}

func (w *walker) skipLiteral() {
	for w.pos < len(w.data) {
		switch w.data[w.pos] {
		case ',', ']', '}', ' ', '\t', '\n', '\r':
			return
		}
		w.pos++
	}
}

// quoted returns the message with each structured content turned into a string.
func (w *walker) quoted() []byte {
	if len(w.structured) == 0 {
		return w.data
	}
	out := make([]byte, 0, len(w.data)+len(w.data)/4)
	last := 0
	for _, s := range w.structured {
		out = append(out, w.data[last:s.start]...)
		out = append(out, quote(w.data[s.start:s.end])...)
		last = s.end
	}
	return append(out, w.data[last:]...)
}

// quote returns a JSON string of a JSON text, in which the only control characters are those of white space. It at most
// doubles the text.
func quote(text []byte) []byte {
	out := make([]byte, 0, len(text)+len(text)/8+2)
	out = append(out, '"')
	for _, c := range text {
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// unquoteStructured gives back what [screen] wrapped. Every inbound message passed the screen, so a value that isn't a
// string was null or absent.
func unquoteStructured(v any) json.RawMessage {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	return json.RawMessage(text)
}

// excerpt shows the beginning of what a peer sent, on one line and quoted.
func excerpt(b []byte) string {
	const limit = 200
	if len(b) <= limit {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(string(b[:limit])), len(b))
}
