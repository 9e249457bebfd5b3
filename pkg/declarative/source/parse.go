package source

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// The bounds of [Parse].
const (
	MaxBytes   = 1 << 20 // of a file
	MaxDepth   = 64      // of maps and lists within each other, aliases resolved
	MaxValues  = 200_000 // written out in a file
	MaxAliased = 100_000 // added to those by aliases and merge keys
)

// Parse reads the text of one document. It returns nil when the text is so broken that there is no tree to look at;
// otherwise the tree may lack the parts that the findings are about. The name is what findings call the file.
// Parse doesn't keep data.
func Parse(name string, data []byte) (*File, diag.List) {
	return parse(name, data, true)
}

// ParseUnplaced reads a text that nobody has seen, such as one that a program wrote: its findings have paths but no
// positions.
func ParseUnplaced(data []byte) (*File, diag.List) { return parse("", data, false) }

func parse(name string, data []byte, placed bool) (*File, diag.List) {
	f, found := open(name, data, placed)
	if f == nil {
		return nil, found
	}
	return f.read(0)
}

// open looks at a text as a whole. It returns nil when no document can be in it.
func open(name string, data []byte, placed bool) (*File, diag.List) {
	if len(data) > MaxBytes {
		return nil, diag.List{newDiagnostic(diag.TooLarge, name, diag.Pos{},
			fmt.Sprintf("the file has %d bytes; a document may have %d", len(data), MaxBytes), "move long prompts to ConfigMaps")}
	}
	f := newFile(name, bytes.TrimPrefix(bytes.Clone(data), []byte(byteOrderMark)))
	f.placed = placed
	if d := f.checkText(); d != nil {
		return nil, diag.List{*d}
	}
	return f, nil
}

const byteOrderMark = "\ufeff"

// read parses the document that starts at an offset and goes on to the end of the text.
func (f *File) read(start int) (*File, diag.List) {
	p := parser{file: f, text: f.text, at: start, anchors: map[string]*Node{}}
	root := p.document()
	if p.failed {
		return nil, p.found
	}
	f.root = root
	p.locate(f.Root())
	return f, p.found
}

// newDiagnostic makes a finding about the text of a file rather than about a value in it.
func newDiagnostic(code diag.Code, file string, pos diag.Pos, message, hint string) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Severity: code.Severity(), File: file, Pos: pos, Message: message, Hint: hint}
}

// checkText finds the first byte or character that no document may hold.
func (f *File) checkText() *diag.Diagnostic {
	at := func(offset int, message, hint string) *diag.Diagnostic {
		d := newDiagnostic(diag.Encoding, f.name, f.position(offset, offset+1), message, hint)
		return &d
	}
	if bytes.HasPrefix(f.text, []byte("\xff\xfe")) || bytes.HasPrefix(f.text, []byte("\xfe\xff")) {
		return at(0, "the file is UTF-16; a document is UTF-8", "save it as UTF-8")
	}
	for i := 0; i < len(f.text); {
		r, size := utf8.DecodeRune(f.text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return at(i, fmt.Sprintf("the byte 0x%02x is not UTF-8", f.text[i]), "save the file as UTF-8")
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return at(i, fmt.Sprintf("the control character U+%04X can't stand in a document", r),
				fmt.Sprintf(`remove it, or write "\u%04x" in double quotes`, r))
		}
		i += size
	}
	return nil
}

// parser reads one file. After the first fault it stands at the end of the text, so that everything returns.
type parser struct {
	file    *File
	text    []byte
	at      int
	line    int // index of the line that column was last asked about
	found   diag.List
	owners  []*Node // the values that the findings are about, if the tree has them
	failed  bool
	values  int
	anchors map[string]*Node // a node that is under way is nil
	aliased int
	flow    flowState
}

// fault is something wrong with the text at a range of offsets.
type fault struct {
	code          diag.Code // empty: a syntax error
	owner         *Node     // the value that it is about, if the tree has it
	start, end    int
	message, hint string
}

func (p *parser) fail(x fault) {
	if p.failed {
		return
	}
	p.failed = true
	p.at = len(p.text)
	p.report(x)
}

// report notes a fault that the rest of the text can be read in spite of.
func (p *parser) report(x fault) {
	if x.code == "" {
		x.code = diag.Syntax
	}
	p.found = append(p.found, newDiagnostic(x.code, p.file.name, p.file.position(x.start, x.end), x.message, x.hint))
	p.owners = append(p.owners, x.owner)
}

// locate gives the findings the paths of the values that they are about.
func (p *parser) locate(at Place) {
	if len(p.found) == 0 {
		return
	}
	for i, owner := range p.owners {
		if owner != nil && owner == at.node && p.found[i].Pointer == "" {
			p.found[i].Path, p.found[i].Pointer = at.Path(), at.Pointer()
		}
	}
	for _, child := range append(at.Items(), at.Entries()...) {
		p.locate(child)
	}
}

// where is how messages name an offset: line and column.
func (p *parser) where(offset int) string {
	pos := p.file.position(offset, offset)
	return fmt.Sprintf("%d:%d", pos.Line, pos.Column)
}

// peek returns the byte n after the current one, or 0 behind the end.
func (p *parser) peek(n int) byte {
	if p.at+n < len(p.text) {
		return p.text[p.at+n]
	}
	return 0
}

// spaceAt reports whether a blank, a line break or the end of the text is at an offset.
func (p *parser) spaceAt(at int) bool {
	return at >= len(p.text) || isBlank(p.text[at]) || isBreak(p.text[at])
}

// column is the number of bytes between the start of the line and the current offset.
func (p *parser) column() int { return p.at - p.lineStart() }

// lineStart is the offset at which the current line starts. The parser only goes forward, so it is never far to look.
func (p *parser) lineStart() int {
	lines := p.file.lines
	for p.line+1 < len(lines) && lines[p.line+1] <= p.at {
		p.line++
	}
	return lines[p.line]
}

// skip passes over blanks, comments and line breaks. It reports whether a line break was among them.
func (p *parser) skip() (newLine bool) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case isBreak(c):
			newLine = true
			p.at++
		case isBlank(c):
			p.at++
		case c == '#' && p.startsComment(p.at):
			for p.at < len(p.text) && !isBreak(p.text[p.at]) {
				p.at++
			}
		default:
			return newLine
		}
	}
	return newLine
}

// startsComment reports whether the # at an offset starts a comment: it does behind white space only.
func (p *parser) startsComment(at int) bool { return at == 0 || p.spaceAt(at-1) }

func (p *parser) skipBlanks() {
	for p.at < len(p.text) && isBlank(p.text[p.at]) {
		p.at++
	}
}

// newNode counts a value and starts it here.
func (p *parser) newNode(kind Kind) *Node {
	if p.values++; p.values > MaxValues {
		p.fail(fault{code: diag.TooLarge, start: p.at, end: p.at + 1,
			message: fmt.Sprintf("the file has more than %d values", MaxValues)})
	}
	return &Node{kind: kind, start: p.at, size: 1}
}

// tooDeep fails when a map or a list that starts here is nested too deeply.
func (p *parser) tooDeep(depth int) bool {
	if depth <= MaxDepth {
		return false
	}
	p.fail(fault{code: diag.TooDeep, start: p.at, end: p.at + 1,
		message: fmt.Sprintf("more than %d maps and lists are nested here", MaxDepth)})
	return true
}

// missing is the value of a key or an item behind which nothing stands.
func (p *parser) missing(at int) *Node {
	n := p.newNode(Null)
	n.start, n.implicit = at, true
	return n
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }
func isBreak(b byte) bool { return b == '\n' || b == '\r' }

// breakSize is the length of the line break at the start of text.
func breakSize(text []byte) int {
	if len(text) > 1 && text[0] == '\r' && text[1] == '\n' {
		return 2
	}
	return 1
}
