package mcp

import (
	"strings"
	"sync"
)

const (
	stderrBytes = 8 << 10 // kept of a child's stderr
	stderrLines = 5       // shown of it in an error
)

// tail keeps the end of what is written to it. It never blocks the writer: a child whose stderr nobody reads stops when
// the pipe is full.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - stderrBytes; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

// last returns the last lines, joined by " | ", without control characters.
func (t *tail) last() string {
	t.mu.Lock()
	text := string(t.buf)
	t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var kept []string
	for _, line := range lines[max(0, len(lines)-stderrLines):] {
		if text := printable(line); text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, " | ")
}
