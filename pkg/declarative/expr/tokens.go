package expr

import (
	"strings"
	"unicode"
)

// tokenKind tells tokens apart as far as positions and hints need it.
type tokenKind int

const (
	operatorToken tokenKind = iota
	nameToken
	numberToken
	textToken
	// openTextToken is text whose closing quote is missing.
	openTextToken
)

// token is a range of code points in an expression.
type token struct {
	kind       tokenKind
	start, end int
}

// tokens splits an expression that may well be broken. cel-go reports where a problem begins; how far it reaches, and
// which bracket was left open, has to be found in the text.
func tokens(text []rune) []token {
	var list []token
	for i := 0; i < len(text); {
		switch {
		case unicode.IsSpace(text[i]):
			i++
		case hasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		default:
			t := nextToken(text, i)
			list = append(list, t)
			i = t.end
		}
	}
	return list
}

func nextToken(text []rune, i int) token {
	c := text[i]
	switch {
	case textStart(text[i:]) > 0:
		return scanText(text, i)
	case isNameStart(c):
		return token{nameToken, i, i + span(text[i:], isNamePart)}
	case isDigit(c):
		return token{numberToken, i, numberEnd(text, i)}
	}
	for _, op := range []string{"&&", "||", "==", "!=", "<=", ">=", ".?", "[?"} {
		if hasPrefix(text[i:], op) {
			return token{operatorToken, i, i + 2}
		}
	}
	return token{operatorToken, i, i + 1}
}

// numberEnd returns where the number at i ends. The dot before a name is no part of it.
func numberEnd(text []rune, i int) int {
	for i < len(text) {
		isPoint := text[i] == '.' && i+1 < len(text) && isDigit(text[i+1])
		if !isPoint && !isNamePart(text[i]) {
			break
		}
		i++
	}
	return i
}

// textStart returns how many code points of prefix and quotes begin a string or bytes literal here, 0 if none does.
func textStart(text []rune) int {
	prefix := span(text, func(r rune) bool { return strings.ContainsRune("rRbB", r) })
	if prefix > 2 || prefix == len(text) {
		return 0
	}
	switch q := text[prefix]; {
	case q != '\'' && q != '"':
		return 0
	case hasPrefix(text[prefix:], strings.Repeat(string(q), 3)):
		return prefix + 3
	default:
		return prefix + 1
	}
}

func scanText(text []rune, start int) token {
	opening := textStart(text[start:])
	quote := text[start+opening-1]
	raw := strings.ContainsAny(string(text[start:start+opening]), "rR")
	triple := opening >= 3 && text[start+opening-2] == quote && text[start+opening-3] == quote
	closing := string(quote)
	if triple {
		closing = strings.Repeat(closing, 3)
	}
	for i := start + opening; i < len(text); i++ {
		switch {
		case text[i] == '\\' && !raw:
			i++
		case hasPrefix(text[i:], closing):
			return token{textToken, start, i + len(closing)}
		case text[i] == '\n' && !triple:
			return token{openTextToken, start, i}
		}
	}
	return token{openTextToken, start, len(text)}
}

// openBracket returns the innermost bracket that is never closed, and false if all are.
func openBracket(text []rune, list []token) (token, bool) {
	var open []token
	for _, t := range list {
		if t.kind != operatorToken {
			continue
		}
		switch text[t.start] {
		case '(', '[', '{':
			open = append(open, t)
		case ')', ']', '}':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	if len(open) == 0 {
		return token{}, false
	}
	return open[len(open)-1], true
}

func isNameStart(r rune) bool { return r == '_' || r < unicode.MaxASCII && unicode.IsLetter(r) }
func isNamePart(r rune) bool  { return isNameStart(r) || isDigit(r) }
func isDigit(r rune) bool     { return '0' <= r && r <= '9' }

// span counts the code points at the beginning of text for which ok holds.
func span(text []rune, ok func(rune) bool) int {
	for i, r := range text {
		if !ok(r) {
			return i
		}
	}
	return len(text)
}

func hasPrefix(text []rune, prefix string) bool {
	i := 0
	for _, r := range prefix {
		if i == len(text) || text[i] != r {
			return false
		}
		i++
	}
	return true
}
