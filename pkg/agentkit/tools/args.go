package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// field is one argument of a tool.
type field struct {
	name     string
	into     any // a pointer
	required bool
}

// bind decodes the arguments of a call. Names are compared exactly, unlike in encoding/json: with Path beside path a
// guardrail would look at one and the tool take the other.
func bind(args json.RawMessage, fields ...field) error {
	members, err := jsonx.Members(args)
	if err != nil {
		return err
	}
	given := map[string]bool{}
	for _, m := range members {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.Key })
		if i < 0 {
			return fmt.Errorf("unknown argument %q; the arguments are: %s", m.Key, names(fields))
		}
		if err := json.Unmarshal(m.Value, fields[i].into); err != nil {
			return fmt.Errorf("argument %q: %s is not %s", m.Key, short(m.Value), wanted(fields[i].into))
		}
		given[m.Key] = string(m.Value) != "null"
	}
	for _, f := range fields {
		if f.required && !given[f.name] {
			return fmt.Errorf("argument %q is missing", f.name)
		}
	}
	return nil
}

func names(fields []field) string {
	out := make([]string, 0, len(fields))
	for _, f := range fields {
		out = append(out, f.name)
	}
	return strings.Join(out, ", ")
}

// wanted names the type of an argument.
func wanted(into any) string {
	switch into.(type) {
	case *string:
		return "a string"
	case *int:
		return "an integer"
	case *bool:
		return "a boolean"
	}
	return "a list"
}

func short(value json.RawMessage) string {
	const most = 40
	if len(value) > most {
		return strings.ToValidUTF8(string(value[:most]), "") + "…"
	}
	return string(value)
}
