package mcp

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadLine(t *testing.T) {
	r := bufio.NewReaderSize(strings.NewReader("one\r\n\ntwelve bytes\nhalf"), 16)
	for _, want := range []string{"one", "", "twelve bytes"} {
		line, err := readLine(r, 12)
		if err != nil || string(line) != want {
			t.Fatalf("%q, %v; want %q", line, err, want)
		}
	}
	if line, err := readLine(r, 12); !errors.Is(err, io.ErrUnexpectedEOF) || string(line) != "half" {
		t.Errorf("a last line without an end: %q, %v", line, err)
	}
	if _, err := readLine(r, 12); !errors.Is(err, io.EOF) {
		t.Errorf("behind it: %v, want EOF", err)
	}
}

func TestReadLineStopsAtTheLimit(t *testing.T) {
	endless := &countingReader{r: iotest.DataErrReader(neverEnding('x'))}
	_, err := readLine(bufio.NewReaderSize(endless, 16), 1000)
	var v *violation
	if !errors.As(err, &v) || !strings.Contains(err.Error(), "longer than 1000 bytes") {
		t.Fatalf("%v, want a violation that names the limit", err)
	}
	if endless.n > 1100 {
		t.Errorf("%d bytes were read for a limit of 1000", endless.n)
	}
}

// neverEnding is a reader of one byte for ever.
type neverEnding byte

func (b neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}

type countingReader struct {
	r io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}
