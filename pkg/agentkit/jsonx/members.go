package jsonx

import "encoding/json"

// Member is one member of an object.
type Member struct {
	Key   string
	Value json.RawMessage // the value's own bytes, without the white space around them; part of the object's text
}

// Members checks data like [Check] and returns the members of the object that it has to be, in their order.
func Members(data []byte) ([]Member, error) {
	s := scanner{data: data}
	if s.space(); s.peek() != '{' {
		if err := Check(data); err != nil {
			return nil, err
		}
		return nil, s.fail("a JSON object is expected, not %s", kind(s.peek()))
	}
	var members []Member
	if err := s.object(1, func(m Member) { members = append(members, m) }); err != nil {
		return nil, err
	}
	return members, s.end()
}

// kind names the type of a value by its first byte.
func kind(first byte) string {
	switch first {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
