package mcp

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable drops control characters, so that a peer's text can't draw on a terminal or forge a log line.
func printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s))
}

// shorten cuts s to at most limit runes and marks the cut.
func shorten(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}

// listed joins names for a message, the first of them when there are many.
func listed(names []string) string {
	const shown = 12
	switch {
	case len(names) == 0:
		return "nothing"
	case len(names) <= shown:
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
