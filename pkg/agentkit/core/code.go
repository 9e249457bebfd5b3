package core

import "errors"

// CodeOf returns the stable code by which an error calls itself, in a method Code, or the first one that it wraps does, such as
// "limit-exceeded"; "" when none does, and for nil.
func CodeOf(err error) string {
	if coded, ok := errors.AsType[coded](err); ok {
		return coded.Code()
	}
	return ""
}

type coded interface {
	error
	Code() string
}
