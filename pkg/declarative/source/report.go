package source

import (
	"maps"
	"slices"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// maxFindings bounds what one report collects, so that a hostile file can't make it larger than the file.
const maxFindings = 1000

// Report collects findings about one document. What an alias repeats is reported once, and one value gets one error: the
// rest would follow from the first. A Report is for one goroutine.
type Report struct {
	list   diag.List
	seen   map[finding]bool
	broken map[*Node]bool
}

// finding is what makes two findings the same.
type finding struct {
	code    diag.Code
	pos     diag.Pos
	pointer string // only without a position
	message string
}

// NewReport starts a report with what was found so far.
func NewReport(found diag.List) *Report {
	r := &Report{seen: map[finding]bool{}, broken: map[*Node]bool{}}
	for _, d := range found {
		r.Add(d)
	}
	return r
}

// Next starts an empty report that knows which values are broken already. It leaves r as it is.
func (r *Report) Next() *Report {
	return &Report{seen: map[finding]bool{}, broken: maps.Clone(r.broken)}
}

// Add adds a finding, unless it is there already.
func (r *Report) Add(d diag.Diagnostic) {
	key := finding{d.Code, d.Pos, "", d.Message}
	if d.IsZero() {
		key.pointer = d.Pointer
	}
	if r.seen[key] || r.Full() {
		return
	}
	r.seen[key] = true
	r.list = append(r.list, d)
}

// Full reports whether the report takes no more findings, so that it isn't worth while to look for hints.
func (r *Report) Full() bool { return len(r.list) >= maxFindings }

// Value adds a finding about the value at a place. An error breaks the value.
func (r *Report) Value(p Place, code diag.Code, message, hint string) {
	if r.Broken(p) {
		return
	}
	if !r.Full() {
		r.Add(p.Diagnostic(code, message, hint))
	}
	if code.Severity() == diag.Error {
		r.Break(p)
	}
}

// Key adds a finding about the key at a place, for instance one that the format doesn't have.
func (r *Report) Key(p Place, code diag.Code, message, hint string) {
	if !r.Full() {
		r.Add(p.KeyDiagnostic(code, message, hint))
	}
	if code.Severity() == diag.Error {
		r.Break(p)
	}
}

// Break notes that something is wrong with the value at a place.
func (r *Report) Break(p Place) {
	if p.node != nil {
		r.broken[p.node] = true
	}
}

// Broken reports whether an error says already what is wrong with the value at a place itself.
func (r *Report) Broken(p Place) bool {
	return p.node != nil && (p.node.broken || r.broken[p.node])
}

// BrokenBelow reports whether an error says what is wrong with the value at a place or with something in it.
func (r *Report) BrokenBelow(p Place) bool { return r.brokenBelow(p.node) }

func (r *Report) brokenBelow(n *Node) bool {
	if n == nil {
		return false
	}
	if n.broken || r.broken[n] {
		return true
	}
	return slices.ContainsFunc(n.items, r.brokenBelow) ||
		slices.ContainsFunc(n.entries, func(e entry) bool { return r.brokenBelow(e.value) })
}

// List returns the findings in source order.
func (r *Report) List() diag.List {
	r.list.Sort()
	return r.list
}
