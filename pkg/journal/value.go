package journal

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how deeply arrays and objects of a value may be nested. It bounds the stack that hostile data can take,
// and ends values that contain themselves.
const MaxDepth = 128

// EncodeValue returns the JSON text of a normal value (see [Normalize]). The text is a function of the value alone:
// keys are sorted, nothing is escaped that JSON allows. A double is written with a point or an exponent and an integer
// without, so that each is read again as what it was. Bytes of a string that aren't UTF-8 become U+FFFD; in a key,
// where two could become one, they are an error.
func EncodeValue(v any) ([]byte, error) { return appendValue(nil, v, MaxDepth) }

// Equal reports whether two normal values are the same; the integer 2 and the double 2.0 are not.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.EqualFunc(a, b, Equal))
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && len(a) == len(b) && maps.EqualFunc(a, b, Equal)
	case nil, bool, string, int64, uint64, float64:
		return a == b
	default:
		return false
	}
}

// appendValue appends the text of a value that may have that many levels of arrays and objects.
func appendValue(dst []byte, v any, levels int) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return appendString(dst, v), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case float64:
		return appendFloat(dst, v)
	case []any:
		return appendArray(dst, v, levels)
	case map[string]any:
		return appendObject(dst, v, levels)
	default:
		return dst, notNormal(v)
	}
}

func appendArray(dst []byte, list []any, levels int) ([]byte, error) {
	if levels == 0 {
		return dst, tooDeep()
	}
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, v, levels-1); err != nil {
			return dst, inIndex(err, i)
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, object map[string]any, levels int) ([]byte, error) {
	if levels == 0 {
		return dst, tooDeep()
	}
	var few [16]string
	keys := few[:0]
	for k := range object {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		if !utf8.ValidString(k) {
			return dst, inKey(notText(), k)
		}
		dst = append(appendString(dst, k), ':')
		var err error
		if dst, err = appendValue(dst, object[k], levels-1); err != nil {
			return dst, inKey(err, k)
		}
	}
	return append(dst, '}'), nil
}

// appendFloat writes the shortest text that reads as f again, always with a point or an exponent.
func appendFloat(dst []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, notFinite(f)
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64), nil
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if !slices.Contains(dst[start:], '.') {
		dst = append(dst, ".0"...)
	}
	return dst, nil
}

const hexDigits = "0123456789abcdef"

func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		dst = appendEscaped(append(dst, s[start:i]...), c)
		i += size
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// appendEscaped writes a byte that can't stand in a JSON string as it is.
func appendEscaped(dst []byte, c byte) []byte {
	switch {
	case c >= utf8.RuneSelf:
		return append(dst, "\uFFFD"...)
	case c == '"', c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\r':
		return append(dst, '\\', 'r')
	case c == '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
	}
}
