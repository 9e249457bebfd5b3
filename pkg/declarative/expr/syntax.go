package expr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// unrecognised begins the messages of the lexer.
const unrecognised = "token recognition error at: "

// flowHint is for an expression that YAML cut short: in a flow map or list a comma ends a value without quotes.
const flowHint = "if this stands in a YAML flow map or list, put the expression in quotes: " +
	"there a comma or a bracket ends it"

// lineHint is for a text with a line feed, which YAML makes of \n in double quotes.
const lineHint = `a text ends in the line in which it begins; for a line feed in it write \n, which is \\n in YAML's double quotes`

// parseErrors explains why the expression doesn't parse. Only the first reason counts, what follows comes of it.
func (x *explainer) parseErrors(errs []*cel.Error) Problem {
	for _, t := range x.tokens {
		if t.kind == openTextToken {
			hint := flowHint
			if slices.Contains(x.text[t.start:], '\n') {
				hint = lineHint
			}
			return Problem{Code: diag.CELSyntax, Start: t.start, End: t.end,
				Message: "the closing quote of this text is missing", Hint: hint}
		}
	}
	first := errs[0]
	if first.Location.Line() < 1 || strings.Contains(first.Message, "exceeds limit") {
		return x.overLimit(first.Message)
	}
	if open, ok := openBracket(x.text, x.tokens); ok && atEnd(first.Message) {
		return Problem{Code: diag.CELSyntax, Start: open.start, End: open.end,
			Message: fmt.Sprintf("the expression ends before this %s is closed", quote(x.word(open))), Hint: flowHint}
	}
	message, hint := x.syntaxMessage(first.Message, first.Location)
	hint = cmp.Or(templateHint(string(x.text)), hint)
	return x.at(diag.CELSyntax, first.Location, message, hint)
}

// templateHint is for what other languages write around or before an expression.
func templateHint(text string) string {
	switch {
	case strings.HasPrefix(text, "{{"):
		return "an expression stands as it is, without {{ }} around it"
	case strings.HasPrefix(text, "${"):
		return "an expression stands as it is, without ${ } around it"
	case strings.HasPrefix(text, "not "):
		return "\"!\" negates: !(…)"
	}
	return ""
}

func atEnd(message string) bool { return strings.Contains(message, "'<EOF>'") }

// overLimit explains that the expression is too large or too deep.
func (x *explainer) overLimit(message string) Problem {
	const hint = "split the expression, for instance into vars"
	if strings.Contains(message, "recursion") {
		return x.whole(diag.CELLimit, fmt.Sprintf("the expression is nested more than %d deep", maxRecursion), hint)
	}
	return x.whole(diag.CELLimit, fmt.Sprintf("the expression has more than %d parts", MaxParts), hint)
}

// syntaxMessage puts a message of the parser into words.
func (x *explainer) syntaxMessage(message string, at common.Location) (text, hint string) {
	text, isSyntax := strings.CutPrefix(message, "Syntax error: ")
	here := quote(x.wordAt(at))
	switch {
	case !isSyntax:
		return macroMessage(text)
	case x.inNumber(at):
		return here + " is not a number", ""
	case strings.HasPrefix(text, unrecognised) && x.inText(at):
		return "there is an unknown escape in this text", "'\\\\' is a backslash; r'...' takes backslashes as they are"
	case strings.HasPrefix(text, unrecognised):
		return badCharacter(strings.TrimSpace(strings.TrimPrefix(text, unrecognised)))
	case atEnd(text):
		if expected := expectation(text); expected != "" {
			return "the expression ends too early" + expected + " missing", ""
		}
		return "the expression ends where a value is expected", ""
	case strings.HasSuffix(text, "expecting <EOF>"):
		return here + " is not expected here: the expression is complete before it", operatorHint(x.wordAt(at))
	case strings.HasSuffix(text, "expecting IDENTIFIER"):
		return reservedField(x.wordAt(at))
	case strings.HasPrefix(text, "extraneous input"), strings.HasPrefix(text, "mismatched input"):
		return here + " is not expected here" + expectation(text), ""
	case strings.HasPrefix(text, "missing"):
		return fmt.Sprintf("%s is missing before %s", quote(quotedWords(text)[0]), here), ""
	case strings.HasPrefix(text, "no viable alternative"):
		if word := strings.Trim(quotedWords(text)[0], ". "); word != "" {
			return reservedField(word)
		}
		return "a name is missing after the dot", ""
	default:
		return text, ""
	}
}

// reservedField explains a field whose name is a word of the language.
func reservedField(word string) (message, hint string) {
	return fmt.Sprintf("%s can't stand after a dot", quote(word)), fmt.Sprintf("['%s'] reads a key of that name", word)
}

// operatorHint is for a word where an operator should be.
func operatorHint(word string) string {
	switch strings.ToLower(word) {
	case "and":
		return "\"&&\" connects conditions"
	case "or":
		return "\"||\" connects conditions"
	case "is":
		return "\"==\" compares"
	default:
		return "is an operator missing, such as + or &&?"
	}
}

// inText reports whether a text literal without a missing quote stands at a place that the lexer stumbles over.
func (x *explainer) inText(l common.Location) bool {
	start, end := x.rangeAt(l)
	return slices.Contains(x.tokens, token{textToken, start, end})
}

// inNumber reports whether the parser stumbles in the middle of what looks like a number.
func (x *explainer) inNumber(l common.Location) bool {
	start, end := x.rangeAt(l)
	return slices.Contains(x.tokens, token{numberToken, start, end}) && x.offset(l) > start
}

// wordAt returns the token at a place.
func (x *explainer) wordAt(l common.Location) string {
	start, end := x.rangeAt(l)
	return string(x.text[start:end])
}

// expectation names what the parser expects where that is one thing.
func expectation(text string) string {
	_, expected, _ := strings.Cut(text, " expecting ")
	if strings.HasPrefix(expected, "{") || expected == "" {
		return ""
	}
	return ", " + quote(strings.Trim(expected, "'")) + " is"
}

// badCharacter explains what the lexer doesn't know.
func badCharacter(text string) (message, hint string) {
	bad := strings.TrimSpace(strings.Trim(text, "'"))
	switch bad {
	case "=":
		return "\"=\" is not an operator", "\"==\" compares"
	case "&", "|":
		return quote(bad) + " is not an operator", quote(bad+bad) + " connects conditions"
	}
	if r, _ := utf8.DecodeRuneInString(bad); unicode.IsLetter(r) {
		return quote(clip(bad)) + " can't be part of a name", "['...'] reads a key of any name; text stands in quotes"
	}
	return quote(clip(bad)) + " has no meaning in an expression", "text stands in quotes"
}

// macroMessage explains the errors of cel-go's macros and words; those of our own macros are good as they are.
func macroMessage(text string) (message, hint string) {
	word, reserved := strings.CutPrefix(text, "reserved identifier: ")
	switch {
	case reserved:
		return fmt.Sprintf("%q is a reserved word", word), fmt.Sprintf("['%s'] reads a key of that name", word)
	case strings.HasPrefix(text, "invalid int literal"), strings.HasPrefix(text, "invalid uint literal"):
		return "the number doesn't fit into 64 bits", ""
	case strings.HasPrefix(text, "invalid double literal"):
		return "the number is too large", ""
	case strings.HasPrefix(text, "invalid argument to has()"):
		return "has() takes the selection of a field: has(input.field)", ""
	case text == "argument is not an identifier", text == "argument must be a simple name":
		return "the first argument is a plain name, which stands for the element: list.map(x, expression)", ""
	default:
		return text, ""
	}
}
