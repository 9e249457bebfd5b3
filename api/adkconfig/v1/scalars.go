package adkconfigv1

import (
	"encoding/json"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/durationpb"
)

// No number of the format has a meaning below zero, so all of these refuse negative ones.

// scalar reads a value of type T: string or json.Number.
func scalar[T any](c *shapeChecker, path, want string) (T, bool) {
	token := c.token()
	value, ok := token.(T)
	if !ok {
		c.mistyped(path, want, token)
	}
	return value, ok
}

func (c *shapeChecker) double(path string) {
	number, ok := scalar[json.Number](c, path, "a number")
	if !ok {
		return
	}
	switch value, err := number.Float64(); {
	case err != nil:
		c.problemf(path, "%s is out of range", number)
	case math.Signbit(value): // -0, too: it would be a second spelling of 0
		c.problemf(path, "want 0 or more, got %s", number)
	}
}

// integer takes a number or, as protojson writes 64 bits, a string of digits.
func (c *shapeChecker) integer(path string, bits int) {
	var text string
	switch token := c.token().(type) {
	case json.Number:
		text = token.String()
	case string:
		text = token
	default:
		c.mistyped(path, "an integer", token)
		return
	}
	value, err := strconv.ParseInt(text, 10, bits)
	switch {
	case err != nil || strconv.FormatInt(value, 10) != text:
		c.problemf(path, "want an integer of %d bits, got %q", bits, text)
	case value < 0:
		c.problemf(path, "want 0 or more, got %s", text)
	}
}

func (c *shapeChecker) duration(path string) {
	const want = `seconds such as "1.5s"`
	text, ok := scalar[string](c, path, want)
	if !ok {
		return
	}
	var value durationpb.Duration
	switch err := protojson.Unmarshal(strconv.AppendQuote(nil, text), &value); {
	case err != nil:
		c.problemf(path, "want %s, got %q", want, text)
	case value.GetSeconds() < 0 || value.GetNanos() < 0:
		c.problemf(path, "want 0 or more, got %s", text)
	}
}
