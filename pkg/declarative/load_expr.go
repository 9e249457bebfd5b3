package declarative

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// expression reads the CEL at a place, which may not exist. A boolean or a number is an expression, too, and so is null
// when it is written out. White space around an expression means nothing and is removed.
func (l *loader) expression(p source.Place) expr.Source {
	n := p.Node()
	switch {
	case !p.Exists() || l.report.Broken(p):
		return expr.Source{}
	case n.Kind() == source.List || n.Kind() == source.Map:
		l.report.Value(p, diag.WrongType, fmt.Sprintf("%q is %s; expected a CEL expression", p.Key(), n.Kind()),
			"put it in quotes if it is meant as CEL: \"{'key': value}\", \"[1, 2]\"")
		return expr.Source{}
	case n.Kind() == source.Null && n.Text() != "null":
		l.report.Text(p, "a CEL expression")
		return expr.Source{}
	}
	text := strings.TrimSpace(n.Text())
	if text == "" {
		l.report.Value(p, diag.MissingField, fmt.Sprintf("%q is empty; expected a CEL expression", p.Key()), "")
		return expr.Source{}
	}
	return expr.NewSource(text, p.Path())
}

// named reads a map of expressions, sorted by key.
func (l *loader) named(o source.Object, field, expected string) []Named {
	var all []Named
	for _, p := range o.Map(field, expected) {
		if p.Key() == "" {
			l.report.Key(p, diag.BadName, fmt.Sprintf("a key of %q is empty", field), "")
		}
		all = append(all, Named{Name: p.Key(), Expr: l.expression(p)})
	}
	slices.SortFunc(all, func(a, b Named) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// text reads a literal text or {expr: CEL}.
func (l *loader) text(p source.Place) Text {
	if p.Node().Kind() != source.Map {
		t := Text{Literal: l.report.Text(p, "a string or {expr: CEL}")}
		if p.Exists() && t.Literal == "" {
			l.report.Value(p, diag.MissingField, fmt.Sprintf("%q is empty", p.Key()), "")
		}
		return t
	}
	const noun = "a computed text"
	o, _ := l.object(p, fields.Computed, nil)
	o.Require(noun, "expr")
	return Text{Expr: l.expression(o.Field("expr"))}
}

// route reads a route: a string, an integer or a boolean, of which only the text counts.
func (l *loader) route(p source.Place) (text string, ok bool) {
	switch n := p.Node(); n.Kind() {
	case source.String, source.Bool, source.Int:
		text = routeText(n)
	default:
		l.report.Text(p, "a string, an integer or a boolean")
		return "", false
	}
	if text == "" {
		l.report.Value(p, diag.BadValue, "a route is empty", "DEFAULT is the route of what matches no other")
	}
	return text, text != ""
}

// routeText is the one spelling of a route: 0x1F and 31 are the same, and so are True and true.
func routeText(n *source.Node) string {
	switch n.Kind() {
	case source.Bool:
		return strings.ToLower(n.Text())
	case source.Int:
		return n.Decimal()
	default:
		return n.Text()
	}
}

// producedRoute reads a route that a node gives; the words of the format are not among those.
func (l *loader) producedRoute(p source.Place) string {
	text, _ := l.route(p)
	if text == graph.Default || text == graph.Error {
		l.report.Value(p, diag.ReservedRoute, fmt.Sprintf("a node can't give the route %s; it says which edge to take when "+
			"no other route matches or when the node fails", text), "give it another name")
	}
	return text
}
