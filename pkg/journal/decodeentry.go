package journal

import (
	"context"
	"fmt"
	"math"
	"time"
)

// entryLevels is how deeply an entry is nested: a value of MaxDepth levels, and what is around it.
const entryLevels = MaxDepth + 16

// DecodeEntry reads what [EncodeEntry] has written, and fetches the values that are in blobs. With nil blobs such a
// value is read as null and such a text as empty, which is enough for who needs only the shape of a log. Members that
// aren't known are passed over: a format version may gain optional ones.
//
// A *[NewerFormatError] says that the entry is of a newer format; its session is for the caller to fill in. Any other
// error says that the entry is damaged.
func DecodeEntry(ctx context.Context, data []byte, blobs Blobs) (*Entry, error) {
	v, err := decodeWithin(data, entryLevels)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, &ValueError{Problem: "an entry is an object"}
	}
	d := &decoder{ctx: ctx, blobs: blobs}
	f := fields{decoder: d, object: object}
	format := f.integer("v")
	d.seq = f.integer("seq")
	switch {
	case d.err == nil && format > FormatVersion:
		return nil, &NewerFormatError{Seq: d.seq, Format: int(format)}
	case format < 1:
		f.fail("v", "format versions count from 1")
	case d.seq < 1:
		f.fail("seq", "entries count from 1")
	}
	e := &Entry{Format: int(format), Seq: d.seq, At: f.time("at"), Run: f.str("run"), Epoch: f.integer("ep")}
	if e.Records = decodeEach(f, "recs", fields.record); len(e.Records) == 0 {
		f.fail("recs", "an entry has at least one record")
	}
	if d.err != nil {
		return nil, d.err
	}
	return e, nil
}

// decoder holds the first error of an entry; what is decoded after it doesn't matter.
type decoder struct {
	ctx   context.Context
	blobs Blobs
	seq   int64
	err   error
}

// fields are the members of one object. A member that is missing reads as the zero value, one of another type is an
// error. Name is the object's, where it is itself a member of one.
type fields struct {
	*decoder
	name   string
	object map[string]any
}

func (f fields) fail(name, problem string) { f.failWith(name, &ValueError{Problem: problem}) }

func (f fields) failWith(name string, err error) {
	if f.err == nil && err != nil {
		f.err = inKey(err, name)
		if f.name != "" {
			f.err = inKey(f.err, f.name)
		}
	}
}

// member returns a member as a T.
func member[T any](f fields, name, what string) T {
	v, there := f.object[name]
	t, ok := v.(T)
	if there && !ok {
		f.fail(name, "expected "+what)
	}
	return t
}

func (f fields) str(name string) string    { return member[string](f, name, "a string") }
func (f fields) flag(name string) bool     { return member[bool](f, name, "true or false") }
func (f fields) integer(name string) int64 { return member[int64](f, name, "an integer") }

// count is an integer that counts something: not negative, and no larger than an int on every machine.
func (f fields) count(name string) int {
	i := f.integer(name)
	if i < 0 || i > math.MaxInt32 {
		f.fail(name, fmt.Sprintf("expected a number from 0 to %d", math.MaxInt32))
	}
	return int(i)
}

func (f fields) time(name string) time.Time {
	text := f.str(name)
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if t = t.UTC(); err != nil || t.Year() < 0 || t.Year() > 9999 {
		f.fail(name, "expected a time as in 2006-01-02T15:04:05.000Z")
	}
	return t
}

// millis is a duration in milliseconds.
func (f fields) millis(name string) time.Duration {
	ms := f.integer(name)
	if ms < 0 || ms > math.MaxInt64/int64(time.Millisecond) {
		f.fail(name, "expected milliseconds")
	}
	return time.Duration(ms) * time.Millisecond
}

func (f fields) list(name string) []string {
	values := member[[]any](f, name, "an array")
	if values == nil {
		return nil
	}
	list := make([]string, len(values))
	for i, v := range values {
		s, ok := v.(string)
		if !ok {
			f.failWith(name, inIndex(&ValueError{Problem: "expected a string"}, i))
		}
		list[i] = s
	}
	return list
}

// anything reads a value of any size; a missing one is null.
func (f fields) anything(name string) any { return f.optional(name).Value() }

func (f fields) optional(name string) Optional {
	v, there := f.object[name]
	if !there || f.err != nil {
		return Optional{}
	}
	v, err := resolve(f.ctx, v, f.blobs)
	f.failWith(name, err)
	return Some(v)
}

// prose reads a text of any size.
func (f fields) prose(name string) string {
	v := f.anything(name)
	s, ok := v.(string)
	if !ok && v != nil {
		f.fail(name, "expected a string")
	}
	return s
}

// state reads values by key.
func (f fields) state(name string) map[string]any {
	values := member[map[string]any](f, name, "an object")
	if len(values) == 0 {
		return nil
	}
	set := make(map[string]any, len(values))
	of := fields{decoder: f.decoder, name: name, object: values}
	for key := range values {
		set[key] = of.anything(key)
	}
	return set
}

// sub returns the members of an object inside this one.
func (f fields) sub(name string) (fields, bool) {
	object := member[map[string]any](f, name, "an object")
	return fields{decoder: f.decoder, name: name, object: object}, object != nil
}

// decodeEach reads an array of objects.
func decodeEach[T any](f fields, name string, element func(fields) T) []T {
	values := member[[]any](f, name, "an array")
	if len(values) == 0 || f.err != nil {
		return nil
	}
	list := make([]T, len(values))
	for i, v := range values {
		object, ok := v.(map[string]any)
		if !ok {
			f.err = &ValueError{Problem: "expected an object"}
		} else {
			list[i] = element(fields{decoder: f.decoder, object: object})
		}
		if err := f.err; err != nil {
			f.err = nil
			f.failWith(name, inIndex(err, i))
			return nil
		}
	}
	return list
}
