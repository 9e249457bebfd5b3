package wire_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
)

// FuzzEvents: how the network cuts a stream into pieces makes no difference, and a stream that ends earlier gives the first
// of the events of a longer one.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"event: a\ndata: 1\n\ndata: 2\n\n", "data: 1\r\ndata: 2\rdata: 3\n\r", "\xef\xbb\xbfdata: 1\n\n", ": hello\nid: 7\n\n", "data\n\n", "data: 1",
	} {
		f.Add([]byte(seed), uint(len(seed)/2))
	}
	f.Fuzz(func(t *testing.T, stream []byte, cut uint) { sameInPieces(t, events, stream, cut) })
}

// FuzzLines holds lines to the same, but for the last one, which may be a piece of a longer one.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"{\"a\":1}\n{}\n", "1\r\n2\r3\r\n", "\n 1 \n\t\r\n\n2\n\n", "\xef\xbb\xbf1\n", "1\n{\"a\":"} {
		f.Add([]byte(seed), uint(len(seed)/2))
	}
	f.Fuzz(func(t *testing.T, stream []byte, cut uint) {
		sameInPieces(t, func(r io.Reader) ([]string, error) {
			all, err := lines(r)
			return all[:max(0, len(all)-1)], err
		}, stream, cut)
	})
}

func sameInPieces(t *testing.T, read func(io.Reader) ([]string, error), stream []byte, cut uint) {
	whole, wholeErr := read(bytes.NewReader(stream))
	pieces, piecesErr := read(iotest.OneByteReader(bytes.NewReader(stream)))
	if !slices.Equal(whole, pieces) || (wholeErr == nil) != (piecesErr == nil) || errors.Is(wholeErr, io.EOF) != errors.Is(piecesErr, io.EOF) {
		t.Errorf("in one piece %q (%v), byte by byte %q (%v)", whole, wholeErr, pieces, piecesErr)
	}
	part, _ := read(bytes.NewReader(stream[:min(cut, uint(len(stream)))]))
	if len(part) > len(whole) || !slices.Equal(part, whole[:len(part)]) {
		t.Errorf("cut behind %d bytes %q, the whole is %q", cut, part, whole)
	}
}
