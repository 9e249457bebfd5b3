package source

import (
	"fmt"
	"strings"
)

// flowState is what faults within brackets are explained with.
type flowState struct {
	depth  int
	open   int // offset of the outermost bracket
	indent int // of what the outermost bracket belongs to
}

// flowNode reads a value that isn't in block style and starts here.
func (p *parser) flowNode(indent, depth int) *Node {
	props := p.properties()
	if props.any() && p.flow.depth > 0 {
		hole := p.at
		p.skip()
		if c := p.peek(0); c == ',' || c == ']' || c == '}' {
			return p.apply(props, p.missing(hole))
		}
	}
	var n *Node
	switch p.peek(0) {
	case '[':
		n = p.flowSequence(indent, depth+1)
	case '{':
		n = p.flowMapping(indent, depth+1)
	case '*':
		n = p.alias(depth)
	default:
		n = p.scalar(indent, p.flow.depth > 0)
	}
	return p.apply(props, n)
}

// enter and leave bracket the reading of a flow collection.
func (p *parser) enter(indent int) {
	if p.flow.depth == 0 {
		p.flow.open, p.flow.indent = p.at, indent
	}
	p.flow.depth++
	p.at++
}

func (p *parser) leave() {
	p.flow.depth--
	p.at = min(p.at+1, len(p.text))
}

func (p *parser) flowSequence(indent, depth int) *Node {
	n := p.newNode(List)
	n.style = flow
	if p.tooDeep(depth) {
		return n
	}
	p.enter(indent)
	var items []*Node
	for p.skip(); p.peek(0) != ']' && !p.failed; p.skip() {
		if !p.startsItem(n) {
			break
		}
		item := p.flowNode(indent, depth)
		if p.skip(); p.flowColon(item) {
			item = p.pair(item, indent, depth)
		}
		items = append(items, item)
		p.separator(n, ']')
	}
	p.leave()
	for _, item := range p.cutInList(items) {
		n.addItem(item)
	}
	return n
}

// pair reads the rest of an item like [key: value], which is a map of its own.
func (p *parser) pair(key *Node, indent, depth int) *Node {
	n := &Node{kind: Map, style: flow, start: key.start, size: 1}
	if p.tooDeep(depth + 1) {
		return n
	}
	m := newMapBuilder(p, n)
	m.add(key, p.flowValue(indent, depth+1))
	m.finish()
	return n
}

func (p *parser) flowMapping(indent, depth int) *Node {
	n := p.newNode(Map)
	n.style = flow
	if p.tooDeep(depth) {
		return n
	}
	p.enter(indent)
	var pairs []entry
	for p.skip(); p.peek(0) != '}' && !p.failed; p.skip() {
		if !p.startsItem(n) {
			break
		}
		key := p.flowNode(indent, depth)
		p.skip()
		if p.flowColon(key) {
			pairs = append(pairs, entry{key, p.flowValue(indent, depth)})
		} else {
			pairs = append(pairs, entry{key, p.missing(key.start)})
		}
		p.separator(n, '}')
	}
	p.leave()
	m := newMapBuilder(p, n)
	for _, e := range p.cutInMap(pairs) {
		m.add(e.key, e.value)
	}
	m.finish()
	return n
}

// startsItem fails where neither an item nor the end of a collection stands.
func (p *parser) startsItem(n *Node) bool {
	switch {
	case p.at == len(p.text):
		p.unclosed(n)
	case p.peek(0) == ',':
		p.fail(fault{start: p.at, end: p.at + 1, message: "a comma with nothing before it"})
	default:
		return true
	}
	return false
}

// flowColon reports whether the value of a key follows: behind a quoted key the colon needs no space.
func (p *parser) flowColon(key *Node) bool {
	if p.peek(0) != ':' {
		return false
	}
	return key.style == single || key.style == double || p.spaceAt(p.at+1) || strings.IndexByte(",[]{}", p.peek(1)) >= 0
}

func (p *parser) flowValue(indent, depth int) *Node {
	p.at++ // the colon
	hole := p.at
	p.skip()
	if c := p.peek(0); c == ',' || c == ']' || c == '}' {
		return p.missing(hole)
	}
	return p.flowNode(indent, depth)
}

// separator passes over the comma behind an item; the closing bracket may stand in its stead.
func (p *parser) separator(n *Node, closing byte) {
	p.skip()
	switch c := p.peek(0); {
	case p.failed || c == closing:
	case c == ',':
		p.at++
	case p.at == len(p.text) || p.dedented():
		p.unclosed(n)
	default:
		p.fail(fault{start: p.at, end: p.at + 1,
			message: fmt.Sprintf(`expected "," or "%c" here, to go on with %s or to end it`, closing, n.kind),
			hint:    fmt.Sprintf("put a comma between items; text with any of , [ ] { } or \": \" in it must be in quotes within %c %c", p.text[n.start], closing)})
	}
}

// dedented reports whether a line since the outermost bracket starts so far to the left that it can't belong to what
// the bracket belongs to: then it is the bracket that was forgotten.
func (p *parser) dedented() bool {
	for at := p.lineEnd(p.flow.open); at < p.at; at = p.lineEnd(at) {
		at += breakSize(p.text[at:])
		lead := at
		for at < len(p.text) && p.text[at] == ' ' {
			at++
		}
		if at-lead <= p.flow.indent && at < p.at && !isBreak(p.text[at]) && strings.IndexByte("]}#", p.text[at]) < 0 {
			return true
		}
	}
	return false
}

func (p *parser) unclosed(n *Node) {
	p.fail(fault{start: n.start, end: n.start + 1, message: fmt.Sprintf(`"%c" is never closed`, p.text[n.start])})
}
