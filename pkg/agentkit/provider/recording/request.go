package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// place is where a request goes on a server, of whatever host.
func place(method string, u *url.URL, secrets ...string) string {
	return method + " " + provider.Redact(u.RequestURI(), secrets...)
}

// key tells requests apart. The members of objects are in order in it.
func key(place string, body any) string {
	text, err := json.Marshal(body)
	if err != nil { // it was read from JSON
		text = fmt.Append(nil, body)
	}
	return place + "\n" + string(text)
}

// parse reads a body whose numbers stay as they are written; one that isn't JSON is a text.
func parse(body []byte) any {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return string(body)
	}
	if _, err := dec.Token(); err != io.EOF {
		return string(body)
	}
	return v
}

// difference says where two bodies differ first, and how.
func difference(at string, recorded, asked any) string {
	switch r := recorded.(type) {
	case map[string]any:
		if a, ok := asked.(map[string]any); ok {
			names := slices.Sorted(maps.Keys(r))
			for name := range a {
				if _, had := r[name]; !had {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			for _, name := range names {
				if had, has := r[name], a[name]; !equal(had, has) {
					return difference(at+"."+name, had, has)
				}
			}
		}
	case []any:
		if a, ok := asked.([]any); ok {
			for i := range min(len(r), len(a)) {
				if !equal(r[i], a[i]) {
					return difference(fmt.Sprintf("%s[%d]", at, i), r[i], a[i])
				}
			}
			return fmt.Sprintf("%s: %d elements were recorded, there are %d now", at, len(r), len(a))
		}
	}
	return fmt.Sprintf("%s: recorded was %s, now it is %s", at, shown(recorded), shown(asked))
}

func equal(a, b any) bool {
	left, errA := json.Marshal(a)
	right, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(left, right)
}

// shown is a value for a message.
func shown(v any) string {
	const enough = 120
	if v == nil {
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil || len(text) <= enough {
		return string(text)
	}
	cut := enough
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return string(text[:cut]) + "…"
}
