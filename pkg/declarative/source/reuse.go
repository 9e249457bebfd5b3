package source

import (
	"fmt"
	"regexp"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// mergeKey adds the entries of other maps to the one that it stands in.
const mergeKey = "<<"

// anchorName is what anchors may be called. The expression is never written to.
var anchorName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// properties are what may stand before a value.
type properties struct {
	anchor, tag string
	anchorAt    int
	tagAt       int
}

func (x properties) any() bool { return x.anchor != "" || x.tag != "" }

// properties reads an anchor and a tag, in either order, if they stand here.
func (p *parser) properties() (x properties) {
	for p.peek(0) == '&' || p.peek(0) == '!' {
		start := p.at
		word := p.word()
		switch {
		case word[0] == '&' && anchorName.MatchString(word[1:]) && x.anchor == "":
			x.anchor, x.anchorAt = word[1:], start
		case word[0] == '!' && x.tag == "":
			x.tag, x.tagAt = word, start
		default:
			p.fail(fault{start: start, end: start + len(word), message: fmt.Sprintf("%q can't stand here", word),
				hint: "anchors are made of letters, digits, _ and -; put the value in quotes if it is text that starts with & or !"})
			return properties{}
		}
		p.skipBlanks()
	}
	if x.anchor != "" {
		p.anchors[x.anchor] = nil
	}
	return x
}

// word reads up to the next white space; within brackets, up to what ends a plain scalar.
func (p *parser) word() string {
	start := p.at
	p.at = p.pastWord(p.at)
	return string(p.text[start:p.at])
}

func (p *parser) pastWord(at int) int {
	for at++; !p.spaceAt(at); at++ {
		if c := p.text[at]; c == ',' || c == '[' || c == ']' || c == '{' || c == '}' {
			break
		}
	}
	return at
}

// pastProperties is the offset behind anchors and tags that stand on this line.
func (p *parser) pastProperties(at int) int {
	for at < len(p.text) && (p.text[at] == '&' || p.text[at] == '!') {
		at = p.pastWord(at)
		for at < len(p.text) && isBlank(p.text[at]) {
			at++
		}
	}
	return at
}

// apply gives a value the tag and the anchor that stood before it.
func (p *parser) apply(x properties, n *Node) *Node {
	if x.tag != "" && x.tag != "!" {
		p.applyTag(x, n)
	}
	if x.tag == "!" && n.style == plain {
		n.kind, n.implicit = String, false
	}
	if x.anchor != "" {
		p.anchors[x.anchor] = n
	}
	return n
}

func (p *parser) applyTag(x properties, n *Node) {
	var ok bool
	switch n.kind {
	case Map:
		ok = x.tag == "!!map"
	case List:
		ok = x.tag == "!!seq"
	default:
		var kind Kind
		if kind, ok = taggedKind(x.tag, n.text); ok {
			n.kind, n.implicit = kind, false
		}
	}
	if !ok {
		p.report(fault{code: diag.BadValue, owner: n, start: x.tagAt, end: x.tagAt + len(x.tag),
			message: fmt.Sprintf("the tag %q doesn't fit %s; there are !!str, !!int, !!float, !!bool, !!null, !!map and !!seq", x.tag, n.kind),
			hint:    "remove the tag"})
	}
}

// alias resolves *name to the node that its anchor names, which it shares.
func (p *parser) alias(depth int) *Node {
	start := p.at
	word := p.word()
	target, known := p.anchors[word[1:]]
	x := fault{code: diag.Alias, start: start, end: start + len(word)}
	switch {
	case !anchorName.MatchString(word[1:]):
		x.message = fmt.Sprintf("%q is no alias; anchors are made of letters, digits, _ and -", word)
		x.hint = "put the value in quotes if it is text that starts with *, and a space before the colon if it is a key"
	case !known:
		x.message = fmt.Sprintf("%q stands for the anchor %q, which nothing before it has", word, "&"+word[1:])
		x.hint = diag.DidYouMean(word[1:], p.anchorNames())
		if x.hint == "" {
			x.hint = "put the value in quotes if it is text that starts with *"
		}
	case target == nil:
		x.message = fmt.Sprintf("%q stands for a value that it is part of", word)
	case depth+target.height > MaxDepth:
		x.code, x.message = diag.TooDeep, fmt.Sprintf("with what %q stands for, more than %d maps and lists are nested here", word, MaxDepth)
	default:
		p.spend(target, start, start+len(word))
		return target
	}
	p.fail(x)
	return p.newNode(Null)
}

func (p *parser) anchorNames() []string {
	var names []string
	for name := range p.anchors {
		names = append(names, name)
	}
	return names
}

// spend counts what an alias or a merge key adds to the document.
func (p *parser) spend(n *Node, start, end int) {
	if p.aliased += n.size; p.aliased > MaxAliased {
		p.fail(fault{code: diag.Alias, start: start, end: end,
			message: fmt.Sprintf("aliases and merge keys repeat more than %d values", MaxAliased)})
	}
}

// merge adds the entries of a merge key's value, a map or a list of maps, that the map doesn't have itself.
func (m *mapBuilder) merge(from *Node) {
	sources := []*Node{from}
	if from.kind == List {
		sources = from.items
	}
	for _, s := range sources {
		start, end := m.file.extent(s)
		if s.kind != Map {
			m.report(fault{code: diag.Alias, owner: m.node, start: start, end: end,
				message: fmt.Sprintf("a merge key takes a map or a list of maps, and this is %s", s.kind)})
			continue
		}
		m.spend(s, start, end)
		for _, e := range s.entries {
			if _, has := m.seen[e.key.text]; !has {
				m.seen[e.key.text] = e.key.start
				m.node.entries = append(m.node.entries, e)
				m.node.grow(e.value)
			}
		}
	}
}
