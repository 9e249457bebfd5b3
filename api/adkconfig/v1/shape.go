package adkconfigv1

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	versionField = "config_version"
	durationName = protoreflect.FullName("google.protobuf.Duration")
	// maxProblems bounds an error about a config that is wrong throughout.
	maxProblems = 50
)

// checkShape compares data, which is one JSON value, with the message that it should hold. protojson would find most
// of this, too, but it stops at the first problem, doesn't say where it is, and takes two spellings of each name.
func checkShape(data []byte, want protoreflect.MessageDescriptor) error {
	c := &shapeChecker{dec: json.NewDecoder(bytes.NewReader(data))}
	c.dec.UseNumber()
	isObject := c.message("", want)
	// A newer config has fields that this build can't know: its version is the one thing worth saying.
	if isObject && c.version != Version {
		return fmt.Errorf("agent config: %s: want %q, got %q", versionField, Version, c.version)
	}
	return errors.Join(c.problems...)
}

// shapeChecker walks JSON and descriptor side by side. The JSON is known to be well-formed.
type shapeChecker struct {
	dec      *json.Decoder
	version  string
	problems []error
}

func (c *shapeChecker) problemf(path, format string, args ...any) {
	if len(c.problems) == maxProblems {
		return
	}
	if path == "" {
		path = "top level"
	}
	c.problems = append(c.problems, fmt.Errorf("agent config: %s: %s", path, fmt.Sprintf(format, args...)))
}

// message reports whether there was an object to check.
func (c *shapeChecker) message(path string, want protoreflect.MessageDescriptor) bool {
	chosen := map[protoreflect.Name]int{}
	ok := c.object(path, func(name string) {
		at := join(path, name)
		field := want.Fields().ByName(protoreflect.Name(name))
		if field == nil {
			c.problemf(at, "unknown field; known are %s", names(want.Fields()))
			c.skip()
			return
		}
		if oneof := field.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() {
			chosen[oneof.Name()]++
		}
		c.field(at, field)
	})
	if !ok {
		return false
	}
	for i := range want.Oneofs().Len() {
		oneof := want.Oneofs().Get(i)
		if n := chosen[oneof.Name()]; n != 1 && !oneof.IsSynthetic() {
			c.problemf(path, "set exactly one of %s, not %d", names(oneof.Fields()), n)
		}
	}
	return true
}

func (c *shapeChecker) field(path string, field protoreflect.FieldDescriptor) {
	switch {
	case field.IsMap():
		c.object(path, func(key string) {
			c.single(fmt.Sprintf("%s[%q]", path, key), field.MapValue())
		})
	case field.IsList():
		if !c.open(path, '[', "a list") {
			return
		}
		for i := 0; c.dec.More(); i++ {
			c.single(fmt.Sprintf("%s[%d]", path, i), field)
		}
		c.token()
	default:
		c.single(path, field)
	}
}

func (c *shapeChecker) single(path string, field protoreflect.FieldDescriptor) {
	switch field.Kind() {
	case protoreflect.MessageKind:
		if field.Message().FullName() == durationName {
			c.duration(path)
		} else {
			c.message(path, field.Message())
		}
	case protoreflect.StringKind:
		text, ok := scalar[string](c, path, "a string")
		if ok && path == versionField {
			c.version = text
		}
	case protoreflect.DoubleKind:
		c.double(path)
	case protoreflect.Int32Kind:
		c.integer(path, 32)
	case protoreflect.Int64Kind:
		c.integer(path, 64)
	default:
		// The format has no field of another kind; a test walks all of them.
		c.problemf(path, "no rule for fields of kind %s", field.Kind())
		c.skip()
	}
}

// object calls each for every member; each reads the member's value. It reports whether there was an object.
func (c *shapeChecker) object(path string, each func(name string)) bool {
	if !c.open(path, '{', "an object") {
		return false
	}
	seen := map[string]bool{}
	for c.dec.More() {
		name, _ := c.token().(string)
		if seen[name] {
			c.problemf(join(path, name), "set twice")
			c.skip()
			continue
		}
		seen[name] = true
		each(name)
	}
	c.token()
	return true
}

// open reads an opening bracket; anything else in its place is a problem.
func (c *shapeChecker) open(path string, bracket json.Delim, want string) bool {
	got := c.token()
	if got == bracket {
		return true
	}
	c.mistyped(path, want, got)
	return false
}

// token reads the next token. There is one, as the syntax was checked.
func (c *shapeChecker) token() json.Token {
	token, _ := c.dec.Token()
	return token
}

// skip reads one value whole.
func (c *shapeChecker) skip() {
	c.skipRest(c.token())
}

// skipRest reads what is left of the value that began with first.
func (c *shapeChecker) skipRest(first json.Token) {
	depth := nesting(first)
	for depth > 0 {
		depth += nesting(c.token())
	}
}

func nesting(token json.Token) int {
	switch token {
	case json.Delim('{'), json.Delim('['):
		return 1
	case json.Delim('}'), json.Delim(']'):
		return -1
	default:
		return 0
	}
}

// mistyped reports a value of a wrong type, of which first was read, and reads the rest.
func (c *shapeChecker) mistyped(path, want string, first json.Token) {
	c.problemf(path, "want %s, got %s", want, describe(first))
	c.skipRest(first)
}

func describe(first json.Token) string {
	switch first := first.(type) {
	case json.Delim:
		if first == '{' {
			return "an object"
		}
		return "a list"
	case string:
		return "a string"
	case bool:
		return strconv.FormatBool(first)
	case json.Number:
		return first.String()
	default:
		return "null; leave the field out instead"
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func names(fields protoreflect.FieldDescriptors) string {
	all := make([]string, fields.Len())
	for i := range all {
		all[i] = string(fields.Get(i).Name())
	}
	return strings.Join(all, ", ")
}
