package workflow

import (
	"strconv"
	"strings"
)

// paths makes the ids of activations out of larger pieces of memory. What lies inside of a composite begins where the path
// of the composite ends, so that deep graphs don't repeat it.
type paths struct{ text strings.Builder }

// The sizes of the pieces: they double, so that small runs stay small and what is kept of a path keeps little else.
const (
	firstPiece = 32
	lastPiece  = 1024
)

// of returns prefix, name and the count after it.
func (p *paths) of(prefix, name string, count int) string {
	var buf [20]byte
	return p.join(prefix, name, strconv.AppendInt(buf[:0], int64(count), 10))
}

func (p *paths) join(prefix, name string, count []byte) string {
	start := p.begin(prefix, len(name)+len(count))
	p.text.WriteString(name)
	p.text.Write(count)
	return p.text.String()[start:]
}

// inner returns what the paths inside a composite begin with. Nothing of an attempt is used by the next one.
func (p *paths) inner(path string, attempt int) string {
	if attempt == 1 {
		return p.join(path, "/", nil)
	}
	return p.join(path, "~"+strconv.Itoa(attempt)+"/", nil)
}

// begin writes a prefix, unless it is what was written last, and returns where it begins.
func (p *paths) begin(prefix string, more int) int {
	need := len(prefix) + more
	if p.text.Cap()-p.text.Len() < need {
		piece := min(max(firstPiece, 2*p.text.Cap()), lastPiece)
		p.text.Reset() // what was handed out stays as it is
		p.text.Grow(max(piece, 2*need))
	}
	if prefix != "" && strings.HasSuffix(p.text.String(), prefix) {
		return p.text.Len() - len(prefix)
	}
	p.text.WriteString(prefix)
	return p.text.Len() - len(prefix)
}
