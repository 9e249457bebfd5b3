package jsonl

import (
	"bytes"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"strconv"
)

// A line ends in its checksum: {"v":1, …,"crc":"0a1b2c3d"}.
const (
	crcHead = `,"crc":"`
	crcTail = `"}`
	crcLen  = len(crcHead) + 8 + len(crcTail)
)

// maxKeptLine is the largest line whose memory a session's file keeps for the next one. Those of a graph's nodes are a
// few hundred bytes.
const maxKeptLine = 4 << 10

// What is wrong with a line that gives no entry, so that it can't be decoded. Only a torn one was never acknowledged.
var (
	errTorn      = errors.New("the line is torn")
	errChecksum  = errors.New("its checksum fails")
	errConverted = errors.New(`the line ends in \r\n, but was written with \n: the file was converted`)
	errMissing   = errors.New("the line is missing")
)

// seal makes a line of an entry's text, in the same memory if there is room.
func seal(text []byte) []byte {
	text = text[:len(text)-1]
	sum := checksum(text)
	text = append(text, crcHead...)
	text = hex.AppendEncode(text, sum[:])
	return append(text, crcTail+"\n"...)
}

// checkSeal returns what is wrong with a line. One that lacks its end alone is whole: editors take the last one away.
func checkSeal(line []byte) error {
	text, ended := bytes.CutSuffix(line, []byte("\n"))
	switch {
	case sealed(text):
		return nil
	case !ended:
		return errTorn
	case sealed(bytes.TrimSuffix(text, []byte("\r"))):
		return errConverted
	default:
		return errChecksum
	}
}

// sealed reports whether a line without its end carries its checksum.
func sealed(text []byte) bool {
	body := len(text) - crcLen
	if body < 0 {
		return false
	}
	sum := checksum(text[:body])
	want := hex.AppendEncode([]byte(crcHead), sum[:])
	return bytes.Equal(text[body:], append(want, crcTail...))
}

func checksum(text []byte) [4]byte {
	sum := crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
	return [4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}
}

// head reads the format and the number of an entry from the beginning of its line, without decoding it; zeros when the
// line begins in another way.
func head(line []byte) (format, seq int64) {
	format, rest := leading(line, `{"v":`)
	seq, rest = leading(rest, `,"seq":`)
	if len(rest) == 0 { // the number may go on behind the end of a torn line
		seq = 0
	}
	return format, seq
}

// leading reads a number behind a prefix, and returns what is behind it.
func leading(text []byte, prefix string) (n int64, rest []byte) {
	rest, ok := bytes.CutPrefix(text, []byte(prefix))
	if !ok {
		return 0, nil
	}
	digits := rest[:len(rest)-len(bytes.TrimLeft(rest, "0123456789"))]
	n, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		return 0, nil
	}
	return n, rest[len(digits):]
}
