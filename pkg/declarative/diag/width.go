package diag

import (
	"strings"
	"unicode"
)

// wide holds the blocks whose characters take two columns of a terminal (East Asian Width W and F, and emoji).
func wide() *unicode.RangeTable {
	return &unicode.RangeTable{
		R16: []unicode.Range16{
			{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x23e9, 0x23ec, 1}, {0x2614, 0x2615, 1}, {0x2648, 0x2653, 1},
			{0x26a1, 0x26a1, 1}, {0x2705, 0x2705, 1}, {0x274c, 0x274c, 1}, {0x2753, 0x2755, 1}, {0x2795, 0x2797, 1},
			{0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b50, 1}, {0x2e80, 0x303e, 1}, {0x3041, 0x33ff, 1}, {0x3400, 0x4dbf, 1},
			{0x4e00, 0xa4cf, 1}, {0xa960, 0xa97f, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe30, 0xfe6f, 1},
			{0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1},
		},
		R32: []unicode.Range32{
			{0x16fe0, 0x18cff, 1}, {0x1b000, 0x1b2ff, 1}, {0x1f004, 0x1f004, 1}, {0x1f0cf, 0x1f0cf, 1}, {0x1f18e, 0x1f19a, 1},
			{0x1f200, 0x1f265, 1}, {0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f7e0, 0x1f7eb, 1}, {0x1f900, 0x1f9ff, 1},
			{0x1fa70, 0x1faff, 1}, {0x20000, 0x3fffd, 1},
		},
	}
}

// width is how many columns of a terminal a character takes after [printable] has seen it.
func width(r rune) int {
	switch {
	case unicode.Is(wide(), r):
		return 2
	case unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200d':
		return 0
	}
	return 1
}

// printable replaces what could steer a terminal or reorder a line; a file is quoted, never obeyed.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
