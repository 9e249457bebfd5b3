package wire

import (
	"bytes"
	"io"
)

// Event is one server-sent event. Its bytes are valid until the next one is read.
type Event struct {
	// Name is what stood in the field event; empty means the default, "message".
	Name []byte

	// Data holds the lines of the fields data, joined with LF.
	Data []byte
}

// Events reads server-sent events as the HTML standard defines them (9.2.6, "Interpreting an event stream"). The fields id
// and retry, which are about taking up a stream again, are passed over like unknown ones.
type Events struct {
	lines lineReader
	name  []byte
	data  []byte
	some  bool // a data field was seen
}

// NewEvents returns a reader of the events in r. A line or the data of an event beyond limit bytes is an error.
func NewEvents(r io.Reader, limit int) *Events {
	return &Events{lines: lineReader{r: r, limit: limit}}
}

// Next returns the next event as soon as the line end that closes it was received. At the end of the stream the error is
// io.EOF; it is io.ErrUnexpectedEOF when the stream ended within an event, which is then lost, and a *[TooLargeError] for
// one that is too large.
func (e *Events) Next() (Event, error) {
	e.name, e.data, e.some = e.name[:0], e.data[:0], false
	for {
		line, err := e.lines.next()
		switch {
		case err == io.EOF && (e.some || len(e.name) > 0): //nolint:errorlint // a reader's EOF is never wrapped
			return Event{}, io.ErrUnexpectedEOF
		case err != nil:
			return Event{}, err
		case len(line) > 0:
			if err := e.field(line); err != nil {
				return Event{}, err
			}
		case e.some:
			return Event{Name: e.name, Data: e.data}, nil
		default: // an event without data isn't one
			e.name = e.name[:0]
		}
	}
}

// field takes one line that isn't empty.
func (e *Events) field(line []byte) error {
	name, value, _ := bytes.Cut(line, []byte(":"))
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	switch string(name) {
	case "event":
		e.name = append(e.name[:0], value...)
	case "data":
		if e.some {
			e.data = append(e.data, '\n')
		}
		if len(e.data)+len(value) > e.lines.limit {
			return e.lines.refuse()
		}
		e.data = append(e.data, value...)
		e.some = true
	}
	return nil
}
