package expr

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

const (
	jsonFunc   = "json"
	toJSONFunc = "toJson"

	// maxJSONInput is the most that json() parses, in bytes: text from a model or a tool mustn't fill the memory.
	maxJSONInput = 1 << 20
	// maxJSONDepth is how deep arrays and objects may be nested in it.
	maxJSONDepth = 128
)

func declareJSON() cel.EnvOption {
	return options(
		cel.Function(jsonFunc,
			cel.Overload("json_string", []*cel.Type{cel.StringType}, cel.DynType),
			cel.Overload("json_bytes", []*cel.Type{cel.BytesType}, cel.DynType),
			cel.SingletonUnaryBinding(parseJSON)),
		cel.Function(toJSONFunc,
			cel.Overload("toJson_dyn", []*cel.Type{cel.DynType}, cel.StringType, cel.UnaryBinding(formatJSON))),
	)
}

// parseJSON is json(text).
func parseJSON(arg ref.Val) ref.Val {
	var text string
	switch v := arg.(type) {
	case types.String:
		text = string(v)
	case types.Bytes:
		text = string(v)
	default:
		return types.NewErr("json() needs a string or bytes, not %s", typeName(arg))
	}
	v, err := decodeJSON(text)
	if err != nil {
		return types.NewErr("json(): %v", err)
	}
	return adapter{}.NativeToValue(v)
}

// decodeJSON parses one JSON value and nothing else. Numbers become int64 or uint64 where they fit, else float64; of
// equal keys the last one counts.
func decodeJSON(text string) (any, error) {
	if len(text) > maxJSONInput {
		return nil, fmt.Errorf("the text is %d bytes long, at most %d are parsed", len(text), maxJSONInput)
	}
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	switch err := d.Decode(&v); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the text is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("the text ends too early: %q", clip(text))
	case err != nil:
		return nil, fmt.Errorf("%q is not JSON: %w", clip(text), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more text after the JSON value")
	}
	return withNumbers(v)
}

// withNumbers replaces every json.Number in v, in place where it can.
func withNumbers(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return parseNumber(string(v))
	case []any:
		for i, item := range v {
			n, err := withNumbers(item)
			if err != nil {
				return nil, err
			}
			v[i] = n
		}
	case map[string]any:
		for k, item := range v {
			n, err := withNumbers(item)
			if err != nil {
				return nil, err
			}
			v[k] = n
		}
	}
	return v, nil
}

// parseNumber converts the text of a JSON number: integers stay integers where they fit.
func parseNumber(text string) (any, error) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, nil
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return u, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is not a number that a double can hold", clip(text))
	}
	return f, nil
}

// checkDepth bounds the nesting before the parser recurses.
func checkDepth(text string) error {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted:
			if c == '\\' {
				i++
			}
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == '[' || c == '{':
			if depth++; depth > maxJSONDepth {
				return fmt.Errorf("nested more than %d deep", maxJSONDepth)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return nil
}

// formatJSON is toJson(value): compact, keys in order, <, > and & as they are, NaN and infinities as null, bytes in
// base64, times as text.
func formatJSON(arg ref.Val) ref.Val {
	v, err := toGo(arg, true)
	if err != nil {
		return types.NewErr("toJson(): %v", err)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return types.NewErr("toJson(): %v", err)
	}
	return types.String(strings.TrimSuffix(b.String(), "\n"))
}
