package jsonx

import "encoding/json"

// Member is one member of an object.
type Member struct {
	Key   string
	Value json.RawMessage // the value's own bytes, without the white space around them; part of the object's text
}

// Members checks data like [CheckObject] and returns the members of the object, in their order.
func Members(data []byte) ([]Member, error) {
	var members []Member
	if err := object(data, func(m Member) { members = append(members, m) }); err != nil {
		return nil, err
	}
	return members, nil
}

// CheckObject checks data like [Check], and that it is an object.
func CheckObject(data []byte) error { return object(data, nil) }

// object checks a text that has to be an object, and hands its members to each, when that is given.
func object(data []byte, each func(Member)) error {
	s := scanner{data: data}
	if s.space(); s.peek() != '{' {
		if err := Check(data); err != nil {
			return err
		}
		return s.fail("a JSON object is expected, not %s", kind(s.peek()))
	}
	if err := s.object(1, each); err != nil {
		return err
	}
	return s.end()
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
