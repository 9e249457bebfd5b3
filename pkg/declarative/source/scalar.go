package source

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// neverContinued is the indentation of scalars that end on their line.
const neverContinued = math.MaxInt

// scalar reads a quoted or plain scalar that belongs to something indented by indent.
func (p *parser) scalar(indent int, inFlow bool) *Node {
	n := p.newNode(String)
	n.indent, n.inFlow = indent, inFlow
	switch c := p.peek(0); {
	case p.failed:
		return n
	case c == '"':
		n.style = double
	case c == '\'':
		n.style = single
	case plainStart(c, p.peek(1), inFlow):
	default:
		p.noScalar(c)
		return n
	}
	p.read(n)
	if n.style == plain {
		n.kind = plainKind(n.text)
	}
	return n
}

// blockScalar reads a literal or folded scalar.
func (p *parser) blockScalar(indent int) *Node {
	n := p.newNode(String)
	n.indent, n.style = indent, literal
	if p.peek(0) == '>' {
		n.style = folded
	}
	p.read(n)
	return n
}

// read decodes the scalar that starts here.
func (p *parser) read(n *Node) {
	s := p.file.scanner(n)
	s.scan()
	if s.fault != nil {
		p.fail(*s.fault)
		return
	}
	n.text = s.out.String()
	p.at = s.at
}

// noScalar fails on a character that can't start a value.
func (p *parser) noScalar(c byte) {
	switch c {
	case '%', '@', '`':
		p.fail(fault{start: p.at, end: p.at + 1, message: fmt.Sprintf(`"%c" can't start a value without quotes`, c),
			hint: "put the value in quotes"})
	case '-', '?', ':':
		p.fail(fault{start: p.at, end: p.at + 1, message: fmt.Sprintf(`"%c" stands where a value is expected`, c),
			hint: "put the value in quotes if this is its text"})
	default:
		p.fail(fault{start: p.at, end: p.at + 1, message: fmt.Sprintf(`"%c" closes or separates something that isn't open here`, c)})
	}
}

// plainStart reports whether a scalar without quotes can start with the byte c, which next follows.
func plainStart(c, next byte, inFlow bool) bool {
	switch c {
	case 0, ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`', ' ', '\t', '\n', '\r':
		return false
	case '-', '?', ':':
		return next != 0 && !isBlank(next) && !isBreak(next) && (!inFlow || strings.IndexByte(",[]{}", next) < 0)
	}
	return true
}

// span is the range of offsets that one decoded character was written in.
type span struct{ start, end int }

// scanner decodes one scalar. The same code gives the text when a file is read and, when a finding needs it, the place
// of every character.
type scanner struct {
	text   []byte
	at     int
	node   *Node
	out    strings.Builder
	record bool
	spans  []span
	fault  *fault
}

func (f *File) scanner(n *Node) *scanner { return &scanner{text: f.text, at: n.start, node: n} }

// places returns, for each code point of a scalar, where in the file it stands.
func (f *File) places(n *Node) []span {
	s := f.scanner(n)
	s.record = true
	s.scan()
	return s.spans
}

// extent is the range of offsets that the first line of a value takes, quotes included.
func (f *File) extent(n *Node) (start, end int) {
	switch {
	case n.kind == Map && n.style == block && len(n.entries) > 0:
		return f.extent(n.entries[0].key)
	case n.kind == Map || n.kind == List || n.implicit || n.style == literal || n.style == folded:
		return n.start, n.start + 1
	}
	s := f.scanner(n)
	s.scan()
	return n.start, s.at
}

func (s *scanner) scan() {
	switch s.node.style {
	case single:
		s.single()
	case double:
		s.double()
	case literal, folded:
		s.block()
	default:
		s.plain()
	}
}

func (s *scanner) fail(start, end int, message, hint string) {
	s.fault = &fault{start: start, end: end, message: message, hint: hint}
	s.at = len(s.text)
}

func (s *scanner) more() bool { return s.at < len(s.text) }

func (s *scanner) peek(n int) byte {
	if s.at+n < len(s.text) {
		return s.text[s.at+n]
	}
	return 0
}

func (s *scanner) emit(r rune, start, end int) {
	s.out.WriteRune(r)
	if s.record {
		s.spans = append(s.spans, span{start, end})
	}
}

// copy emits the character at the current offset as it is.
func (s *scanner) copy() {
	r, size := utf8.DecodeRune(s.text[s.at:])
	s.emit(r, s.at, s.at+size)
	s.at += size
}

func (s *scanner) plain() {
	for s.more() {
		c := s.text[s.at]
		switch {
		case isBlank(c) || isBreak(c):
			if !s.continued() {
				return
			}
			s.fold()
		case c == ':' && s.endsPlain(s.peek(1)):
			return
		case s.node.inFlow && strings.IndexByte(",[]{}", c) >= 0:
			return
		default:
			s.copy()
		}
	}
}

// endsPlain reports whether a colon before the byte c ends a plain scalar.
func (s *scanner) endsPlain(c byte) bool {
	return c == 0 || isBlank(c) || isBreak(c) || s.node.inFlow && strings.IndexByte(",[]{}", c) >= 0
}

// continued reports whether a plain scalar goes on behind the white space that starts here.
func (s *scanner) continued() bool {
	next := scanner{text: s.text, at: s.at}
	line := -1
	for next.more() && (isBlank(next.text[next.at]) || isBreak(next.text[next.at])) {
		if isBreak(next.text[next.at]) {
			line = next.at + 1
		}
		next.at++
	}
	switch c := next.peek(0); {
	case c == 0 || c == '#' || c == ':' && s.endsPlain(next.peek(1)):
		return false
	case s.node.inFlow:
		return strings.IndexByte(",[]{}", c) < 0
	case line < 0:
		return true
	}
	spaces := line
	for s.text[spaces] == ' ' {
		spaces++
	}
	if spaces-line <= s.node.indent && s.text[spaces] == '\t' && s.node.indent != neverContinued {
		s.fail(spaces, spaces+1, tabMessage, "")
		return false
	}
	return spaces-line > s.node.indent && (spaces > line || !next.atMarker())
}

// atMarker reports whether a line that isn't indented separates documents.
func (s *scanner) atMarker() bool {
	marker := string(s.text[s.at:min(s.at+3, len(s.text))])
	return (marker == "---" || marker == "...") && (s.peek(3) == 0 || isBlank(s.peek(3)) || isBreak(s.peek(3)))
}

func (s *scanner) single() {
	s.at++ // the quote
	for s.more() {
		switch c := s.text[s.at]; {
		case c == '\'' && s.peek(1) == '\'':
			s.emit('\'', s.at, s.at+2)
			s.at += 2
		case c == '\'':
			s.at++
			return
		case isBlank(c) || isBreak(c):
			s.fold()
		default:
			s.copy()
		}
	}
	s.unclosed()
}

func (s *scanner) double() {
	s.at++ // the quote
	for s.more() {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return
		case c == '\\' && isBreak(s.peek(1)):
			s.at++
			s.at += breakSize(s.text[s.at:])
			s.skipBlanks()
			s.emitBreaks()
		case c == '\\':
			s.escape()
		case isBlank(c) || isBreak(c):
			s.fold()
		default:
			s.copy()
		}
	}
	s.unclosed()
}

func (s *scanner) unclosed() {
	if s.fault == nil {
		s.fail(s.node.start, s.node.start+1, fmt.Sprintf("the quote %c is never closed", s.text[s.node.start]), "")
	}
}

// The escapes of one letter; JSON's are among them.
const (
	escapeLetters = "0abt\tnvfre \"'/\\N_LP"
	escapeValues  = "\x00\a\b\t\t\n\v\f\r\x1b \"'/\\\u0085\u00a0\u2028\u2029"
)

func (s *scanner) escape() {
	start, letter := s.at, s.peek(1)
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[letter]
	if digits == 0 {
		i := strings.IndexByte(escapeLetters, letter)
		if letter == 0 || i < 0 {
			r, size := utf8.DecodeRune(s.text[min(start+1, len(s.text)):])
			s.fail(start, start+1+size, fmt.Sprintf(`\%c is no escape; in double quotes a backslash starts one`, r),
				fmt.Sprintf(`write \\%c, or use single quotes, in which a backslash is only that`, r))
			return
		}
		s.at += 2
		s.emit([]rune(escapeValues)[i], start, s.at)
		return
	}
	s.at += 2
	r := s.hex(digits)
	if r >= 0xd800 && r < 0xdc00 && s.peek(0) == '\\' && s.peek(1) == 'u' {
		s.at += 2
		if low := s.hex(4); low >= 0xdc00 && low < 0xe000 {
			r = (r-0xd800)<<10 + (low - 0xdc00) + 0x10000
		}
	}
	switch {
	case s.fault != nil:
	case !utf8.ValidRune(r):
		s.fail(start, s.at, "the escape stands for no character", `characters beyond U+FFFF are \U0001f600 or, as in JSON, \ud83d\ude00`)
	default:
		s.emit(r, start, s.at)
	}
}

func (s *scanner) hex(digits int) rune {
	var r rune
	for range digits {
		digit := strings.IndexByte("0123456789abcdef", s.peek(0)|0x20)
		if s.peek(0) < '0' || digit < 0 {
			s.fail(s.at, s.at+1, fmt.Sprintf("an escape with %d hexadecimal digits ends too soon", digits), "")
			return 0
		}
		r = r<<4 + rune(digit)
		s.at++
	}
	return r
}

// fold reads blanks and line breaks within a scalar: blanks within a line stand for themselves; one break is a space,
// and of several each but the first is a line feed. Blanks around breaks count for nothing.
func (s *scanner) fold() {
	first := s.at
	s.skipBlanks()
	if !s.more() || !isBreak(s.text[s.at]) {
		for i := first; i < s.at; i++ {
			s.emit(rune(s.text[i]), i, i+1)
		}
		return
	}
	breakAt := s.at
	s.at += breakSize(s.text[s.at:])
	s.skipBlanks()
	if !s.more() || !isBreak(s.text[s.at]) {
		s.emit(' ', breakAt, breakAt+1)
		return
	}
	s.emitBreaks()
}

// emitBreaks emits a line feed for each break up to the next character that is neither break nor blank.
func (s *scanner) emitBreaks() {
	for s.more() && isBreak(s.text[s.at]) {
		s.emit('\n', s.at, s.at+1)
		s.at += breakSize(s.text[s.at:])
		s.skipBlanks()
	}
}

func (s *scanner) skipBlanks() {
	for s.more() && isBlank(s.text[s.at]) {
		s.at++
	}
}
