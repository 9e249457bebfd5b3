package expr

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Compile checks an expression against the scope and the kind of result that its place wants, and plans its
// evaluation. It returns either a program or at least one problem, sorted by position. A text that doesn't parse gives
// one problem; mistakes of types and names are all reported.
func (s *Scope) Compile(src Source, want Kind) (*Program, []Problem) {
	return s.compile(src, want, cel.OptOptimize)
}

// compile lets tests compare the optimized plan with the plain one.
func (s *Scope) compile(src Source, want Kind, opts ...cel.EvalOption) (*Program, []Problem) {
	x := newExplainer(s, src.text)
	env, err := s.cel()
	if err != nil {
		return nil, []Problem{x.whole(diag.CELType, err.Error(), "")}
	}
	checked, problems := s.check(env, x, src)
	if len(problems) > 0 {
		return nil, problems
	}
	if t := checked.OutputType(); !want.accepts(t) {
		return nil, []Problem{x.wrongResult(want, Type{t}.String())}
	}
	plan, err := s.plan(env, checked, want, opts)
	if err != nil {
		return nil, []Problem{x.planError(checked.NativeRep(), err)}
	}
	isRoot := func(name string) bool { _, ok := s.root(name); return ok }
	return &Program{
		src: src, want: want, typ: Type{resultType(checked.OutputType())},
		refs: refsOf(checked.NativeRep().Expr(), isRoot), ast: checked.NativeRep(), plan: plan,
	}, nil
}

// check parses and checks types, names and literals.
func (s *Scope) check(env *cel.Env, x *explainer, src Source) (*cel.Ast, []Problem) {
	if strings.TrimSpace(src.text) == "" {
		return nil, []Problem{x.whole(diag.CELSyntax, "the expression is empty", "")}
	}
	if len(x.text) > maxCodePoints {
		return nil, []Problem{x.whole(diag.CELLimit,
			fmt.Sprintf("the expression has %d characters, at most %d are allowed", len(x.text), maxCodePoints), "")}
	}
	parsed, iss := env.ParseSource(common.NewStringSource(src.text, src.path))
	if errs := iss.Errors(); len(errs) > 0 {
		return nil, []Problem{x.parseErrors(errs)}
	}
	x.ast = parsed.NativeRep()
	if s.tooManyTypes(x.ast.Expr()) {
		return nil, []Problem{x.whole(diag.CELLimit,
			"the types in this expression are too large to check", "nest lists and maps less deeply")}
	}
	checked, iss := env.Check(parsed)
	if errs := iss.Errors(); len(errs) > 0 {
		return nil, x.checkErrors(errs)
	}
	return checked, x.literalErrors(env, checked.NativeRep())
}

// planError explains what went wrong when constant parts of the expression were computed.
func (x *explainer) planError(checked *ast.AST, err error) Problem {
	message := failureMessage(checked.Expr(), err)
	if e := exprAt(checked.Expr(), err); e != nil {
		return x.at(diag.CELLiteral, checked.SourceInfo().GetStartLocation(e.ID()), message, "")
	}
	return x.whole(diag.CELLiteral, message, "")
}

// plan makes the program of cel-go.
func (s *Scope) plan(env *cel.Env, checked *cel.Ast, want Kind, opts []cel.EvalOption) (cel.Program, error) {
	e := checked.NativeRep().Expr()
	p := &planner{guards: s.env.guards, free: freeLiterals(e), maps: mapLiterals(e)}
	return env.Program(checked,
		cel.EvalOptions(opts...),
		cel.CostLimit(want.costLimit()),
		cel.CostTracking(costs{}),
		cel.InterruptCheckFrequency(interruptEvery),
		cel.CustomDecoratorV2(p.decorate),
	)
}
