package mcp

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

const (
	stderrBytes = 8 << 10 // kept of a child's stderr
	stderrLines = 5       // shown of it in an error

	// shortSecret is the length below which a value is no secret: hiding "1" or "on" would make errors unreadable.
	shortSecret = 6
)

// secretsOf are the values of a child's configured environment that its stderr must not show, the longest first, so that
// one which holds another is hidden whole.
func secretsOf(env map[string]string) []string {
	var secrets []string
	for _, value := range env {
		if len(value) >= shortSecret {
			secrets = append(secrets, value)
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return secrets
}

// tail keeps the end of what is written to it. It never blocks the writer: a child whose stderr nobody reads stops when
// the pipe is full.
type tail struct {
	// secrets are hidden in what is shown: an error goes to logs and journals.
	secrets []string

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
	for _, s := range t.secrets {
		text = strings.ReplaceAll(text, s, "(hidden)")
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var kept []string
	for _, line := range lines[max(0, len(lines)-stderrLines):] {
		if text := printable(line); text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, " | ")
}
