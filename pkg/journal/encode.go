package journal

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// EncodeEntry returns an entry's JSON text, one line without its end. Values whose text is longer than [InlineLimit]
// are put into blobs and replaced by references; with nil blobs everything stands in the line.
//
// The error is a *[ValueError] when the entry can't be written, else that of the blobs.
func EncodeEntry(ctx context.Context, e *Entry, blobs Blobs) ([]byte, error) {
	return AppendEntry(ctx, make([]byte, 0, 512), e, blobs)
}

// AppendEntry is [EncodeEntry] behind what dst holds, for writers that keep their memory. With an error, what stands
// behind dst in the text that it returns is of no use.
func AppendEntry(ctx context.Context, dst []byte, e *Entry, blobs Blobs) ([]byte, error) {
	enc := encoder{ctx: ctx, blobs: blobs, text: dst}
	enc.open('{')
	enc.integer("v", int64(cmp.Or(e.Format, FormatVersion)))
	enc.integer("seq", e.Seq)
	enc.time("at", e.At)
	enc.str("run", e.Run)
	enc.integer("ep", e.Epoch)
	encodeEach(&enc, "recs", e.Records, enc.record)
	enc.close('}')
	return enc.text, enc.err
}

// encoder appends members to an open object. Members that are empty are left out, except where a method says so. The
// first error stays, and what is appended after it doesn't matter.
type encoder struct {
	ctx   context.Context
	blobs Blobs
	text  []byte
	err   error
}

func (e *encoder) open(c byte)  { e.text = append(e.text, c) }
func (e *encoder) close(c byte) { e.text = append(e.text, c) }

// appendComma separates from what stands before in the same array or object.
func appendComma(text []byte) []byte {
	if last := text[len(text)-1]; last == '{' || last == '[' {
		return text
	}
	return append(text, ',')
}

// appendKey begins a member whose name needs no escaping: one of the format.
func appendKey(text []byte, name string) []byte {
	text = append(appendComma(text), '"')
	text = append(text, name...)
	return append(text, '"', ':')
}

func (e *encoder) key(name string) { e.text = appendKey(e.text, name) }

func (e *encoder) fail(name string, err error) {
	if e.err == nil && err != nil {
		e.err = inKey(err, name)
	}
}

func (e *encoder) str(name, s string) {
	if s != "" {
		e.text = appendString(appendKey(e.text, name), s)
	}
}

// prose writes a text of any length.
func (e *encoder) prose(name, s string) {
	if s != "" {
		e.value(name, s)
	}
}

func (e *encoder) integer(name string, i int64) {
	if i != 0 {
		e.text = strconv.AppendInt(appendKey(e.text, name), i, 10)
	}
}

func (e *encoder) flag(name string, b bool) {
	if b {
		e.text = append(appendKey(e.text, name), "true"...)
	}
}

func (e *encoder) time(name string, t time.Time) {
	if !t.IsZero() {
		e.text = append(appendTime(append(appendKey(e.text, name), '"'), t), '"')
	}
}

// list leaves a nil list out and writes an empty one.
func (e *encoder) list(name string, list []string) {
	if list == nil {
		return
	}
	e.text = append(appendKey(e.text, name), '[')
	for _, s := range list {
		e.text = appendString(appendComma(e.text), s)
	}
	e.close(']')
}

// object writes an object.
func (e *encoder) object(name string, members func()) {
	if e.err != nil {
		return
	}
	e.key(name)
	e.open('{')
	members()
	e.close('}')
	if e.err != nil {
		e.err = inKey(e.err, name)
	}
}

// encodeEach writes an array of objects, also an empty one.
func encodeEach[T any](e *encoder, name string, list []T, element func(T)) {
	if e.err != nil {
		return
	}
	e.key(name)
	e.open('[')
	for i, x := range list {
		e.text = append(appendComma(e.text), '{')
		element(x)
		e.close('}')
		if e.err != nil {
			e.err = inKey(inIndex(e.err, i), name)
			return
		}
	}
	e.close(']')
}

// value writes a value of any size, also null.
func (e *encoder) value(name string, v any) {
	if e.err != nil {
		return
	}
	e.key(name)
	e.content(name, v)
}

// content writes what stands behind a key: a value that is moved to a blob when it is large.
func (e *encoder) content(name string, v any) {
	start := len(e.text)
	e.appendValue(name, v)
	switch {
	case e.err != nil:
	case e.blobs != nil && len(e.text)-start > InlineLimit:
		e.spill(name, start)
	case looksLikeRef(v):
		e.text = e.text[:start]
		e.appendValue(name, escapeRef(v))
	}
}

func (e *encoder) appendValue(name string, v any) {
	var err error
	e.text, err = appendValue(e.text, v, MaxDepth)
	e.fail(name, err)
}

// spill moves the value that begins at start to a blob.
func (e *encoder) spill(name string, start int) {
	data := slices.Clone(e.text[start:])
	digest, err := e.blobs.PutBlob(e.ctx, data)
	e.fail(name, err)
	e.text = e.text[:start]
	e.open('{')
	e.str(blobKey, digest)
	e.integer(blobLenKey, int64(len(data)))
	e.close('}')
}

// anything leaves null out.
func (e *encoder) anything(name string, v any) {
	if v != nil {
		e.value(name, v)
	}
}

func (e *encoder) optional(name string, o Optional) {
	if v, ok := o.Get(); ok {
		e.value(name, v)
	}
}

// state writes values by key, each of any size.
func (e *encoder) state(name string, set map[string]any) {
	if len(set) == 0 {
		return
	}
	e.object(name, func() {
		for _, k := range slices.Sorted(maps.Keys(set)) {
			if !utf8.ValidString(k) {
				e.fail(k, notText())
			}
			if e.err != nil {
				return
			}
			e.text = append(appendString(appendComma(e.text), k), ':')
			e.content(k, set[k])
		}
	})
}
