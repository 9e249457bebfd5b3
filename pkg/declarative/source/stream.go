package source

import (
	"bytes"
	"sort"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Part is one document of a stream, as [Parse] would have returned it.
type Part struct {
	File  *File
	Found diag.List
	// Text is the document as it stands in the stream.
	Text []byte
}

// ParseStream reads a text that may hold several documents, separated by lines of three dashes, as manifests do. Documents
// without a value are left out, and what is wrong with one doesn't keep the others from being read.
func ParseStream(name string, data []byte) []Part {
	whole, found := open(name, data, true)
	if whole == nil {
		return []Part{{Found: found, Text: data}}
	}
	var parts []Part
	starts := append(whole.starts(), len(whole.text))
	for i, start := range starts[:len(starts)-1] {
		if f := whole.upTo(starts[i+1]); !f.blank(start) {
			parsed, found := f.read(start)
			parts = append(parts, Part{parsed, found, f.text[start:]})
		}
	}
	return parts
}

// starts are the offsets at which documents start.
func (f *File) starts() []int {
	starts := []int{0}
	for _, at := range f.lines[1:] {
		s := scanner{text: f.text, at: at}
		if bytes.HasPrefix(f.text[at:], []byte("---")) && s.atMarker() {
			starts = append(starts, at)
		}
	}
	return starts
}

// upTo is the file without what is behind an offset at which a line starts.
func (f *File) upTo(end int) *File {
	part := *f
	part.text = f.text[:end]
	if end < len(f.text) {
		part.lines = f.lines[:sort.SearchInts(f.lines, end)+1]
	}
	return &part
}

// blank reports whether there is nothing but the marker, directives and comments behind an offset.
func (f *File) blank(start int) bool {
	p := parser{file: f, text: bytes.TrimPrefix(f.text[start:], []byte("---"))}
	for p.skip(); p.peek(0) == '%'; p.skip() {
		p.at = p.lineEnd(p.at)
	}
	return p.at == len(p.text)
}

// Relocate gives a position in the text of the string at the place, as [Parse] of that text alone has it, its place in
// the file around it. A position that the text doesn't have is the zero Pos.
func (p Place) Relocate(pos diag.Pos) diag.Pos {
	text, marked := strings.CutPrefix(p.Node().Text(), byteOrderMark)
	f := newFile("", []byte(text))
	if pos.IsZero() || pos.Line > len(f.lines) {
		return diag.Pos{}
	}
	start := f.runesBefore(f.lines[pos.Line-1]) + pos.Column - 1
	if marked {
		start++
	}
	return p.Within(start, start+pos.EndColumn-pos.Column)
}

// ParseWithin reads the document that the string at a place holds, such as a key of a ConfigMap. What is found in it has
// its place in the file around it, exact to the column whatever the string is written as; paths and pointers are those of
// the document within.
func ParseWithin(p Place) (*File, diag.List) {
	text := p.Node().Text()
	f := newFile(p.file.name, []byte(strings.TrimPrefix(text, byteOrderMark)))
	if text != "" { // else there is nothing to point at
		f.placed, f.outer, f.spans = p.file.placed, p.file, p.file.places(p.node)
	}
	if strings.HasPrefix(text, byteOrderMark) {
		f.spans = f.spans[1:]
	}
	if d := f.checkText(); d != nil {
		return nil, diag.List{*d}
	}
	return f.read(0)
}
