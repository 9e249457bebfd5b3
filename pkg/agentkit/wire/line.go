package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// TooLargeError says that a peer's message is larger than was allowed. Nothing behind it can be read.
type TooLargeError struct{ Limit int }

// Error names the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("a message of the stream is larger than %d bytes", e.Limit)
}

// firstRead is the size of the buffer to begin with.
const firstRead = 4 << 10

// lineReader cuts a stream at CR, LF and CRLF. A CR ends its line at once: waiting for an LF that may not come would hold
// a message back, so an LF that follows is skipped when it is seen.
type lineReader struct {
	r     io.Reader
	limit int

	buf     []byte
	start   int // where the unread bytes begin
	scanned int // bytes behind start that hold no line end
	skipLF  bool
	begun   bool
	err     error
}

// next returns a line without its end, valid until the next call. Bytes behind the last line end are returned together
// with io.ErrUnexpectedEOF.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, ok := l.cut()
		switch {
		case len(line) > l.limit, !ok && len(l.buf)-l.start > l.limit:
			return nil, l.refuse()
		case ok:
			return line, nil
		case l.err != nil:
			return l.rest()
		}
		l.fill()
	}
}

// cut takes a line from what is there.
func (l *lineReader) cut() ([]byte, bool) {
	if !l.mark() {
		return nil, false
	}
	if l.skipLF && l.start < len(l.buf) {
		l.skipLF = false
		if l.buf[l.start] == '\n' {
			l.start++
		}
	}
	unread := l.buf[l.start:]
	l.scanned = min(l.scanned, len(unread))
	i := lineEnd(unread[l.scanned:])
	if i < 0 {
		l.scanned = len(unread)
		return nil, false
	}
	i += l.scanned
	l.scanned = 0
	l.start += i + 1
	l.skipLF = unread[i] == '\r'
	return unread[:i], true
}

// refuse ends the reading: nothing behind what is too large is looked at.
func (l *lineReader) refuse() error {
	l.err = &TooLargeError{Limit: l.limit}
	l.start = len(l.buf)
	return l.err
}

func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// mark skips the byte order mark that may stand at the beginning, and reports whether that is decided.
func (l *lineReader) mark() bool {
	const bom = "\xef\xbb\xbf"
	if l.begun {
		return true
	}
	if head := string(l.buf[:min(len(l.buf), len(bom))]); l.err == nil && len(head) < len(bom) && bom[:len(head)] == head {
		return false
	} else if head == bom {
		l.start = len(bom)
	}
	l.begun = true
	return true
}

// rest returns what no line end closes, and then the error that ended the stream.
func (l *lineReader) rest() ([]byte, error) {
	left := l.buf[l.start:]
	l.start, l.scanned = len(l.buf), 0
	if len(left) > 0 && errors.Is(l.err, io.EOF) {
		return left, io.ErrUnexpectedEOF
	}
	return nil, l.err
}

// fill reads what is there. The buffer grows with what was received, never with what was announced.
func (l *lineReader) fill() {
	if l.start > 0 && l.start == len(l.buf) {
		l.buf, l.start = l.buf[:0], 0
	}
	if len(l.buf) == cap(l.buf) {
		kept := l.buf[l.start:]
		next := l.buf[:0]
		if len(kept) > cap(l.buf)/2 || cap(l.buf) == 0 {
			next = make([]byte, 0, max(firstRead, 2*cap(l.buf)))
		}
		next = append(next, kept...)
		l.buf, l.start = next, 0
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf, l.err = l.buf[:len(l.buf)+n], err
}
