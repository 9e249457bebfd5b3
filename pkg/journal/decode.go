package journal

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// DecodeValue reads one JSON text into a normal value: an integer is an int64 (a uint64 above the largest int64), a
// number with a point or an exponent a float64. It refuses what other readers pass over: the second of two equal keys,
// text behind the value, bytes that aren't UTF-8, more than [MaxDepth] levels, and numbers that neither type can hold,
// because a value that changes silently is worse than one that is refused.
//
// The error is a *[ValueError] that names the place.
func DecodeValue(data []byte) (any, error) { return decodeWithin(data, MaxDepth) }

func decodeWithin(data []byte, levels int) (any, error) { return (&parser{data: data}).text(levels) }

// parser reads JSON from left to right.
type parser struct {
	data []byte
	at   int

	// wide reads integers that are too large for 64 bits as doubles.
	wide bool
}

// text reads all of the data as one value.
func (p *parser) text(levels int) (any, error) {
	if !utf8.Valid(p.data) {
		return nil, &ValueError{Problem: "the text is not UTF-8"}
	}
	v, err := p.value(levels)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(p.data) {
		return nil, p.unexpected("the end of the text")
	}
	return v, nil
}

// value reads the next value, which may have that many levels of arrays and objects.
func (p *parser) value(levels int) (any, error) {
	switch c := p.peek(); {
	case c == '{' && levels > 0:
		return p.object(levels)
	case c == '[' && levels > 0:
		return p.array(levels)
	case c == '{', c == '[':
		return nil, tooDeep()
	case c == '"':
		return p.str()
	case c == '-', '0' <= c && c <= '9':
		return p.number()
	case p.word("null"):
		return nil, nil
	case p.word("true"):
		return true, nil
	case p.word("false"):
		return false, nil
	default:
		return nil, p.unexpected("a value")
	}
}

func (p *parser) object(levels int) (any, error) {
	object := map[string]any{}
	p.at++
	if p.skip('}') {
		return object, nil
	}
	for {
		if p.peek() != '"' {
			return nil, p.unexpected("a key")
		}
		key, err := p.str()
		if err != nil {
			return nil, err
		}
		if _, twice := object[key]; twice {
			return nil, inKey(&ValueError{Problem: "the key occurs twice"}, key)
		}
		if !p.skip(':') {
			return nil, inKey(p.unexpected("a colon"), key)
		}
		if object[key], err = p.value(levels - 1); err != nil {
			return nil, inKey(err, key)
		}
		if p.skip('}') {
			return object, nil
		}
		if !p.skip(',') {
			return nil, p.unexpected("a comma or the end of the object")
		}
	}
}

func (p *parser) array(levels int) (any, error) {
	list := []any{}
	p.at++
	if p.skip(']') {
		return list, nil
	}
	for {
		v, err := p.value(levels - 1)
		if err != nil {
			return nil, inIndex(err, len(list))
		}
		list = append(list, v)
		if p.skip(']') {
			return list, nil
		}
		if !p.skip(',') {
			return nil, p.unexpected("a comma or the end of the array")
		}
	}
}

// number reads a number and refuses every form that JSON doesn't have.
func (p *parser) number() (any, error) {
	start := p.at
	if p.data[p.at] == '-' {
		p.at++
	}
	whole := p.digits()
	if whole == 0 || whole > 1 && p.data[p.at-whole] == '0' {
		return nil, p.unexpected("a number without leading zeros")
	}
	double := false
	if p.at < len(p.data) && p.data[p.at] == '.' {
		double = true
		if p.at++; p.digits() == 0 {
			return nil, p.unexpected("a digit")
		}
	}
	if p.at < len(p.data) && p.data[p.at]|0x20 == 'e' {
		double = true
		p.at++
		if p.at < len(p.data) && (p.data[p.at] == '+' || p.data[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			return nil, p.unexpected("a digit")
		}
	}
	return parseNumber(string(p.data[start:p.at]), double, p.wide)
}

func parseNumber(text string, double, wide bool) (any, error) {
	if !double {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return i, nil
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return u, nil
		}
		if !wide {
			return nil, &ValueError{Problem: text + " is too large for an integer of 64 bits; a string can hold it"}
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, &ValueError{Problem: text + " is too large for a double"}
	}
	return f, nil
}

// digits skips decimal digits and returns how many there were.
func (p *parser) digits() int {
	start := p.at
	for p.at < len(p.data) && '0' <= p.data[p.at] && p.data[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

// str reads a string; the parser stands on its opening quote.
func (p *parser) str() (string, error) {
	p.at++
	start := p.at
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == '"':
			p.at++
			return string(p.data[start : p.at-1]), nil
		case c == '\\':
			return p.escaped(bytes.Clone(p.data[start:p.at]))
		case c < ' ':
			return "", p.unexpected("no control character in a string")
		}
		p.at++
	}
	return "", p.unexpected("the end of the string")
}

// escaped reads the rest of a string from its first escape on; text is what was before it.
func (p *parser) escaped(text []byte) (string, error) {
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == '"':
			p.at++
			return string(text), nil
		case c == '\\':
			p.at++
			r, ok := p.escape()
			if !ok {
				return "", p.unexpected("an escape sequence")
			}
			text = utf8.AppendRune(text, r)
			continue
		case c < ' ':
			return "", p.unexpected("no control character in a string")
		default:
			text = append(text, c)
		}
		p.at++
	}
	return "", p.unexpected("the end of the string")
}

// escape reads what follows a backslash. Half a surrogate pair becomes U+FFFD.
func (p *parser) escape() (rune, bool) {
	if p.at == len(p.data) {
		return 0, false
	}
	c := p.data[p.at]
	if c == 'u' {
		return p.unicode()
	}
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	i := strings.IndexByte(from, c)
	if i < 0 {
		return 0, false
	}
	p.at++
	return rune(to[i]), true
}

func (p *parser) unicode() (rune, bool) {
	r, ok := p.hex4(p.at + 1)
	if !ok {
		return 0, false
	}
	p.at += 5
	if !utf16.IsSurrogate(r) {
		return r, true
	}
	if bytes.HasPrefix(p.data[p.at:], []byte(`\u`)) {
		if low, ok := p.hex4(p.at + 2); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			p.at += 6
			return utf16.DecodeRune(r, low), true
		}
	}
	return utf8.RuneError, true
}

func (p *parser) hex4(at int) (rune, bool) {
	if at+4 > len(p.data) {
		return 0, false
	}
	u, err := strconv.ParseUint(string(p.data[at:at+4]), 16, 32)
	return rune(u), err == nil
}

// space skips white space.
func (p *parser) space() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek returns the first byte of the next token, or 0 at the end.
func (p *parser) peek() byte {
	if p.space(); p.at == len(p.data) {
		return 0
	}
	return p.data[p.at]
}

// skip reads the byte c if it is next.
func (p *parser) skip(c byte) bool {
	if p.peek() != c || p.at == len(p.data) {
		return false
	}
	p.at++
	return true
}

// word reads a literal if it is next.
func (p *parser) word(w string) bool {
	if !bytes.HasPrefix(p.data[p.at:], []byte(w)) {
		return false
	}
	p.at += len(w)
	return true
}

func (p *parser) unexpected(expected string) error {
	found := "the end of the text"
	if p.at < len(p.data) {
		r, _ := utf8.DecodeRune(p.data[p.at:])
		found = strconv.QuoteRune(r)
	}
	return &ValueError{Problem: fmt.Sprintf("byte %d: found %s, expected %s", p.at, found, expected)}
}
