package source

import (
	"math"
	"strconv"
	"strings"
)

// Kind is the type of a value.
type Kind int

// The kinds of values, as the core schema tells them apart.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
)

// String describes a kind as messages do: "a string", "null".
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "an integer", "a number", "a string", "a list", "a map"}[k]
}

// style is how a value is written.
type style int

const (
	plain style = iota
	single
	double
	literal
	folded
	block // a map or list by indentation
	flow  // a map or list in brackets
)

// Node is one value of a document. Aliases are resolved: a node that an anchor names is shared by all its uses.
type Node struct {
	kind    Kind
	text    string
	entries []entry
	items   []*Node

	style    style
	start    int  // offset of the first character, after anchor and tag
	indent   int  // the indentation of what a scalar belongs to, as its continuation depends on it
	inFlow   bool // a scalar within brackets
	implicit bool // a null that isn't written at all
	broken   bool // a finding says already what is wrong with it

	size   int // values in this tree, shared ones counted each time
	height int // of the maps and lists in this tree
}

// entry is one key of a map with its value.
type entry struct {
	key   *Node
	value *Node
}

// Kind returns the type of the value; a nil node is [Null].
func (n *Node) Kind() Kind {
	if n == nil {
		return Null
	}
	return n.kind
}

// Text returns a scalar as it was decoded; for a number its spelling in the file.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// get returns the entry of a key, or nil.
func (n *Node) get(key string) *entry {
	if n == nil {
		return nil
	}
	for i := range n.entries {
		if n.entries[i].key.text == key {
			return &n.entries[i]
		}
	}
	return nil
}

// maxSafe is the largest integer up to which every integer has a double of its own.
const maxSafe = 1 << 53

// number is the value of a number. ok is false when it isn't finite or lies outside of ±2^53.
func (n *Node) number() (value float64, ok bool) {
	text := strings.TrimPrefix(n.text, "+")
	if n.kind == Int {
		// Base 0 would read 017 as octal; the core schema has 0o17 for that.
		base := 10
		if len(text) > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'o') {
			base = map[byte]int{'x': 16, 'o': 8}[text[1]]
			text = text[2:]
		}
		i, err := strconv.ParseInt(text, base, 64)
		return float64(i), err == nil && i >= -maxSafe && i <= maxSafe
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) || math.Abs(value) > maxSafe {
		return 0, false
	}
	return value + 0, true // -0 is 0
}

// integer is the value of a number without a fraction, however it is spelled.
func (n *Node) integer() (value int64, ok bool) {
	f, ok := n.number()
	if !ok || f != math.Trunc(f) {
		return 0, false
	}
	return int64(f), true
}

// Decimal is an integer as JSON would write it. One that is out of range is returned as it is.
func (n *Node) Decimal() string {
	i, ok := n.integer()
	if !ok {
		return n.text
	}
	return strconv.FormatInt(i, 10)
}
