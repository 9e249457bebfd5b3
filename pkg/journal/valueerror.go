package journal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// inKey and inIndex put the member or element that a [ValueError] happened in before its path. They are called on the
// way out, so that encoding a sound value costs nothing for it.
func inKey(err error, key string) error { return under(err, key) }

func inIndex(err error, i int) error { return under(err, "["+strconv.Itoa(i)+"]") }

func under(err error, step string) error {
	value, ok := errors.AsType[*ValueError](err)
	if !ok {
		return err
	}
	path := step
	switch {
	case value.Path == "":
	case strings.HasPrefix(value.Path, "["):
		path += value.Path
	default:
		path += "." + value.Path
	}
	return &ValueError{Path: path, Problem: value.Problem}
}

func tooDeep() error {
	return &ValueError{Problem: fmt.Sprintf("nested more than %d levels deep", MaxDepth)}
}

func notNormal(v any) error {
	return &ValueError{Problem: fmt.Sprintf("%T is not a JSON value of the journal; Normalize makes one of it", v)}
}

func notText() error { return &ValueError{Problem: "the key is not UTF-8"} }

func notFinite(f float64) error {
	return &ValueError{Problem: fmt.Sprintf("%v is not a number that JSON can hold", f)}
}
