package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// MaxWritten is how many findings [Write] prints before it only counts.
const MaxWritten = 50

// Write prints a list in the form that people read: for each finding a line "file:line:col: error[code]: message", the
// source line with the place underlined, and the path with the hint. text returns the content of a file, or nil when it
// isn't at hand; then the source line is left out. Text may be nil.
func Write(w io.Writer, l List, text func(file string) []byte) error {
	p := printer{text: text}
	for i := range l {
		if i == MaxWritten {
			fmt.Fprintf(&p.out, "and %s\n", count(l[i:]))
			break
		}
		p.finding(&l[i])
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

// count says how many errors and warnings a list holds.
func count(l List) string {
	errors := 0
	for i := range l {
		if l[i].Severity == Error {
			errors++
		}
	}
	var parts []string
	if errors > 0 {
		parts = append(parts, plural(errors, "more error"))
	}
	if n := len(l) - errors; n > 0 {
		parts = append(parts, plural(n, "more warning"))
	}
	return strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

type printer struct {
	out  bytes.Buffer
	text func(file string) []byte

	// The last file that was quoted, cut into lines once.
	file  string
	lines []string
}

func (p *printer) finding(d *Diagnostic) {
	place := prefix(d.File)
	if !d.IsZero() {
		place = d.place()
	}
	fmt.Fprintf(&p.out, "%s%s[%s]: %s\n", printable(place), d.Severity, d.Code, printable(d.Message))
	if line, ok := p.line(d); ok {
		p.excerpt(d.Pos, line)
	}
	switch path := printable(d.Path); {
	case path != "" && d.Hint != "":
		fmt.Fprintf(&p.out, "   %s: %s\n", path, printable(d.Hint))
	case path != "" || d.Hint != "":
		fmt.Fprintf(&p.out, "   %s%s\n", path, printable(d.Hint))
	}
}

// line returns the source line of a finding, without its break.
func (p *printer) line(d *Diagnostic) (string, bool) {
	if d.IsZero() || p.text == nil {
		return "", false
	}
	if p.lines == nil || p.file != d.File {
		p.file, p.lines = d.File, splitLines(string(p.text(d.File)))
	}
	if d.Line > len(p.lines) {
		return "", false
	}
	return p.lines[d.Line-1], true
}

// splitLines cuts text at LF, CR LF and CR, as editors count lines.
func splitLines(text string) []string {
	text = strings.TrimPrefix(text, "\ufeff")
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// The width of the excerpt of a long line, and how much of it stands before the place.
const (
	excerptWidth = 120
	excerptLead  = 60
)

// excerpt prints the line and under it the caret. Tabs are repeated in the second line, so that the caret stands
// right whatever a terminal makes of them.
func (p *printer) excerpt(pos Pos, line string) {
	runes := []rune(line)
	start := min(pos.Column-1, len(runes))
	end := min(max(pos.EndColumn-1, start+1), max(len(runes), start+1))
	from, to := window(len(runes), start)
	before, after := "", ""
	if from > 0 {
		before = "…"
	}
	if to < len(runes) {
		after = "…"
	}
	end = min(end, max(to, start+1))

	fmt.Fprintf(&p.out, "%5d | %s%s%s\n", pos.Line, before, printable(string(runes[from:to])), after)
	p.out.WriteString("      | ")
	if before != "" {
		p.out.WriteByte(' ')
	}
	for _, r := range runes[from:start] {
		if r == '\t' {
			p.out.WriteByte('\t')
			continue
		}
		p.out.WriteString(strings.Repeat(" ", width(r)))
	}
	marked := 1
	if start < len(runes) {
		marked = 0
		for _, r := range runes[start:min(end, len(runes))] {
			marked += width(r)
		}
	}
	p.out.WriteByte('^')
	p.out.WriteString(strings.Repeat("~", max(marked-1, 0)))
	p.out.WriteByte('\n')
}

// window chooses the part of a line of n runes that is printed around the rune at start.
func window(n, start int) (from, to int) {
	if n <= excerptWidth {
		return 0, n
	}
	from = max(0, min(start-excerptLead, n-excerptWidth))
	return from, min(n, from+excerptWidth)
}
