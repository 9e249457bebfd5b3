package expr

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// Ref is something that an expression reads: a variable and the path of the field below it, as far as the expression
// spells it out. state.a.b is {state, [a b]}; state[input.key] and toJson(state) read the whole state: {state, []}.
type Ref struct {
	Root string
	Path []string
}

// String writes the reference as an expression would.
func (r Ref) String() string { return strings.Join(append([]string{r.Root}, r.Path...), ".") }

// refsOf collects the references of a checked expression.
func refsOf(e ast.Expr, isRoot func(string) bool) []Ref {
	c := &refCollector{isRoot: isRoot, bound: map[string]int{}}
	c.visit(e, nil)
	slices.SortFunc(c.refs, func(a, b Ref) int {
		if n := strings.Compare(a.Root, b.Root); n != 0 {
			return n
		}
		return slices.Compare(a.Path, b.Path)
	})
	return slices.CompactFunc(c.refs, func(a, b Ref) bool { return a.Root == b.Root && slices.Equal(a.Path, b.Path) })
}

type refCollector struct {
	isRoot func(string) bool
	// bound counts the comprehensions and with() around that bind a name.
	bound map[string]int
	refs  []Ref
}

// visit collects from e, of which the fields in path are read.
func (c *refCollector) visit(e ast.Expr, path []string) {
	switch e.Kind() {
	case ast.IdentKind:
		c.ident(e.AsIdent(), path)
	case ast.SelectKind:
		sel := e.AsSelect()
		c.visit(sel.Operand(), prepend(sel.FieldName(), path))
	case ast.CallKind:
		c.call(e.AsCall(), path)
	case ast.ListKind:
		c.all(e.AsList().Elements()...)
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			c.all(entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
	case ast.ComprehensionKind:
		c.comprehension(e.AsComprehension())
	case ast.LiteralKind, ast.StructKind, ast.UnspecifiedExprKind:
	}
}

func (c *refCollector) all(exprs ...ast.Expr) {
	for _, e := range exprs {
		c.visit(e, nil)
	}
}

func (c *refCollector) ident(name string, path []string) {
	// The checker writes a leading dot where a variable is meant although a bound name hides it.
	global, isGlobal := strings.CutPrefix(name, ".")
	if !c.isRoot(global) || !isGlobal && c.bound[name] > 0 {
		return
	}
	c.refs = append(c.refs, Ref{Root: global, Path: path})
}

func (c *refCollector) call(call ast.CallExpr, path []string) {
	if call.IsMemberFunction() {
		c.visit(call.Target(), nil)
	}
	args := call.Args()
	switch call.FunctionName() {
	case operators.Index, operators.OptIndex, operators.OptSelect:
		if key, ok := args[1].AsLiteral().(types.String); ok && args[1].Kind() == ast.LiteralKind {
			c.visit(args[0], prepend(string(key), path))
			return
		}
	}
	c.all(args...)
}

func (c *refCollector) comprehension(loop ast.ComprehensionExpr) {
	c.all(loop.IterRange(), loop.AccuInit())
	c.bind(1, loop.AccuVar(), loop.IterVar(), loop.IterVar2())
	c.all(loop.LoopCondition(), loop.LoopStep())
	c.bind(-1, loop.IterVar(), loop.IterVar2())
	c.visit(loop.Result(), nil)
	c.bind(-1, loop.AccuVar())
}

func (c *refCollector) bind(n int, names ...string) {
	for _, name := range names {
		c.bound[name] += n
	}
}

func prepend(name string, path []string) []string { return append([]string{name}, path...) }
