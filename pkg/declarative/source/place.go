package source

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Place is a spot in a document: the value there, if there is one, and the way to it from the root. The zero Place is
// the root of a document without text.
type Place struct {
	file   *File
	node   *Node
	key    *Node // the key that the value stands behind
	parent *Place
	step   step
}

// step leads from one place to the next: a field of the format, a key that an author chose, or an item.
type step struct {
	kind  stepKind
	name  string // of a field or key; of an item its identity, if it has one
	index int
}

type stepKind int

const (
	noStep stepKind = iota
	fieldStep
	keyStep
	itemStep
)

// Exists reports whether there is a value at the place, be it null.
func (p Place) Exists() bool { return p.node != nil }

// Node returns the value at the place, or nil.
func (p Place) Node() *Node { return p.node }

// File is the name of the file that the place is in, or "".
func (p Place) File() string {
	if p.file == nil {
		return ""
	}
	return p.file.name
}

// Field returns the place of a field of a map, which may not exist.
func (p Place) Field(name string) Place {
	to := Place{file: p.file, parent: &p, step: step{kind: fieldStep, name: name}}
	if e := p.node.get(name); e != nil {
		to.key, to.node = e.key, e.value
	}
	return to
}

// Item returns the place of an item of a list. In paths it is called by its name or id, if it is a map that has one,
// else by its index.
func (p Place) Item(i int) Place {
	to := Place{file: p.file, parent: &p, step: step{kind: itemStep, index: i}}
	if p.node != nil && i < len(p.node.items) {
		to.node = p.node.items[i]
		to.step.name = identity(to.node)
	}
	return to
}

// identity is what an item of a list is called by.
func identity(n *Node) string {
	for _, field := range [...]string{"id", "name"} {
		if e := n.get(field); e != nil && e.value.kind == String && identifying.MatchString(e.value.text) {
			return e.value.text
		}
	}
	return ""
}

// Names that can stand in a path as they are. The expressions are never written to.
var (
	identifying = regexp.MustCompile(`^[\pL\pN_][\pL\pN_ -]{0,63}$`)
	fieldName   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
)

// Items returns the places of all items of a list.
func (p Place) Items() []Place {
	if p.node.Kind() != List {
		return nil
	}
	items := make([]Place, len(p.node.items))
	for i := range items {
		items[i] = p.Item(i)
	}
	return items
}

// Entries returns the places of all values of a map whose keys an author chose, in the order of the file.
func (p Place) Entries() []Place {
	if p.node.Kind() != Map {
		return nil
	}
	all := make([]Place, len(p.node.entries))
	for i, e := range p.node.entries {
		all[i] = Place{file: p.file, node: e.value, key: e.key, parent: &p, step: step{kind: keyStep, name: e.key.text}}
	}
	return all
}

// Entry returns the place of the value of a key that an author chose.
func (p Place) Entry(key string) Place {
	to := p.Field(key)
	to.step.kind = keyStep
	return to
}

// Key is the name of the field or key that leads here, or "".
func (p Place) Key() string {
	if p.step.kind == itemStep {
		return ""
	}
	return p.step.name
}

// Path names the place as people do: agents[triage].nodes[classify].routes[0].when.
func (p Place) Path() string {
	if p.parent == nil {
		return ""
	}
	path := p.parent.Path()
	switch {
	case p.step.kind == itemStep && p.step.name != "":
		return path + "[" + p.step.name + "]"
	case p.step.kind == itemStep:
		return path + "[" + strconv.Itoa(p.step.index) + "]"
	case !fieldName.MatchString(p.step.name):
		return path + "[" + strconv.Quote(p.step.name) + "]"
	case path == "":
		return p.step.name
	}
	return path + "." + p.step.name
}

// Pointer is the JSON Pointer (RFC 6901) of the place.
func (p Place) Pointer() string {
	if p.parent == nil {
		return ""
	}
	token := strconv.Itoa(p.step.index)
	if p.step.kind != itemStep {
		token = strings.NewReplacer("~", "~0", "/", "~1").Replace(p.step.name)
	}
	return p.parent.Pointer() + "/" + token
}

// Pos is where the value stands in the file. A value that doesn't exist, or is a null that isn't written, is looked for
// at its key and then further out.
func (p Place) Pos() diag.Pos {
	switch {
	case p.file == nil:
		return diag.Pos{}
	case p.node != nil && !p.node.implicit:
		return p.file.position(p.file.extent(p.node))
	case p.key != nil:
		return p.file.position(p.file.extent(p.key))
	case p.parent != nil:
		return p.parent.Pos()
	}
	return p.file.position(0, 1)
}

// KeyPos is where the key of the value stands in the file.
func (p Place) KeyPos() diag.Pos {
	if p.file == nil || p.key == nil {
		return p.Pos()
	}
	return p.file.position(p.file.extent(p.key))
}

// Within is where part of a scalar stands in the file, as a half-open range of code points of its text. What goes on
// over several lines is cut at the end of the first.
func (p Place) Within(start, end int) diag.Pos {
	if p.file == nil || p.node == nil {
		return p.Pos()
	}
	spans := p.file.places(p.node)
	if len(spans) == 0 {
		return p.Pos()
	}
	return p.file.position(spread(spans, start, end))
}

// spread is the range of offsets that some code points of a scalar take, given the places of all.
func spread(spans []span, start, end int) (from, to int) {
	if start >= len(spans) { // behind the last character
		last := spans[len(spans)-1]
		return last.end, last.end + 1
	}
	return spans[start].start, spans[max(min(end, len(spans))-1, start)].end
}

// Diagnostic makes a finding about the value at the place.
func (p Place) Diagnostic(code diag.Code, message, hint string) diag.Diagnostic {
	return p.at(p.Pos(), code, message, hint)
}

// KeyDiagnostic makes a finding about the key at the place.
func (p Place) KeyDiagnostic(code diag.Code, message, hint string) diag.Diagnostic {
	return p.at(p.KeyPos(), code, message, hint)
}

// RangeDiagnostic makes a finding about part of a scalar; see [Place.Within].
func (p Place) RangeDiagnostic(start, end int, code diag.Code, message, hint string) diag.Diagnostic {
	return p.at(p.Within(start, end), code, message, hint)
}

func (p Place) at(pos diag.Pos, code diag.Code, message, hint string) diag.Diagnostic {
	d := diag.Diagnostic{Code: code, Severity: code.Severity(), Path: p.Path(), Pointer: p.Pointer(), Pos: pos, Message: message, Hint: hint}
	if p.file != nil {
		d.File = p.file.name
	}
	return d
}

// Where is how messages refer to the place: its line and column, "12:5", or its path when there is no position.
func (p Place) Where() string {
	if pos := p.Pos(); !pos.IsZero() {
		return fmt.Sprintf("%d:%d", pos.Line, pos.Column)
	}
	return p.Path()
}
