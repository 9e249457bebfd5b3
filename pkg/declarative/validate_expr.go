package declarative

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// expressions compiles every expression of the document for its place.
func (v *validator) expressions() {
	env := v.opts.Expressions
	if env == nil {
		made, err := expr.NewEnv()
		if err != nil { // the language itself is broken, whatever the document says
			v.report.Add(v.at.Diagnostic(diag.CELSyntax, "the language of expressions can't be set up: "+err.Error(), ""))
			return
		}
		env = made
	}
	c := compiler{validator: v, env: env}
	for i := range v.sites {
		c.node(v.sites[i])
	}
	for _, x := range v.llms {
		c.hooks(x)
	}
}

// maxParts is how many parts the expressions of a document may have together, as many as one may have alone: names,
// operators, calls, and what macros such as map make of them. So a document takes a bounded time to check.
const maxParts = expr.MaxParts

type compiler struct {
	*validator
	env *expr.Env

	parts int
	full  bool // an expression beyond maxParts was reported: the rest isn't looked at
}

func (c *compiler) node(s *site) {
	plain := c.env.Scope(expr.Node)
	c.compile(plain, s.node.Input, s.at.Field("input"), expr.Any)
	if r := s.node.Retry; r != nil {
		c.compile(c.env.Scope(expr.RetryWhen), r.When, s.at.Field("retry").Field("when"), expr.Bool)
	}
	switch b := s.node.Body.(type) {
	case *CEL:
		c.cel(b, s.at)
	case *Tool:
		c.named(plain, b.Args, s.at.Field("args"))
	case *Worker:
		c.compile(plain, b.Items, s.at.Field("items"), expr.List)
	case *HITL:
		c.text(plain, &b.Message, s.at.Field("message"))
		c.compile(plain, b.Payload, s.at.Field("payload"), expr.Any)
		if d := b.OnDeadline; d != nil {
			c.compile(plain, d.Output, s.at.Field("on_deadline").Field("output"), expr.Any)
		}
	}
}

// cel compiles a cel node: each of vars sees those before it, the rest sees them all.
func (c *compiler) cel(b *CEL, at source.Place) {
	scope := c.env.Scope(expr.CelNode)
	for i, x := range b.Vars {
		var t expr.Type
		if program := c.compile(scope, x.Expr, at.Field("vars").Item(i).Field("expr"), expr.Any); program != nil {
			t = program.Type()
		}
		scope = scope.WithVar(x.Name, t)
	}
	c.compile(scope, b.Output, at.Field("output"), expr.Any)
	c.compile(scope, b.Route, at.Field("route"), expr.Route)
	for i, r := range b.Routes {
		c.compile(scope, r.When, at.Field("routes").Item(i).Field("when"), expr.Bool)
	}
	c.named(scope, b.StateDelta, at.Field("state_delta"))
	c.compile(scope, b.Escalate, at.Field("escalate"), expr.Bool)
}

func (c *compiler) named(scope *expr.Scope, all []Named, at source.Place) {
	for _, n := range all {
		c.compile(scope, n.Expr, at.Entry(n.Name), expr.Any)
	}
}

func (c *compiler) text(scope *expr.Scope, t *Text, at source.Place) {
	if t != nil {
		c.compile(scope, t.Expr, at.Field("expr"), expr.String)
	}
}

func (c *compiler) hooks(x llmSite) {
	places := [...]expr.Place{expr.BeforeModel, expr.AfterModel, expr.BeforeTool, expr.AfterTool}
	for i, list := range x.llm.hookLists() {
		scope := c.env.Scope(places[i])
		for j, h := range list.rules {
			at := x.at.Field(list.field).Item(j)
			c.compile(scope, h.When, at.Field("when"), expr.Bool)
			c.text(scope, h.Reject, at.Field("reject"))
			c.text(scope, h.Ask, at.Field("ask"))
		}
	}
}

// compile keeps the program of an expression, or reports what is wrong with it at its characters in the file.
func (c *compiler) compile(scope *expr.Scope, src expr.Source, at source.Place, want expr.Kind) *expr.Program {
	if src.Text() == "" || c.full || c.report.Broken(at) {
		return nil
	}
	if c.parts >= maxParts {
		c.full = true
		c.report.Add(at.Diagnostic(diag.CELLimit,
			fmt.Sprintf("the expressions before this one have %d parts, at most %d are allowed in a document", c.parts, maxParts),
			"move some into a document of its own, or into a function"))
		return nil
	}
	program, problems := scope.Compile(src, want)
	if program != nil {
		c.parts += program.Parts()
	} else {
		c.parts += len(src.Text()) // it may have taken as long
	}
	// The loader removed white space around the expression, which positions in the file count.
	written := at.Node().Text()
	lead := utf8.RuneCountInString(written) - utf8.RuneCountInString(strings.TrimLeftFunc(written, unicode.IsSpace))
	for _, p := range problems {
		c.report.Add(at.RangeDiagnostic(lead+p.Start, lead+p.End, p.Code, p.Message, p.Hint))
	}
	if program != nil {
		c.programs[src.Path()] = program
	}
	return program
}
