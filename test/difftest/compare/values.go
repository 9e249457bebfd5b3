package compare

import (
	"encoding/json"
	"strings"
)

// Values returns the values at a place in the order of the text, each in its very bytes; of a string what it says. A star in the
// place stands for each element of an array. Elements that don't have the member behind it are passed over; any other member that
// is missing is [Absent].
func Values(text []byte, place string) []string {
	var all []string
	collect(text, strings.Split(strings.TrimPrefix(place, "/"), "/"), false, &all)
	return all
}

func collect(text json.RawMessage, steps []string, demanded bool, all *[]string) {
	if len(steps) == 0 {
		var s string
		if json.Unmarshal(text, &s) == nil && len(text) > 0 && text[0] == '"' {
			*all = append(*all, s)
		} else {
			*all = append(*all, string(text))
		}
		return
	}
	if steps[0] == "*" {
		var elements []json.RawMessage
		if json.Unmarshal(text, &elements) == nil {
			for _, e := range elements {
				collect(e, steps[1:], false, all)
			}
		}
		return
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return
	}
	if m, ok := members[steps[0]]; ok {
		collect(m, steps[1:], true, all)
	} else if demanded {
		*all = append(*all, Absent)
	}
}
