package mcp

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"
)

// inbound is what the SDK reads a child's messages from: lines of its stdout that have passed the screen. The first
// line that doesn't pass ends it for good, because after it nobody knows what the peer means by the next one.
type inbound struct {
	lines chan []byte
	// unanswered carries the answer that [probe] gives in place of a silent server.
	unanswered chan []byte
	rest       []byte // of the line that Read is handing out

	closeOnce sync.Once
	closed    chan struct{}

	mu    sync.Mutex
	err   error // why the lines ended
	heard bool  // a line has passed the screen
}

func newInbound() *inbound {
	return &inbound{lines: make(chan []byte), unanswered: make(chan []byte, 1), closed: make(chan struct{})}
}

// pump screens stdout line by line until it ends or Close is called. It returns when src does.
func (in *inbound) pump(src io.Reader, limit int) {
	defer close(in.lines)
	r := bufio.NewReaderSize(src, 64<<10)
	for {
		line, err := in.next(r, limit)
		if err != nil {
			in.end(err)
			return
		}
		if len(line) == 0 {
			continue
		}
		select {
		case in.lines <- line:
		case <-in.closed:
			return
		}
	}
}

func (in *inbound) next(r *bufio.Reader, limit int) ([]byte, error) {
	line, err := readLine(r, limit)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("stdout ended in the middle of a line: %s: %w", excerpt(line), err)
	}
	if err != nil || len(line) == 0 {
		return nil, err
	}
	msg, err := screen(line)
	if err != nil {
		return nil, fmt.Errorf("on stdout: %w", err)
	}
	in.mu.Lock()
	in.heard = true
	in.mu.Unlock()
	return append(msg, '\n'), nil
}

// Read implements io.Reader for the SDK, which calls it from one goroutine.
func (in *inbound) Read(p []byte) (int, error) {
	if len(in.rest) == 0 {
		select {
		case line, ok := <-in.lines:
			if !ok {
				return 0, cmp.Or(in.cause(), io.EOF)
			}
			in.rest = line
		case in.rest = <-in.unanswered:
		case <-in.closed:
			return 0, io.EOF
		}
	}
	n := copy(p, in.rest)
	in.rest = in.rest[n:]
	return n, nil
}

// Close ends a Read that is waiting. It may be called more than once.
func (in *inbound) Close() error {
	in.closeOnce.Do(func() { close(in.closed) })
	return nil
}

func (in *inbound) end(err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.err = err
}

// cause says why the lines ended, io.EOF when the peer just closed its stdout, or nil while they haven't.
func (in *inbound) cause() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.err
}

// silent reports whether no message ever came.
func (in *inbound) silent() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return !in.heard
}
