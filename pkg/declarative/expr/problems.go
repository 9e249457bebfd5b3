package expr

import (
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// explainer puts cel-go's findings about one expression into words for people who don't know CEL.
type explainer struct {
	scope  *Scope
	text   []rune
	tokens []token
	// lines are the offsets at which lines begin.
	lines []int
	// functions are all that the language has.
	functions functionSet
	// ast is what was parsed; nil while it isn't.
	ast *ast.AST
}

func newExplainer(s *Scope, text string) *explainer {
	x := &explainer{scope: s, text: []rune(text), lines: []int{0}, functions: s.env.functions}
	x.tokens = tokens(x.text)
	for i, r := range x.text {
		if r == '\n' {
			x.lines = append(x.lines, i+1)
		}
	}
	return x
}

// at makes a problem at a place that cel-go names: the token that stands there. Of a call cel-go names the bracket, of
// a field the dot; the name is what an author looks for.
func (x *explainer) at(code diag.Code, l common.Location, message, hint string) Problem {
	start, end := x.rangeAt(l)
	return Problem{Code: code, Start: start, End: end, Message: message, Hint: hint}
}

// whole makes a problem of the expression as a whole.
func (x *explainer) whole(code diag.Code, message, hint string) Problem {
	return Problem{Code: code, End: len(x.text), Message: message, Hint: hint}
}

func (x *explainer) rangeAt(l common.Location) (start, end int) {
	if l == nil || l.Line() < 1 || l.Line() > len(x.lines) {
		return 0, len(x.text)
	}
	offset := x.offset(l)
	i := slices.IndexFunc(x.tokens, func(t token) bool { return offset < t.end })
	if i < 0 || x.tokens[i].start > offset {
		return offset, offset
	}
	switch t := x.tokens[i]; {
	case t.kind != operatorToken:
	case strings.ContainsAny(x.word(t), "({") && i > 0 && x.tokens[i-1].kind == nameToken:
		i--
	case strings.HasPrefix(x.word(t), ".") && i+1 < len(x.tokens) && x.tokens[i+1].kind == nameToken:
		i++
	}
	return x.tokens[i].start, x.tokens[i].end
}

// offset converts a place on a line of the text.
func (x *explainer) offset(l common.Location) int {
	return min(x.lines[l.Line()-1]+l.Column(), len(x.text))
}

// word returns the text of a token.
func (x *explainer) word(t token) string { return string(x.text[t.start:t.end]) }

// checkErrors explains what the type checker found. There is at least one problem, since an error that is left out has
// another one that says more.
func (x *explainer) checkErrors(errs []*cel.Error) []Problem {
	var problems []Problem
	covered := x.covered(errs)
	for _, e := range errs {
		if !covered[e.ExprID] {
			problems = append(problems, x.checkError(e))
		}
	}
	return inOrder(problems)
}

// inOrder sorts problems by position and takes out what is said twice.
func inOrder(problems []Problem) []Problem {
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Start - b.Start })
	return slices.CompactFunc(problems, func(a, b Problem) bool { return a.Start == b.Start && a.Message == b.Message })
}

// covered returns the ids of unknown names that the error of the call around them explains: the arguments of a macro
// that was written wrongly, such as list.map(x), and which therefore wasn't taken for one; and the namespace before an
// unknown function, as in math.max(1, 2).
func (x *explainer) covered(errs []*cel.Error) map[int64]bool {
	ids := map[int64]bool{}
	for _, e := range errs {
		node := findExpr(x.ast.Expr(), e.ExprID)
		if node == nil || node.Kind() != ast.CallKind || !strings.HasPrefix(e.Message, undeclaredReference) {
			continue
		}
		call := node.AsCall()
		if macroUsage()[call.FunctionName()] != "" {
			for _, arg := range call.Args() {
				ids[arg.ID()] = true
			}
		} else if _, members := x.namespaceOf(call); len(members) > 0 {
			ids[call.Target().ID()] = true
		}
	}
	return ids
}

// namespaceOf returns the name before a function, and the functions that there are below it.
func (x *explainer) namespaceOf(call ast.CallExpr) (name string, members []string) {
	if !call.IsMemberFunction() || call.Target().Kind() != ast.IdentKind {
		return "", nil
	}
	name = call.Target().AsIdent()
	return name, x.functions.inNamespace(name)
}

// undeclaredReference begins the errors of the type checker about unknown names.
const undeclaredReference = "undeclared reference to "

// checkError explains one error.
func (x *explainer) checkError(e *cel.Error) Problem {
	quoted := quotedWords(e.Message)
	switch {
	case strings.HasPrefix(e.Message, undeclaredReference):
		return x.undeclared(e, quoted[0])
	case strings.HasPrefix(e.Message, "undefined field "):
		return x.undefinedField(e, quoted[0])
	case strings.HasPrefix(e.Message, "found no matching overload for "):
		return x.noOverload(e, quoted[0], quoted[1])
	case strings.HasPrefix(e.Message, "expected type "):
		return x.wrongType(e, displayType(quoted[0]), displayType(quoted[1]))
	case strings.Contains(e.Message, "does not support field selection"):
		return x.noFields(e, displayType(quoted[0]))
	case strings.Contains(e.Message, "cannot be range of a comprehension"):
		return x.at(diag.CELType, e.Location,
			"a loop goes over a list or the keys of a map, not over "+article(displayType(quoted[0])), "")
	case e.Location.Line() < 1:
		return x.overLimit(e.Message)
	default:
		return x.at(diag.CELType, e.Location, formatMessage(displayType(e.Message)), "")
	}
}

// formatMessage shortens what cel-go says of the arguments of format(). Of anything else it says it as it is.
func formatMessage(text string) string {
	for _, prefix := range []string{"error during formatting: ", "could not parse formatting clause: "} {
		if reason, ok := strings.CutPrefix(text, prefix); ok {
			return "format(): " + reason
		}
	}
	if strings.HasPrefix(text, "index ") && strings.HasSuffix(text, " out of range") {
		return "format(): there are fewer values than clauses"
	}
	return text
}
