package fields

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Match is what a path leads to: a field of a shape, or the shape itself when Field is nil.
type Match struct {
	Shape *Shape
	Field *Field
}

// brackets are what a path of a finding says of an item: [triage], [0].
var brackets = regexp.MustCompile(`\[[^\]]*\]`) // never written to

// Find follows a path of fields, such as nodes.llm.tools. A step may also be a word that tells the shapes of a family
// apart, here llm, and items of lists are passed over, so that the path of a finding is one, too. The first step may name
// any field or word of the format. What it finds is in the order of the reference; the empty path is the document. The
// error says what a step may be.
func (t *Table) Find(path string) ([]Match, error) {
	at := []Match{{Shape: t.Shape(Document, "")}}
	if path == "" {
		return at, nil
	}
	for i, step := range strings.Split(brackets.ReplaceAllString(path, ""), ".") {
		next := t.step(at, step)
		if len(next) == 0 && i == 0 {
			next = t.anywhere(step)
		}
		if len(next) == 0 {
			return nil, t.lost(at, step, i == 0)
		}
		at = next
	}
	return at, nil
}

// Below are the shapes that the values of a match have.
func (t *Table) Below(m Match) []*Shape {
	if m.Field == nil {
		return []*Shape{m.Shape}
	}
	var all []*Shape
	for _, f := range m.Field.Type.Families() {
		all = append(all, t.Family(f)...)
	}
	return all
}

func (t *Table) step(at []Match, step string) []Match {
	var words, named []Match
	seen := map[*Shape]bool{}
	for _, m := range at {
		for _, s := range t.Below(m) {
			if seen[s] {
				continue
			}
			seen[s] = true
			if s.Word == step && m.Field != nil && step != "" {
				words = append(words, Match{Shape: s})
			}
			if f := s.Field(step); f != nil {
				named = append(named, Match{s, f})
			}
		}
	}
	if words != nil {
		return words
	}
	return named
}

// anywhere finds a word, or else a field, wherever the format has it.
func (t *Table) anywhere(step string) []Match {
	var words, named []Match
	for _, s := range t.Shapes() {
		if step != "" && s.Word == step && s.Family != Worker {
			words = append(words, Match{Shape: s})
		}
		if f := s.Field(step); f != nil {
			named = append(named, Match{s, f})
		}
	}
	if words != nil {
		return words
	}
	return named
}

// lost says that a step leads nowhere, and what is near.
func (t *Table) lost(at []Match, step string, first bool) error {
	var names []string
	place := "the format"
	if first {
		for _, s := range t.Shapes() {
			names = append(append(names, s.Word), s.Names()...)
		}
	} else {
		place = at[0].title()
		for _, m := range at {
			for _, s := range t.Below(m) {
				names = append(append(names, s.Word), s.Names()...)
			}
		}
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(n string) bool { return n == "" })
	switch near := diag.DidYouMean(step, names); {
	case near != "":
		return fmt.Errorf("%s has no field %q; %s", place, step, near)
	case len(names) == 0:
		return fmt.Errorf("%s has no fields; its type is %s", place, at[0].Field.Type)
	case first:
		return fmt.Errorf("%s has no field %q; plait explain alone lists those of a document", place, step)
	}
	return fmt.Errorf("%s has no field %q; there are %s", place, step, strings.Join(names, ", "))
}

func (m Match) title() string {
	if m.Field == nil {
		return m.Shape.Noun
	}
	return fmt.Sprintf("%q", m.Field.Name)
}
