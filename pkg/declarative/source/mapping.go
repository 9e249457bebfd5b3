package source

import (
	"fmt"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// addItem appends to a list.
func (n *Node) addItem(item *Node) {
	n.items = append(n.items, item)
	n.grow(item)
}

func (n *Node) grow(child *Node) {
	n.size += child.size
	n.height = max(n.height, child.height+1)
}

// mapBuilder fills one map: keys are text and unique, merge keys come after what the map has itself.
type mapBuilder struct {
	*parser
	node   *Node
	seen   map[string]int // offsets of keys
	merges []*Node
}

func newMapBuilder(p *parser, n *Node) *mapBuilder {
	return &mapBuilder{parser: p, node: n, seen: map[string]int{}}
}

func (m *mapBuilder) add(key, value *Node) {
	if m.failed || !m.fits(key) {
		return
	}
	if key.text == mergeKey && key.style == plain {
		m.merges = append(m.merges, value)
		return
	}
	m.node.entries = append(m.node.entries, entry{key, value})
	m.node.grow(value)
}

// fits reports a key that is no text, or that the map has already.
func (m *mapBuilder) fits(key *Node) bool {
	if key.kind != String {
		start, end := m.file.extent(key)
		m.report(fault{code: diag.WrongType, owner: m.node, start: start, end: end, message: fmt.Sprintf("a key is %s; keys are text", key.kind),
			hint: "put it in quotes"})
		return false
	}
	first, twice := m.seen[key.text]
	if !twice {
		m.seen[key.text] = key.start
		return true
	}
	start, end := m.file.extent(key)
	m.report(fault{code: diag.DuplicateKey, owner: m.node, start: start, end: end,
		message: fmt.Sprintf("%q stands twice in this map; the first is at %s", key.text, m.where(first)), hint: "remove one of them"})
	return false
}

func (m *mapBuilder) finish() {
	for _, from := range m.merges {
		m.merge(from)
	}
}
