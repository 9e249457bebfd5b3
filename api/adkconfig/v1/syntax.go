package adkconfigv1

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// checkSyntax says where data stops being one JSON value in Unicode.
func checkSyntax(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("not valid UTF-8")
	}
	var whole json.RawMessage
	err := json.Unmarshal(data, &whole)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("byte %d: %w", syntax.Offset, err)
	}
	if err != nil {
		return err
	}
	// encoding/json replaces half a surrogate pair in silence: two texts would then mean the same config.
	if at, found := loneSurrogate(data); found {
		return fmt.Errorf("byte %d: %s is half a surrogate pair", at, data[at:at+len(`\ud800`)])
	}
	return nil
}

// loneSurrogate finds the first \u escape of data, which is JSON, that isn't a character on its own or in a pair.
func loneSurrogate(data []byte) (at int, found bool) {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		unit, ok := escapedUnit(data[i:])
		switch {
		case !ok:
			i++ // a short escape: its second byte may be a backslash, too
		case !utf16.IsSurrogate(unit):
		default:
			second, _ := escapedUnit(data[i+len(`\ud800`):])
			if utf16.DecodeRune(unit, second) == utf8.RuneError {
				return i, true
			}
			i += 2*len(`\ud800`) - 1
		}
	}
	return 0, false
}

// escapedUnit reads the \u escape that text begins with.
func escapedUnit(text []byte) (unit rune, ok bool) {
	if len(text) < len(`\ud800`) || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	value, err := strconv.ParseUint(string(text[2:len(`\ud800`)]), 16, 16)
	return rune(value), err == nil
}
