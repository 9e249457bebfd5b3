package source

import (
	"bytes"
	"fmt"
)

const tabMessage = "a tab indents this line; YAML is indented with spaces"

// context is what a value in block style stands behind.
type context int

const (
	atRoot context = iota
	afterKey
	afterDash
)

// document reads the whole text: directives, the markers, one value.
func (p *parser) document() *Node {
	p.skip()
	for p.peek(0) == '%' && p.column() == 0 {
		p.directive()
	}
	if p.atMarker("---") {
		p.at += 3
		p.skip()
	}
	if p.done() {
		p.fail(fault{start: p.at, end: p.at, message: "the file is empty; a document starts with apiVersion and kind"})
		return nil
	}
	root := p.blockNode(-1, 0, atRoot)
	p.skip()
	if p.atMarker("...") {
		p.at += 3
		p.skip()
	}
	switch {
	case p.atMarker("---"):
		p.fail(fault{start: p.at, end: p.at + 3, message: "a second document starts here; a file holds one", hint: "split the file"})
	case p.at < len(p.text):
		p.fail(fault{start: p.at, end: p.at + 1, message: fmt.Sprintf("the document ends before this line, as it is %s", root.kind),
			hint: "indent the line like those that it belongs to"})
	}
	return root
}

// directive passes over %YAML; there is no use for others.
func (p *parser) directive() {
	start := p.at
	for p.at < len(p.text) && !isBreak(p.text[p.at]) {
		p.at++
	}
	if line := p.text[start:p.at]; !bytes.HasPrefix(line, []byte("%YAML 1.")) {
		p.fail(fault{start: start, end: p.at, message: fmt.Sprintf("the directive %q is none that a document can have", line),
			hint: "remove the line"})
	}
	p.skip()
}

// atMarker reports whether the line starts with a marker that separates documents.
func (p *parser) atMarker(marker string) bool {
	return bytes.HasPrefix(p.text[p.at:], []byte(marker)) && p.spaceAt(p.at+3) && p.column() == 0
}

// done reports whether the document ends here.
func (p *parser) done() bool {
	return p.at == len(p.text) || p.atMarker("---") || p.atMarker("...")
}

// holds reports whether what stands here can be part of a value of something that is indented by indent. A list may
// stand as far to the left as the key that it is the value of.
func (p *parser) holds(indent int, in context, newLine bool) bool {
	if p.done() {
		return false
	}
	if !newLine {
		return true
	}
	p.refuseTabs()
	column := p.column()
	return column > indent || in == afterKey && column == indent && p.atDash()
}

// refuseTabs fails when a tab indents the line that is about to be read.
func (p *parser) refuseTabs() {
	start := p.lineStart()
	lead := p.text[start:p.at]
	if tab := bytes.IndexByte(lead, '\t'); tab >= 0 && len(bytes.Trim(lead, " \t")) == 0 {
		p.fail(fault{start: start + tab, end: start + tab + 1, message: tabMessage})
	}
}

// blockNode reads the value that stands here or on the following lines, if they are indented more than indent.
func (p *parser) blockNode(indent, depth int, in context) *Node {
	hole := p.at
	newLine := p.skip() || in == atRoot
	if !p.holds(indent, in, newLine) {
		return p.missing(hole)
	}
	if p.atDash() || p.keyAhead() >= 0 {
		return p.blockContent(indent, depth, in, newLine)
	}
	props := p.properties()
	if !props.any() {
		return p.blockContent(indent, depth, in, newLine)
	}
	hole = p.at
	newLine = p.skip()
	var n *Node
	if p.holds(indent, in, newLine) {
		n = p.blockContent(indent, depth, in, newLine)
	} else {
		n = p.missing(hole)
	}
	return p.apply(props, n)
}

func (p *parser) blockContent(indent, depth int, in context, newLine bool) *Node {
	colon := p.keyAhead()
	switch c := p.peek(0); {
	case p.failed:
		return p.newNode(Null)
	case (p.atDash() || colon >= 0) && in == afterKey && !newLine:
		p.nestedInLine(colon)
		return p.newNode(Null)
	case p.atDash():
		return p.blockSequence(depth + 1)
	case colon >= 0:
		return p.blockMapping(depth + 1)
	case c == '?' && p.spaceAt(p.at+1):
		p.fail(fault{start: p.at, end: p.at + 1, message: `"? " starts a key that isn't text; keys are text`, hint: "write key: value"})
		return p.newNode(Null)
	case c == '|' || c == '>':
		return p.blockScalar(indent)
	}
	n := p.flowNode(indent, depth)
	p.endOfValue(n)
	return n
}

// nestedInLine fails on a list or a map that starts on the line of the key that it is the value of.
func (p *parser) nestedInLine(colon int) {
	if colon < 0 {
		p.fail(fault{start: p.at, end: p.at + 1, message: `"- " on the line of a key; a list starts on the next line`,
			hint: "move it to the next line, or quote the value if it is text"})
		return
	}
	p.fail(fault{start: colon, end: colon + 1, message: `": " in a value without quotes would start a map`,
		hint: "put the whole value in quotes: " + quoted(p.text[p.at:p.lineEnd(p.at)])})
}

// quoted suggests how to write a text that YAML misreads: in quotes that it doesn't hold.
func quoted(text []byte) string {
	const longest = 60
	text = bytes.TrimRight(text, " \t")
	switch {
	case len(text) > longest:
		return `key: "…"`
	case !bytes.ContainsAny(text, `"\`):
		return `"` + string(text) + `"`
	case !bytes.Contains(text, []byte("'")):
		return `'` + string(text) + `'`
	}
	return `'` + string(bytes.ReplaceAll(text, []byte("'"), []byte("''"))) + `'`
}

// lineEnd is the offset at which the line of an offset ends.
func (p *parser) lineEnd(at int) int {
	for at < len(p.text) && !isBreak(p.text[at]) {
		at++
	}
	return at
}

// atDash reports whether an item of a list in block style starts here.
func (p *parser) atDash() bool { return p.peek(0) == '-' && p.spaceAt(p.at+1) }

func (p *parser) blockSequence(depth int) *Node {
	n := p.newNode(List)
	n.style = block
	column := p.column()
	if p.tooDeep(depth) {
		return n
	}
	for p.atDash() && !p.failed {
		p.at++
		n.addItem(p.blockNode(column, depth, afterDash))
		if !p.nextLine(column) {
			break
		}
	}
	return n
}

func (p *parser) blockMapping(depth int) *Node {
	n := p.newNode(Map)
	n.style = block
	column := p.column()
	if p.tooDeep(depth) {
		return n
	}
	m := newMapBuilder(p, n)
	for !p.failed {
		colon := p.keyAhead()
		if colon < 0 {
			p.noKey(column)
			break
		}
		key := p.apply(p.properties(), p.key())
		p.at = colon + 1
		m.add(key, p.blockNode(column, depth, afterKey))
		if !p.nextLine(column) {
			break
		}
	}
	m.finish()
	return n
}

// noKey fails on a line among the keys of a map that has no key.
func (p *parser) noKey(column int) {
	end := p.lineEnd(p.at)
	switch c := p.peek(0); {
	case p.atDash():
		p.fail(fault{start: p.at, end: p.at + 1, message: "an item of a list among the keys of a map",
			hint: "indent it more than the key that it belongs to"})
	case c == '?' && p.spaceAt(p.at+1):
		p.fail(fault{start: p.at, end: p.at + 1, message: `"? " starts a key that isn't text; keys are text`, hint: "write key: value"})
	case bytes.IndexByte(p.text[p.at:end], ':') >= 0 && plainStart(c, p.peek(1), false):
		p.fail(fault{start: p.at, end: end, message: `a key and its value are separated by ": ", and this line has no space behind the colon`})
	default:
		p.fail(fault{start: p.at, end: end, message: `a line without ": " among the keys of a map`,
			hint: fmt.Sprintf("write key: value; text that goes on from the line before is indented by more than %d", column)})
	}
}

// nextLine goes to the next line of a list or map at a column. It reports false when the next line belongs to something
// further out.
func (p *parser) nextLine(column int) bool {
	p.skip()
	if p.done() {
		return false
	}
	p.refuseTabs()
	if at := p.column(); at != column {
		if at > column {
			p.fail(fault{start: p.at, end: p.at + 1,
				message: fmt.Sprintf("this line is indented by %d, and the lines that it could belong to by %d", at, column),
				hint:    "indent it like its neighbours; a value that goes on over several lines must be in quotes or start with | or >"})
		}
		return false
	}
	return true
}

// keyAhead returns the offset of the colon if a key and a colon stand here on one line, or -1.
func (p *parser) keyAhead() int {
	at := p.pastProperties(p.at)
	if at >= len(p.text) {
		return -1
	}
	switch c := p.text[at]; {
	case c == '"' || c == '\'':
		at = p.pastQuoted(at)
	case c == '*':
		for !p.spaceAt(at) {
			at++
		}
	case plainStart(c, p.byteAt(at+1), false):
		at = p.pastPlainKey(at)
	default:
		return -1
	}
	for at < len(p.text) && isBlank(p.text[at]) {
		at++
	}
	if p.byteAt(at) == ':' && p.spaceAt(at+1) {
		return at
	}
	return -1
}

func (p *parser) byteAt(at int) byte {
	if at < len(p.text) {
		return p.text[at]
	}
	return 0
}

// pastQuoted is the offset behind a quoted scalar that ends on its line, or the end of the line.
func (p *parser) pastQuoted(at int) int {
	quote := p.text[at]
	for at++; at < len(p.text) && !isBreak(p.text[at]); at++ {
		switch {
		case p.text[at] == '\\' && quote == '"':
			at++
		case p.text[at] == quote && quote == '\'' && p.byteAt(at+1) == '\'':
			at++
		case p.text[at] == quote:
			return at + 1
		}
	}
	return min(at, len(p.text))
}

// pastPlainKey is the offset of the first colon that ends a key, or of the end of the line or of a comment.
func (p *parser) pastPlainKey(at int) int {
	for ; at < len(p.text) && !isBreak(p.text[at]); at++ {
		if p.text[at] == ':' && p.spaceAt(at+1) || p.text[at] == '#' && p.startsComment(at) {
			return at
		}
	}
	return at
}

// key reads the key that keyAhead found.
func (p *parser) key() *Node {
	if p.peek(0) == '*' {
		return p.alias(0)
	}
	return p.scalar(neverContinued, false)
}

// endOfValue fails unless the line ends behind a value in block style.
func (p *parser) endOfValue(n *Node) {
	p.skipBlanks()
	if p.at == len(p.text) || isBreak(p.text[p.at]) || p.text[p.at] == '#' && p.startsComment(p.at) {
		return
	}
	end := p.lineEnd(p.at)
	switch {
	case p.text[p.at] == ':' && n.style == plain:
		p.fail(fault{start: p.at, end: p.at + 1,
			message: fmt.Sprintf(`": " on a line that continues the value from %s`, p.where(n.start)),
			hint:    "indent the line like the keys that it belongs to, or put the whole value in quotes"})
	case p.text[p.at] == ':' && (n.style == flow || n.kind == Null):
		p.fail(fault{start: p.at, end: p.at + 1, message: fmt.Sprintf("the key before this colon is %s; keys are text", n.kind)})
	case n.style == flow && p.text[p.at] == ',':
		p.fail(fault{start: p.at, end: p.at + 1, message: fmt.Sprintf("a comma behind the closing bracket of %s", n.kind),
			hint: "a list on one line stands in brackets: [ …, … ]; else each item has a line and a dash of its own"})
	case n.style == flow:
		p.fail(fault{start: p.at, end: end, message: fmt.Sprintf("text behind the closing bracket of %s", n.kind),
			hint: "text that starts with { or [ must be in quotes: " + quoted(p.text[n.start:end])})
	default:
		p.fail(fault{start: p.at, end: end, message: "text behind the closing quote of a value",
			hint: "text that starts with a quote must be in other quotes as a whole: " + quoted(p.text[n.start:end])})
	}
}
