package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// eventScreen hands on an event stream event by event, each complete and screened. An event is complete with the blank
// line behind it: at the end of the stream the SDK would take the half of one for the whole.
type eventScreen struct {
	src   io.Closer
	lines *bufio.Reader
	limit int
	x     *exchange

	ready []byte // of the event that Read is handing out
	err   error  // what follows it
}

func newEventScreen(src io.ReadCloser, limit int, x *exchange) *eventScreen {
	r := bufio.NewReaderSize(src, 32<<10)
	return &eventScreen{src: src, lines: r, limit: limit, x: x}
}

// Read implements io.Reader.
func (e *eventScreen) Read(p []byte) (int, error) {
	for len(e.ready) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.ready, e.err = e.next()
	}
	n := copy(p, e.ready)
	e.ready = e.ready[n:]
	return n, nil
}

// Close closes the stream below.
func (e *eventScreen) Close() error { return e.src.Close() }

// event is one event while it is being collected.
type event struct {
	name  string
	other bytes.Buffer // its fields except data, normalised
	data  []byte
	any   bool // a data field was there
	size  int
}

// next returns the next event, normalised, or nothing for one that has no fields.
func (e *eventScreen) next() ([]byte, error) {
	var ev event
	for {
		line, err := readLine(e.lines, e.limit)
		if err != nil {
			return nil, e.ended(&ev, line, err)
		}
		if len(line) == 0 {
			return e.admit(&ev)
		}
		if ev.add(bytes.TrimPrefix(line, []byte("\ufeff"))); ev.size > e.limit {
			return nil, e.refuse(&violation{rule: fmt.Sprintf("event is longer than %d bytes", e.limit)})
		}
	}
}

// add takes in one line. Comments, unknown fields and lines without a colon are legal and mean nothing here; the SDK
// would end the session over the last.
func (ev *event) add(line []byte) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "data":
		if ev.any {
			ev.data = append(ev.data, '\n')
		}
		ev.data, ev.any = append(ev.data, value...), true
	case "event":
		ev.name = string(value)
		fmt.Fprintf(&ev.other, "event: %s\n", value)
	case "id", "retry":
		fmt.Fprintf(&ev.other, "%s: %s\n", field, value)
	default:
		return
	}
	ev.size += len(line)
}

// admit screens a complete event and spells it out for the SDK. Only messages carry JSON-RPC.
func (e *eventScreen) admit(ev *event) ([]byte, error) {
	data := ev.data
	if len(data) > 0 && (ev.name == "" || ev.name == "message") {
		var err error
		if data, err = screen(data); err != nil {
			return nil, e.refuse(fmt.Errorf("in an event: %w", err))
		}
	}
	if !ev.any && ev.other.Len() == 0 {
		return nil, nil
	}
	out := ev.other.Bytes()
	if ev.any {
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			out = append(append(append(out, "data: "...), line...), '\n')
		}
	}
	return append(out, '\n'), nil
}

// ended turns the end of the stream into an error when it came in the middle of an event.
func (e *eventScreen) ended(ev *event, line []byte, err error) error {
	if _, broken := errors.AsType[*violation](err); broken {
		return e.refuse(err)
	}
	if !ev.any && len(line) == 0 {
		return err
	}
	err = fmt.Errorf("the event stream was cut in the middle of an event: %w", io.ErrUnexpectedEOF)
	e.x.cutShort(err)
	return err
}

func (e *eventScreen) refuse(err error) error {
	e.x.refuse(err)
	return err
}
