package expr

import (
	"maps"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
)

// maxTypeWork bounds the work of the type checker. It writes out the type of every part of an expression, which takes
// time by the third power of the type's size; and a map whose key and value have the type of one variable doubles the
// size, so that a few steps of [1].with(a, {a: a}) would never be checked to the end.
const maxTypeWork = 50_000_000

// tooManyTypes reports whether checking e would take too long.
func (s *Scope) tooManyTypes(e ast.Expr) bool {
	m := &typeMeter{scope: s, bound: map[string]*shape{}}
	m.measure(e)
	return m.work > maxTypeWork
}

// shape is what a type is made of: lists and optionals have elements, maps keys and elements, all else nothing. Shapes
// share their parts, so that they stay small where types don't.
type shape struct {
	size      int
	key, elem *shape
}

// scalar is the shape of everything without parts.
func scalar() *shape { return &shape{size: 1} }

func newShape(key, elem *shape) *shape {
	s := &shape{size: 1 + elem.size, key: key, elem: elem}
	if key != nil {
		s.size += key.size
	}
	s.size = min(s.size, maxTypeWork)
	return s
}

func larger(a, b *shape) *shape {
	if a == nil || b != nil && b.size > a.size {
		return b
	}
	return a
}

// shapeOf returns the shape of a type in which type parameters stand for parts.
func shapeOf(t *types.Type, parts map[string]*shape) *shape {
	params := t.Parameters()
	switch {
	case t.Kind() == types.TypeParamKind && parts[t.TypeName()] != nil:
		return parts[t.TypeName()]
	case len(params) == 1:
		return newShape(nil, shapeOf(params[0], parts))
	case len(params) == 2:
		return newShape(shapeOf(params[0], parts), shapeOf(params[1], parts))
	default:
		return scalar()
	}
}

// match finds what the type parameters in t stand for when t is the type of something of shape s.
func match(t *types.Type, s *shape, parts map[string]*shape) {
	params := t.Parameters()
	switch {
	case s == nil:
	case t.Kind() == types.TypeParamKind:
		parts[t.TypeName()] = larger(parts[t.TypeName()], s)
	case len(params) == 1:
		match(params[0], s.elem, parts)
	case len(params) == 2:
		match(params[0], s.key, parts)
		match(params[1], s.elem, parts)
	}
}

// typeMeter adds up the work for the types of an expression before the checker runs.
type typeMeter struct {
	scope *Scope
	// bound are the shapes of names that comprehensions and with() bind.
	bound map[string]*shape
	work  int
}

// measure returns the shape of e, or a larger one, and counts the work for it and everything in it.
func (m *typeMeter) measure(e ast.Expr) *shape {
	s := m.shape(e)
	if m.work <= maxTypeWork {
		const enough = 1_000 // its cube is over the limit already
		n := min(s.size, enough)
		m.work += n * n * n
	}
	return s
}

func (m *typeMeter) shape(e ast.Expr) *shape {
	switch e.Kind() {
	case ast.IdentKind:
		return m.ident(e.AsIdent())
	case ast.SelectKind:
		return m.field(m.measure(e.AsSelect().Operand()), e.AsSelect())
	case ast.CallKind:
		return m.call(e.AsCall())
	case ast.ListKind:
		return newShape(nil, m.largest(e.AsList().Elements()))
	case ast.MapKind:
		key, elem := scalar(), scalar()
		for _, entry := range e.AsMap().Entries() {
			key = larger(key, m.measure(entry.AsMapEntry().Key()))
			elem = larger(elem, m.measure(entry.AsMapEntry().Value()))
		}
		return newShape(key, elem)
	case ast.ComprehensionKind:
		return m.comprehension(e.AsComprehension())
	default:
		return scalar()
	}
}

func (m *typeMeter) ident(name string) *shape {
	if s, ok := m.bound[name]; ok && s != nil {
		return s
	}
	if r, ok := m.scope.root(name); ok {
		return shapeOf(r.typ, nil)
	}
	return scalar()
}

// field returns the shape of a field: of the objects that have one of that name the largest, else that of an element.
func (m *typeMeter) field(operand *shape, sel ast.SelectExpr) *shape {
	s := scalar()
	for _, o := range m.scope.objects() {
		if f, ok := o.field(sel.FieldName()); ok {
			s = larger(s, shapeOf(f.typ, nil))
		}
	}
	return larger(s, operand.elem)
}

func (m *typeMeter) largest(exprs []ast.Expr) *shape {
	s := scalar()
	for _, e := range exprs {
		s = larger(s, m.measure(e))
	}
	return s
}

func (m *typeMeter) comprehension(c ast.ComprehensionExpr) *shape {
	outer := m.bound
	defer func() { m.bound = outer }()
	over, accu := m.measure(c.IterRange()), m.measure(c.AccuInit())
	m.bound = maps.Clone(outer)
	m.bound[c.IterVar()], m.bound[c.AccuVar()] = larger(over.key, over.elem), accu
	if c.HasIterVar2() {
		m.bound[c.IterVar()], m.bound[c.IterVar2()] = larger(over.key, scalar()), over.elem
	} else if over.key != nil {
		m.bound[c.IterVar()] = over.key
	}
	m.measure(c.LoopCondition())
	m.bound[c.AccuVar()] = larger(accu, m.measure(c.LoopStep()))
	return m.measure(c.Result())
}

// call returns the largest shape that the declarations of the function make of its arguments.
func (m *typeMeter) call(call ast.CallExpr) *shape {
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	shapes := make([]*shape, len(args))
	for i, a := range args {
		shapes[i] = m.measure(a)
	}
	// A namespaced function isn't found by this name; all of those give simple types.
	decl, ok := m.scope.env.functions.decls[call.FunctionName()]
	if !ok {
		return scalar()
	}
	result := scalar()
	for _, o := range decl.OverloadDecls() {
		if len(o.ArgTypes()) != len(shapes) {
			continue
		}
		parts := map[string]*shape{}
		for i, p := range o.ArgTypes() {
			match(p, shapes[i], parts)
		}
		result = larger(result, shapeOf(o.ResultType(), parts))
	}
	return result
}
