package source

import "regexp"

// The core schema of YAML 1.2 (chapter 10.3.2): what plain scalars mean. The expressions are never written to.
var (
	coreNull  = regexp.MustCompile(`^(?:null|Null|NULL|~|)$`)
	coreBool  = regexp.MustCompile(`^(?:true|True|TRUE|false|False|FALSE)$`)
	coreInt   = regexp.MustCompile(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	coreFloat = regexp.MustCompile(`^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// plainKind is the kind of a plain scalar without a tag.
func plainKind(text string) Kind {
	if text == "" {
		return Null
	}
	switch text[0] {
	case 'n', 'N', '~', 't', 'T', 'f', 'F', '-', '+', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
	default:
		return String
	}
	switch {
	case coreNull.MatchString(text):
		return Null
	case coreBool.MatchString(text):
		return Bool
	case coreInt.MatchString(text):
		return Int
	case coreFloat.MatchString(text):
		return Float
	}
	return String
}

// taggedKind is the kind of a scalar with a tag. ok is false when the tag is none of the core schema, or doesn't fit.
func taggedKind(tag, text string) (kind Kind, ok bool) {
	switch tag {
	case "!!str":
		return String, true
	case "!!null":
		return Null, coreNull.MatchString(text)
	case "!!bool":
		return Bool, coreBool.MatchString(text)
	case "!!int":
		return Int, coreInt.MatchString(text)
	case "!!float":
		return Float, coreInt.MatchString(text) || coreFloat.MatchString(text)
	}
	return String, false
}
