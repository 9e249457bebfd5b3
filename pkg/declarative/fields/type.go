package fields

import (
	"slices"
	"strings"
)

// Kind is what sort of value a field holds.
type Kind int

// The kinds of values.
const (
	Text     Kind = iota // a string, which may be empty
	Filled               // a string that isn't empty
	Name                 // a string that matches Type.Pattern
	Word                 // one of Type.Words
	Bool                 // true or false; true alone when Type.Words says so
	Int                  // a number without a fraction, of at least Type.Least
	Number               // a number between Type.Least and Type.Most
	Duration             // a positive span of time as Go writes it: 1h30m
	CEL                  // an expression; true, 5 and null are expressions, too
	Route                // a string, an integer or a boolean, of which the text counts
	JSON                 // any value
	Schema               // a JSON Schema 2020-12
	Map                  // keys of the author's, with values of Type.Elem
	List                 // values of Type.Elem
	Object               // one of the shapes of Type.Family
)

// Type is what a field holds: a kind with its bounds, or one of several kinds.
type Type struct {
	Kind Kind
	// Words are the values of a [Word] or, if it isn't any, of a [Bool].
	Words []string
	// Pattern is what a [Name] matches from start to end.
	Pattern string
	// Least and Most bound an [Int] or a [Number]; Most is nil when there is no bound.
	Least, Most *float64
	// Elem is what a [List] or a [Map] holds.
	Elem *Type
	// Fewest and Longest bound the length of a [List]; 0: no bound.
	Fewest, Longest int
	// Unique says that a [List] can't hold the same value twice.
	Unique bool
	// Family names the shapes of an [Object].
	Family Family
	// Or are the other types that the value may have.
	Or []Type
}

// Alternatives are the types that a value may have, one after the other and without their own alternatives.
func (t Type) Alternatives() []Type {
	all := []Type{t}
	all[0].Or = nil
	for _, other := range t.Or {
		all = append(all, other.Alternatives()...)
	}
	return all
}

// Families are the shapes that a value is made of: its own, or those of its items.
func (t Type) Families() []Family {
	var all []Family
	for _, alternative := range t.Alternatives() {
		switch {
		case alternative.Kind == Object:
			all = append(all, alternative.Family)
		case alternative.Elem != nil:
			all = append(all, alternative.Elem.Families()...)
		}
	}
	return all
}

// String is how people call the type: list of strings or always.
func (t Type) String() string { return t.describe(false) }

func (t Type) describe(many bool) string {
	var names []string
	for _, alternative := range t.Alternatives() {
		if name := alternative.name(many); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

func (t Type) name(many bool) string {
	switch t.Kind {
	case Word:
		return strings.Join(t.Words, " | ")
	case Map:
		return plural("map", "maps", many) + " of " + t.Elem.describe(true)
	case List:
		return plural("list", "lists", many) + " of " + t.Elem.describe(true)
	case Object:
		return t.Family.title(many)
	case CEL:
		return plural("CEL expression", "CEL expressions", many)
	case Schema:
		return "JSON Schema"
	case JSON:
		return "any value"
	case Bool:
		if t.Words == nil {
			return "true | false"
		}
		return strings.Join(t.Words, " | ")
	case Int:
		return plural("integer", "integers", many)
	case Number:
		return plural("number", "numbers", many)
	case Duration:
		return plural("duration", "durations", many)
	case Route:
		return plural("route", "routes", many)
	case Text, Filled, Name:
	}
	return plural("string", "strings", many)
}

func plural(one, several string, many bool) string {
	if many {
		return several
	}
	return one
}

func of(kind Kind) Type { return Type{Kind: kind} }

func object(f Family) Type { return Type{Kind: Object, Family: f} }

func listOf(elem Type) Type { return Type{Kind: List, Elem: &elem} }

func mapOf(elem Type) Type { return Type{Kind: Map, Elem: &elem} }

func words(w ...string) Type { return Type{Kind: Word, Words: w} }

func pattern(p string) Type { return Type{Kind: Name, Pattern: p} }

func positive() Type { return Type{Kind: Int, Least: new(1.0)} }

func between(least, most float64) Type { return Type{Kind: Number, Least: &least, Most: &most} }

func (t Type) or(others ...Type) Type {
	t.Or = append(t.Or, others...)
	return t
}

func (t Type) notEmpty() Type {
	t.Fewest = 1
	return t
}

func (t Type) longest(n int) Type {
	t.Longest = n
	return t
}

func (t Type) unique() Type {
	t.Unique = true
	return t
}
