package source

import (
	"fmt"
	"slices"
	"strings"
)

// A comma within brackets ends a plain scalar, also one that was meant as part of an expression: of
//
//	{ n: int(default(state.n, 0)) }
//
// YAML makes the key n with the value "int(default(state.n" and the key "0))" without a value. The two functions below
// look for a parenthesis that is open at a comma and closed by what follows, say what happened, and put the text together
// again, so that nothing else is said about it.

// longestCut bounds how many pieces are looked at; calls have few arguments.
const longestCut = 16

func (p *parser) cutInMap(pairs []entry) []entry {
	for i := 0; i < len(pairs) && !p.failed; i++ {
		var tail []*Node
		for _, e := range pairs[i+1:] {
			if !e.value.implicit || e.key.style != plain || len(tail) == longestCut {
				break
			}
			tail = append(tail, e.key)
		}
		if used := p.mend(pairs[i].value, tail); used > 0 {
			pairs = slices.Delete(pairs, i+1, i+1+used)
		}
	}
	return pairs
}

func (p *parser) cutInList(items []*Node) []*Node {
	for i := 0; i < len(items) && !p.failed; i++ {
		var tail []*Node
		for _, item := range items[i+1:] {
			if item.style != plain || len(tail) == longestCut {
				break
			}
			tail = append(tail, item)
		}
		if used := p.mend(items[i], tail); used > 0 {
			items = slices.Delete(items, i+1, i+1+used)
		}
	}
	return items
}

// mend reports that value was cut and gives it its whole text. It returns how many of tail belong to it, 0 when the
// value wasn't cut.
func (p *parser) mend(value *Node, tail []*Node) int {
	if value.kind != String || value.style != plain || openParens(value.text) <= 0 {
		return 0
	}
	whole := value.text
	for i, t := range tail {
		whole = strings.Join([]string{whole, t.text}, ", ")
		if open := openParens(whole); open > 0 {
			continue
		} else if open < 0 {
			return 0
		}
		start, end := p.file.extent(value)
		p.report(fault{owner: value, start: start, end: end,
			message: fmt.Sprintf("%q is cut off at the comma: within brackets a comma ends a value without quotes", value.text),
			hint:    "put the whole value in quotes: " + quoted([]byte(whole))})
		value.broken = true
		return i + 1
	}
	return 0
}

// openParens counts the parentheses that a text leaves open, those in CEL strings left out.
func openParens(text string) int {
	open := 0
	var quote rune
	for _, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune("(", r):
			open++
		case r == ')':
			open--
		}
	}
	return open
}
