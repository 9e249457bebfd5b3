package jsonx

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// appendUnescaped appends what the inside of a string stands for, which was found well-formed. Half a surrogate pair
// becomes U+FFFD, as in encoding/json.
func appendUnescaped(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		c := text[i+1]
		text = text[i+2:]
		if c != 'u' {
			dst = append(dst, meaning(c))
			continue
		}
		r := hex4(text)
		text = text[4:]
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if len(text) >= 6 && text[0] == '\\' && text[1] == 'u' {
				pair = utf16.DecodeRune(r, hex4(text[2:]))
			}
			if r = pair; r != utf8.RuneError {
				text = text[6:]
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
}

// meaning is what a backslash and c stand for.
func meaning(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// hex4 reads four hexadecimal digits.
func hex4(text []byte) rune {
	var r rune
	for _, c := range text[:4] {
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		r = r<<4 | rune(c)
	}
	return r
}
