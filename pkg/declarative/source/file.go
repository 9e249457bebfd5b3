package source

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// File is the text of one document and the tree that was read from it. It is immutable.
type File struct {
	name  string
	text  []byte // without a byte order mark
	lines []int  // the offset at which each line starts
	runes []int  // the number of code points before each block of runeBlock bytes
	root  *Node
	// placed says that positions mean something to whoever reads the findings.
	placed bool
	// outer is the file that this text is a value of, if it is, and spans where in it each code point stands.
	outer *File
	spans []span
}

// runeBlock is the distance of the marks that make columns of long lines cheap.
const runeBlock = 1 << 10

func newFile(name string, text []byte) *File {
	f := &File{name: name, text: text}
	breaks := bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r"))
	f.lines = append(make([]int, 0, breaks+1), 0)
	for i, b := range text {
		if b == '\n' || b == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			f.lines = append(f.lines, i+1)
		}
	}
	f.runes = make([]int, 0, len(text)/runeBlock+2)
	n := 0
	for i := range text {
		if i%runeBlock == 0 {
			f.runes = append(f.runes, n)
		}
		if utf8.RuneStart(text[i]) {
			n++
		}
	}
	f.runes = append(f.runes, n)
	return f
}

// Name is the name of the file as the caller of [Parse] gave it.
func (f *File) Name() string { return f.name }

// Root is the place of the whole document.
func (f *File) Root() Place { return Place{file: f, node: f.root} }

// runesBefore counts the code points before an offset.
func (f *File) runesBefore(offset int) int {
	block := offset / runeBlock
	if block >= len(f.runes)-1 {
		block = max(len(f.runes)-2, 0)
	}
	n := f.runes[block]
	for i := block * runeBlock; i < offset; i++ {
		if utf8.RuneStart(f.text[i]) {
			n++
		}
	}
	return n
}

// position makes the place in the file of a half-open range of offsets; what lies beyond the line is left out.
func (f *File) position(start, end int) diag.Pos {
	if !f.placed {
		return diag.Pos{}
	}
	line := sort.SearchInts(f.lines, min(start, len(f.text))+1) - 1
	start, end = min(start, f.lineEnd(line)), min(end, f.lineEnd(line))
	if len(f.spans) > 0 {
		return f.outer.position(spread(f.spans, f.runesBefore(start), f.runesBefore(end)))
	}
	base := f.runesBefore(f.lines[line])
	column := f.runesBefore(start) - base + 1
	endColumn := f.runesBefore(end) - base + 1
	return diag.Pos{Line: line + 1, Column: column, EndColumn: max(endColumn, column+1)}
}

// lineEnd is the offset at which the text of a line (counted from 0) ends, before its break.
func (f *File) lineEnd(line int) int {
	if line+1 == len(f.lines) {
		return len(f.text)
	}
	end := f.lines[line+1] - 1
	if end > f.lines[line] && f.text[end] == '\n' && f.text[end-1] == '\r' {
		end--
	}
	return end
}
