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

// checkErrors explains what the type checker found.
func (x *explainer) checkErrors(errs []*cel.Error) []Problem {
	var problems []Problem
	silent := x.macroArguments(errs)
	for _, e := range errs {
		if p, ok := x.checkError(e); ok && !silent[e.ExprID] {
			problems = append(problems, p)
		}
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Start - b.Start })
	return slices.CompactFunc(problems, func(a, b Problem) bool { return a.Start == b.Start && a.Message == b.Message })
}

// macroArguments returns the ids of names that aren't unknown but stand in a macro that was written wrongly, such as
// list.map(x), which therefore wasn't taken for a macro.
func (x *explainer) macroArguments(errs []*cel.Error) map[int64]bool {
	ids := map[int64]bool{}
	for _, e := range errs {
		call := findExpr(x.ast.Expr(), e.ExprID)
		if call == nil || call.Kind() != ast.CallKind || macroUsage()[call.AsCall().FunctionName()] == "" {
			continue
		}
		for _, arg := range call.AsCall().Args() {
			ids[arg.ID()] = true
		}
	}
	return ids
}

// checkError explains one error; false means that another one covers it.
func (x *explainer) checkError(e *cel.Error) (Problem, bool) {
	quoted := quotedWords(e.Message)
	switch {
	case strings.HasPrefix(e.Message, "undeclared reference to "):
		return x.undeclared(e, quoted[0])
	case strings.HasPrefix(e.Message, "undefined field "):
		return x.undefinedField(e, quoted[0]), true
	case strings.HasPrefix(e.Message, "found no matching overload for "):
		return x.noOverload(e, quoted[0], quoted[1]), true
	case strings.HasPrefix(e.Message, "expected type "):
		return x.wrongType(e, displayType(quoted[0]), displayType(quoted[1])), true
	case strings.Contains(e.Message, "does not support field selection"):
		return x.noFields(e, displayType(quoted[0])), true
	case strings.Contains(e.Message, "cannot be range of a comprehension"):
		return x.at(diag.CELType, e.Location,
			"a loop goes over a list or the keys of a map, not over "+article(displayType(quoted[0])), ""), true
	case e.Location.Line() < 1:
		return x.overLimit(e.Message), true
	default:
		return x.at(diag.CELType, e.Location, formatMessage(displayType(e.Message)), ""), true
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
