package jsonx

import (
	"fmt"
	"unicode/utf8"
)

// MaxDepth is how deeply arrays and objects may be nested.
const MaxDepth = 100

// SyntaxError says where a text stops being JSON in the sense of this package, and why.
type SyntaxError struct {
	Offset  int // in bytes, from 0
	Problem string
}

// Error gives the place and the problem.
func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Problem) }

// Check reports whether data is one JSON value and nothing else; the error is a *[SyntaxError].
func Check(data []byte) error {
	s := scanner{data: data}
	if err := s.value(0); err != nil {
		return err
	}
	return s.end()
}

// scanner reads a text from left to right; its methods consume what they are named after.
type scanner struct {
	data []byte
	pos  int
}

func (s *scanner) fail(format string, args ...any) error {
	return &SyntaxError{Offset: s.pos, Problem: fmt.Sprintf(format, args...)}
}

// wanted is the error for a byte that isn't what the grammar asks for.
func (s *scanner) wanted(what string) error {
	if s.pos >= len(s.data) {
		return s.fail("the text ends where %s is expected", what)
	}
	r, _ := utf8.DecodeRune(s.data[s.pos:])
	return s.fail("%s is expected, not %q", what, r)
}

func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

func (s *scanner) end() error {
	if s.space(); s.pos < len(s.data) {
		return s.wanted("the end of the text")
	}
	return nil
}

func (s *scanner) value(depth int) error {
	s.space()
	switch c := s.peek(); {
	case c == '{' || c == '[':
		if depth == MaxDepth {
			return s.fail("arrays and objects are nested more than %d deep", MaxDepth)
		}
		if c == '{' {
			return s.object(depth+1, nil)
		}
		return s.array(depth + 1)
	case c == '"':
		_, _, err := s.str()
		return err
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return s.wanted("a JSON value")
}

// object reads an object and hands its members to each, when that is given.
func (s *scanner) object(depth int, each func(Member)) error {
	s.pos++
	var keys keySet
	if s.space(); s.peek() == '}' {
		s.pos++
		return nil
	}
	for {
		key, err := s.key(&keys)
		if err != nil {
			return err
		}
		from := s.pos
		if err := s.value(depth); err != nil {
			return err
		}
		if each != nil {
			each(Member{Key: string(key), Value: s.data[from:s.pos:s.pos]})
		}
		if done, err := s.more('}'); done || err != nil {
			return err
		}
	}
}

// key reads a key that isn't among keys yet, the colon, and the space in front of the value.
func (s *scanner) key(keys *keySet) ([]byte, error) {
	if s.space(); s.peek() != '"' {
		return nil, s.wanted("a key in quotes")
	}
	at := s.pos
	key, escaped, err := s.str()
	if err != nil {
		return nil, err
	}
	if escaped {
		key = appendUnescaped(make([]byte, 0, len(key)), key)
	}
	if !keys.add(key) {
		s.pos = at
		return nil, s.fail("the key %q is given twice in one object", key)
	}
	if s.space(); s.peek() != ':' {
		return nil, s.wanted(`":"`)
	}
	s.pos++
	s.space()
	return key, nil
}

func (s *scanner) array(depth int) error {
	s.pos++
	if s.space(); s.peek() == ']' {
		s.pos++
		return nil
	}
	for {
		if err := s.value(depth); err != nil {
			return err
		}
		if done, err := s.more(']'); done || err != nil {
			return err
		}
	}
}

// more reads what follows an element: a comma, or the closing byte.
func (s *scanner) more(closing byte) (done bool, err error) {
	s.space()
	switch s.peek() {
	case ',':
		s.pos++
		return false, nil
	case closing:
		s.pos++
		return true, nil
	}
	if closing == '}' {
		return false, s.wanted(`"," or "}"`)
	}
	return false, s.wanted(`"," or "]"`)
}

// str reads a string and returns what stands between the quotes, and whether there are escapes in it.
func (s *scanner) str() (text []byte, escaped bool, err error) {
	from := s.pos
	for s.pos++; s.pos < len(s.data); {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return s.data[from+1 : s.pos-1 : s.pos-1], escaped, nil
		case c == '\\':
			escaped = true
			if err := s.escape(); err != nil {
				return nil, false, err
			}
		case c < ' ':
			return nil, false, s.fail("a control character (%q) stands in a string, it has to be escaped", c)
		case c < utf8.RuneSelf:
			s.pos++
		default:
			r, size := utf8.DecodeRune(s.data[s.pos:])
			if r == utf8.RuneError && size == 1 {
				return nil, false, s.fail("a string isn't UTF-8")
			}
			s.pos += size
		}
	}
	return nil, false, s.fail("the text ends within a string that began at byte %d", from)
}

func (s *scanner) escape() error {
	s.pos++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return nil
	case 'u':
		for range 4 {
			s.pos++
			if !isHex(s.peek()) {
				return s.wanted("four hexadecimal digits behind \\u")
			}
		}
		s.pos++
		return nil
	}
	return s.wanted(`one of "\/bfnrtu behind a backslash`)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func (s *scanner) number() error {
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.peek() == '.' {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		return s.digits()
	}
	return nil
}

func (s *scanner) digits() error {
	from := s.pos
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.pos++
	}
	if s.pos == from {
		return s.wanted("a digit")
	}
	return nil
}

func (s *scanner) word(word string) error {
	if len(s.data)-s.pos < len(word) || string(s.data[s.pos:s.pos+len(word)]) != word {
		return s.wanted("true, false or null")
	}
	s.pos += len(word)
	return nil
}
