package expr

import (
	"maps"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// objectOf returns the object from which the selection with an id reads, nil if it can't be told. The type checker
// keeps no types of an expression with errors, so the types of paths are worked out again, which is all that a
// message needs.
func (x *explainer) objectOf(id int64) *object {
	f := &objectFinder{scope: x.scope, id: id, bound: map[string]*types.Type{}}
	f.visit(x.ast.Expr())
	return f.found
}

// name is how messages call an object.
func (o *object) name() string { return strings.TrimPrefix(o.typ.TypeName(), objectPrefix) }

type objectFinder struct {
	scope *Scope
	id    int64
	// bound are the types of names that comprehensions and with() bind.
	bound map[string]*types.Type
	found *object
}

// visit returns the type of a path, nil for everything else, and looks for the selection on the way.
func (f *objectFinder) visit(e ast.Expr) *types.Type {
	switch e.Kind() {
	case ast.IdentKind:
		return f.ident(strings.TrimPrefix(e.AsIdent(), "."))
	case ast.SelectKind:
		return f.field(e.ID(), f.visit(e.AsSelect().Operand()), e.AsSelect().FieldName())
	case ast.CallKind:
		return f.call(e)
	case ast.ListKind:
		for _, item := range e.AsList().Elements() {
			f.visit(item)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			f.visit(entry.AsMapEntry().Key())
			f.visit(entry.AsMapEntry().Value())
		}
	case ast.ComprehensionKind:
		return f.comprehension(e.AsComprehension())
	case ast.LiteralKind, ast.StructKind, ast.UnspecifiedExprKind:
	}
	return nil
}

func (f *objectFinder) ident(name string) *types.Type {
	if t, ok := f.bound[name]; ok {
		return t
	}
	if r, ok := f.scope.root(name); ok {
		return r.typ
	}
	return nil
}

func (f *objectFinder) field(id int64, operand *types.Type, name string) *types.Type {
	o := f.object(operand)
	if o == nil {
		return nil
	}
	if id == f.id {
		f.found = o
	}
	if field, ok := o.field(name); ok {
		return field.typ
	}
	return nil
}

func (f *objectFinder) object(t *types.Type) *object {
	if t == nil || t.Kind() != types.StructKind {
		return nil
	}
	for _, o := range f.scope.objects() {
		if o.typ.TypeName() == t.TypeName() {
			return o
		}
	}
	return nil
}

func (f *objectFinder) call(e ast.Expr) *types.Type {
	call := e.AsCall()
	if call.IsMemberFunction() {
		f.visit(call.Target())
	}
	var operands []*types.Type
	for _, a := range call.Args() {
		operands = append(operands, f.visit(a))
	}
	switch call.FunctionName() {
	case operators.Index, operators.OptIndex:
		return element(operands[0])
	case operators.OptSelect:
		name, _ := call.Args()[1].AsLiteral().(types.String)
		return f.field(e.ID(), operands[0], string(name))
	case seqFunc:
		return operands[1]
	default:
		return nil
	}
}

func (f *objectFinder) comprehension(c ast.ComprehensionExpr) *types.Type {
	elem, init := element(f.visit(c.IterRange())), f.visit(c.AccuInit())
	outer := f.bound
	f.bound = maps.Clone(outer)
	f.bound[c.IterVar()], f.bound[c.AccuVar()] = elem, init
	if c.HasIterVar2() {
		f.bound[c.IterVar()], f.bound[c.IterVar2()] = nil, elem
	}
	f.visit(c.LoopCondition())
	f.visit(c.LoopStep())
	result := f.visit(c.Result())
	f.bound = outer
	return result
}

func element(t *types.Type) *types.Type {
	if t == nil || t.Kind() != types.ListKind {
		return nil
	}
	return t.Parameters()[0]
}
