package wire

import (
	"bytes"
	"errors"
	"io"
)

// Lines reads a stream of JSON texts, one a line. Blank lines are passed over.
type Lines struct{ lines lineReader }

// NewLines returns a reader of the lines in r. A line beyond limit bytes is an error.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{lines: lineReader{r: r, limit: limit}}
}

// Next returns the next line without its end, valid until the next call. At the end of the stream the error is io.EOF. A
// last line without an end is returned as well: whether it was cut shows when it is parsed.
func (l *Lines) Next() ([]byte, error) {
	for {
		line, err := l.lines.next()
		if errors.Is(err, io.ErrUnexpectedEOF) && l.lines.err == io.EOF { //nolint:errorlint // what next makes of a plain EOF
			err = nil
		}
		if line = bytes.Trim(line, " \t"); err != nil || len(line) > 0 {
			return line, err
		}
	}
}
