package jsonx

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Writer writes one JSON text by appending to a slice. It sets the commas; that objects and arrays are closed, and that
// values of an object have keys, is the caller's part. The zero Writer is ready.
type Writer struct{ buf []byte }

// NewWriter returns a writer with room for a text of size bytes.
func NewWriter(size int) *Writer { return &Writer{buf: make([]byte, 0, size)} }

// Grow makes room for size more bytes.
func (w *Writer) Grow(size int) { w.buf = slices.Grow(w.buf, size) }

// Bytes returns what was written. The slice is the writer's own.
func (w *Writer) Bytes() []byte { return w.buf }

// comma separates a value from the one before it: a value is complete when its last byte can't be followed by another.
func (w *Writer) comma() {
	if n := len(w.buf); n > 0 {
		switch w.buf[n-1] {
		case '{', '[', ':':
		default:
			w.buf = append(w.buf, ',')
		}
	}
}

// BeginObject opens an object.
func (w *Writer) BeginObject() { w.comma(); w.buf = append(w.buf, '{') }

// EndObject closes an object.
func (w *Writer) EndObject() { w.buf = append(w.buf, '}') }

// BeginArray opens an array.
func (w *Writer) BeginArray() { w.comma(); w.buf = append(w.buf, '[') }

// EndArray closes an array.
func (w *Writer) EndArray() { w.buf = append(w.buf, ']') }

// Key begins a member of an object; its value follows.
func (w *Writer) Key(key string) { w.Text(key); w.buf = append(w.buf, ':') }

// Text writes a string. Only what JSON demands is escaped, so that texts reach a peer in the bytes that they have here;
// bytes that aren't UTF-8 become U+FFFD.
func (w *Writer) Text(text string) {
	w.comma()
	w.buf = append(w.buf, '"')
	w.buf = appendEscaped(w.buf, text)
	w.buf = append(w.buf, '"')
}

// Raw writes JSON as it is.
func (w *Writer) Raw(value json.RawMessage) { w.comma(); w.buf = append(w.buf, value...) }

// Int writes an integer.
func (w *Writer) Int(n int64) { w.comma(); w.buf = strconv.AppendInt(w.buf, n, 10) }

// Float writes a number, which mustn't be infinite or NaN: JSON has no spelling for them.
func (w *Writer) Float(f float64) { w.comma(); w.buf = strconv.AppendFloat(w.buf, f, 'g', -1, 64) }

// Bool writes a boolean.
func (w *Writer) Bool(b bool) { w.comma(); w.buf = strconv.AppendBool(w.buf, b) }

// Base64 writes a string that holds the standard encoding of data behind a prefix, which is empty or ASCII without
// quotes (a data URL's beginning).
func (w *Writer) Base64(prefix string, data []byte) {
	w.comma()
	w.buf = append(append(w.buf, '"'), prefix...)
	w.buf = base64.StdEncoding.AppendEncode(w.buf, data)
	w.buf = append(w.buf, '"')
}

// TextField writes a member whose value is a string.
func (w *Writer) TextField(key, text string) { w.Key(key); w.Text(text) }

// TextsField writes a member whose value is a list of strings.
func (w *Writer) TextsField(key string, texts []string) {
	w.Key(key)
	w.BeginArray()
	for _, text := range texts {
		w.Text(text)
	}
	w.EndArray()
}

// appendEscaped appends the inside of a string.
func appendEscaped(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, text[from:i]...), string(utf8.RuneError)...)
				from = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, text[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(dst, text[from:]...)
}
