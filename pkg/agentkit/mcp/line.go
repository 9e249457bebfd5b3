package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// readLine reads up to and including a newline and returns the line without it. It buffers at most limit bytes, whatever
// the peer sends. A last line without a newline comes with io.ErrUnexpectedEOF.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit+1 {
			return nil, &violation{rule: fmt.Sprintf("message is longer than %d bytes", limit), msg: append(line, part...)}
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}
