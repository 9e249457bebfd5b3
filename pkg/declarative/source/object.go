package source

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Object reads the fields of one map. Each method returns the zero value for a field that is absent, and for one that is
// wrong, which it reports.
type Object struct {
	Place
	report *Report
	fields []string
}

// Object starts to read the map at a place and reports what isn't one of its fields. The noun says what the map is, with
// its article: "an edge". For a field that the map doesn't have, elsewhere (which may be nil) may return a sentence that
// says where the field belongs. ok is false when there is no map; the object then has no field.
func (r *Report) Object(p Place, noun string, fields []string, elsewhere func(field string) string) (o Object, ok bool) {
	o = Object{Place: p, report: r, fields: fields}
	if !r.Want(p, Map, noun+" (a map)") {
		return o, false
	}
	for _, name := range o.Unknown() {
		if r.Full() {
			break
		}
		hint := ""
		if elsewhere != nil {
			hint = elsewhere(name)
		}
		if hint == "" {
			hint = fieldHint(name, fields)
		}
		r.Key(p.Field(name), diag.UnknownField, fmt.Sprintf("%q is no field of %s", name, noun), hint)
	}
	return o, true
}

// fieldHint names the field that was probably meant, or all when they are few.
func fieldHint(name string, fields []string) string {
	if hint := diag.DidYouMean(name, fields); hint != "" {
		return hint
	}
	const few = 8
	if len(fields) <= few {
		return "its fields are " + strings.Join(fields, ", ")
	}
	return ""
}

// Want reports a value at p that isn't of the kind; expected says what was, with its article.
func (r *Report) Want(p Place, kind Kind, expected string) bool {
	switch got := p.node.Kind(); {
	case r.Broken(p):
		return false
	case got == kind:
		return true
	case got == Null:
		r.Value(p, diag.WrongType, fmt.Sprintf("%s has no value; expected %s", p.noun(), expected), "give it a value, or remove it")
	case kind == String && got != List && got != Map:
		r.Value(p, diag.WrongType, fmt.Sprintf("%s is %s; expected %s", p.noun(), got, expected),
			fmt.Sprintf("put it in quotes: %q", p.node.text))
	default:
		r.Value(p, diag.WrongType, fmt.Sprintf("%s is %s; expected %s", p.noun(), got, expected), listHint(kind, p.node))
	}
	return false
}

// listHint says how to write a list in the place of its only item, or of a map.
func listHint(wanted Kind, n *Node) string {
	switch {
	case wanted != List || n.kind == Null:
		return ""
	case n.kind == Map:
		return "each item of a list starts with a dash: - …"
	case identifying.MatchString(n.text):
		return fmt.Sprintf("a list of one is [%s]", n.text)
	}
	return "a list of one is [ … ]"
}

// noun is how messages call the value at a place.
func (p Place) noun() string {
	switch {
	case p.parent == nil:
		return "the document"
	case p.step.kind != itemStep:
		return fmt.Sprintf("%q", p.step.name)
	case p.parent.Key() != "":
		return fmt.Sprintf("an item of %q", p.parent.Key())
	}
	return "an item"
}

// Has reports whether the map has the field, be it null.
func (o Object) Has(name string) bool { return o.Field(name).Exists() }

// Require reports the first of the fields that is absent, which breaks the map. A field that is misspelt is absent, but
// that has been reported.
func (o Object) Require(noun string, names ...string) bool {
	for _, name := range names {
		if o.report.Broken(o.Place) {
			return false
		}
		if o.Has(name) {
			continue
		}
		if !slices.ContainsFunc(o.Unknown(), func(key string) bool { return diag.Nearest(key, o.fields) == name }) {
			o.report.Add(o.Diagnostic(diag.MissingField, fmt.Sprintf("%s needs the field %q", noun, name), ""))
		}
		o.report.Break(o.Place)
		return false
	}
	return true
}

// Unknown lists the keys that are no fields of the map, which have been reported.
func (o Object) Unknown() []string {
	var unknown []string
	for _, e := range o.Entries() {
		if !slices.Contains(o.fields, e.Key()) {
			unknown = append(unknown, e.Key())
		}
	}
	return unknown
}

// String reads a text.
func (o Object) String(name string) string { return o.report.Text(o.Field(name), "a string") }

// Text reads the string at a place, which may not exist; expected says what it is, with its article.
func (r *Report) Text(p Place, expected string) string {
	if !p.Exists() || !r.Want(p, String, expected) {
		return ""
	}
	return p.node.text
}

// NonEmpty reads a text that may not be empty.
func (o Object) NonEmpty(name string) string {
	p := o.Field(name)
	text := o.String(name)
	if p.Exists() && text == "" {
		o.report.Value(p, diag.MissingField, fmt.Sprintf("%q is empty", name), "")
	}
	return text
}

// Bool reads true or false; nil when absent.
func (o Object) Bool(name string) *bool {
	p := o.Field(name)
	if !p.Exists() || !o.report.Want(p, Bool, "true or false") {
		return nil
	}
	value := strings.EqualFold(p.node.text, "true")
	return &value
}

// Int reads an integer of at least least.
func (o Object) Int(name string, least int64) int64 {
	p := o.Field(name)
	if !p.Exists() || !o.number(p, "an integer") {
		return 0
	}
	value, ok := p.node.integer()
	switch {
	case !ok && p.node.kind == Float:
		o.report.Value(p, diag.WrongType, fmt.Sprintf("%q is %s; expected an integer", name, p.node.text), "")
	case !ok:
		o.report.outOfRange(p)
	case value < least:
		o.report.Value(p, diag.BadValue, fmt.Sprintf("%q is %s; it must be at least %d", name, p.node.text, least), "")
	default:
		return value
	}
	return 0
}

// Float reads a number between least and most, which may be infinite; nil when absent.
func (o Object) Float(name string, least, most float64) *float64 {
	p := o.Field(name)
	if !p.Exists() || !o.number(p, "a number") {
		return nil
	}
	value, ok := p.node.number()
	switch {
	case !ok:
		o.report.outOfRange(p)
	case value < least || value > most:
		bounds := fmt.Sprintf("at least %v", least)
		if !math.IsInf(most, 1) {
			bounds = fmt.Sprintf("between %v and %v", least, most)
		}
		o.report.Value(p, diag.BadValue, fmt.Sprintf("%q is %s; it must be %s", name, p.node.text, bounds), "")
	default:
		return &value
	}
	return nil
}

func (o Object) number(p Place, expected string) bool {
	return p.node.Kind() == Float && !o.report.Broken(p) || o.report.Want(p, Int, expected)
}

func (r *Report) outOfRange(p Place) {
	r.Value(p, diag.BadValue, fmt.Sprintf("%s is %s; numbers are finite and between -2^53 and 2^53", p.noun(), p.node.text), "")
}

// Duration reads a positive span of time in Go's spelling.
func (o Object) Duration(name string) time.Duration {
	const expected = `a duration such as "30s" or "1h30m"`
	p := o.Field(name)
	if kind := p.node.Kind(); (kind == Int || kind == Float) && !o.report.Broken(p) {
		o.report.Value(p, diag.WrongType, fmt.Sprintf("%q is %s; expected %s", name, kind, expected),
			fmt.Sprintf("write the unit: %q", p.node.text+"s"))
		return 0
	}
	text := o.report.Text(p, expected)
	if text == "" && !p.Exists() || o.report.Broken(p) {
		return 0
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		o.report.Value(p, diag.BadValue, fmt.Sprintf("%q is no duration; expected %s", text, expected), "the units are ms, s, m and h")
	case d <= 0:
		o.report.Value(p, diag.BadValue, fmt.Sprintf("%q isn't positive; expected %s", text, expected), "")
	default:
		return d
	}
	return 0
}

// Enum reads one of a few words.
func (o Object) Enum(name string, words ...string) string {
	p := o.Field(name)
	expected := alternatives(words)
	if kind := p.node.Kind(); kind != String && kind != Null && !o.report.Broken(p) {
		o.report.Value(p, diag.WrongType, fmt.Sprintf("%q is %s; expected %s", name, kind, expected), "")
	}
	text := o.report.Text(p, expected)
	if !p.Exists() || o.report.Broken(p) || slices.Contains(words, text) {
		return text
	}
	o.report.Value(p, diag.BadValue, fmt.Sprintf("%q is %q; expected %s", name, text, expected), diag.DidYouMean(text, words))
	return ""
}

// alternatives joins words as a sentence does: a, b or c.
func alternatives(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// Strings reads a list of texts, none of them empty.
func (o Object) Strings(name string) []string {
	var all []string
	for _, p := range o.List(name, "a list of strings") {
		text := o.report.Text(p, "a string")
		if text == "" {
			o.report.Value(p, diag.MissingField, p.noun()+" is empty", "")
			continue
		}
		all = append(all, text)
	}
	return all
}

// List returns the places of the items of a list.
func (o Object) List(name, expected string) []Place {
	p := o.Field(name)
	if !p.Exists() || !o.report.Want(p, List, expected) {
		return nil
	}
	return p.Items()
}

// Map returns the places of the values of a map with keys of the author's.
func (o Object) Map(name, expected string) []Place {
	p := o.Field(name)
	if !p.Exists() || !o.report.Want(p, Map, expected) {
		return nil
	}
	return p.Entries()
}

// JSON reads any value as encoding/json would: numbers as float64. It is nil when absent, and when something in it is
// wrong.
func (o Object) JSON(name string) any { return o.report.JSON(o.Field(name)) }

// JSON is [Object.JSON] of the value at a place.
func (r *Report) JSON(p Place) any {
	if !p.Exists() {
		return nil
	}
	value, ok := r.json(p)
	if !ok {
		return nil
	}
	return value
}

func (r *Report) json(p Place) (value any, ok bool) {
	ok = !r.Broken(p)
	switch n := p.node; n.kind {
	case Null:
		return nil, ok
	case Bool:
		return strings.EqualFold(n.text, "true"), ok
	case Int, Float:
		number, inRange := n.number()
		if !inRange {
			r.outOfRange(p)
		}
		return number, ok && inRange
	case String:
		return n.text, ok
	case List:
		list := []any{}
		for _, item := range p.Items() {
			v, fine := r.json(item)
			list, ok = append(list, v), ok && fine
		}
		return list, ok
	default:
		m := map[string]any{}
		for _, e := range p.Entries() {
			v, fine := r.json(e)
			m[e.Key()], ok = v, ok && fine
		}
		return m, ok
	}
}
