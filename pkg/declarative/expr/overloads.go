package expr

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/operators"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// noOverload explains a function or operator that doesn't take values of these types.
func (x *explainer) noOverload(e *cel.Error, function, signature string) Problem {
	target, args := splitSignature(signature)
	message, hint := operatorMessage(function, args)
	if message == "" {
		message, hint = x.functionMessage(function, target, args)
	}
	return x.at(diag.CELType, e.Location, message, hint)
}

// splitSignature takes "(string, int)" or "string.(int)" apart.
func splitSignature(signature string) (target string, args []string) {
	open := strings.LastIndex(signature, ".(") + 1
	target = displayType(strings.TrimSuffix(signature[:open], "."))
	list := strings.TrimSuffix(strings.TrimPrefix(signature[open:], "("), ")")
	depth, start := 0, 0
	for i, r := range list {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			args = append(args, displayType(list[start:i]))
			start = i + len(", ")
		}
	}
	if list != "" {
		args = append(args, displayType(list[start:]))
	}
	return target, args
}

// arithmetic are the verbs of operators: can't <verb> A <preposition> B.
func arithmetic(op string) (verb, preposition string) {
	switch op {
	case operators.Add:
		return "add", "and"
	case operators.Subtract:
		return "subtract", "and"
	case operators.Multiply:
		return "multiply", "and"
	case operators.Divide:
		return "divide", "by"
	case operators.Modulo:
		return "take the remainder of", "by"
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals,
		operators.Equals, operators.NotEquals:
		return "compare", "with"
	default:
		return "", ""
	}
}

// operatorMessage is empty for functions.
func operatorMessage(op string, args []string) (message, hint string) {
	if verb, preposition := arithmetic(op); verb != "" && len(args) == 2 {
		return fmt.Sprintf("can't %s %s %s %s", verb, args[0], preposition, args[1]), conversionHint(op, args[0], args[1])
	}
	switch op {
	case operators.LogicalNot:
		return "\"!\" needs a bool, not " + article(args[0]), ""
	case operators.Negate:
		return "\"-\" needs a number, not " + article(args[0]), ""
	case operators.Index, operators.OptIndex:
		if isObjectName(args[0]) {
			return args[0] + " can't be indexed", "its fields are read with a dot"
		}
		return fmt.Sprintf("%s can't be indexed with %s", article(args[0]), article(args[1])),
			"a list is indexed with an int, a map with one of its keys"
	case operators.In:
		if args[1] == "string" {
			return "\"in\" looks in a list or a map, not in a string", "text.contains('part') looks in text"
		}
		return fmt.Sprintf("\"in\" can't look for %s in %s", article(args[0]), article(args[1])), ""
	case operators.Conditional:
		if args[0] != "bool" && args[0] != "dyn" {
			return "the condition before \"?\" is " + article(args[0]) + ", a bool is needed", ""
		}
		return fmt.Sprintf("the two values of \"? :\" have different types, %s and %s", args[1], args[2]),
			"dyn(...) around one of them lets the type be decided when it runs"
	default:
		return "", ""
	}
}

func isObjectName(typ string) bool {
	return typ == varsName || slices.ContainsFunc(objects(), func(o *object) bool { return o.name() == typ })
}

func conversionHint(op, a, b string) string {
	pair := func(x, y string) bool { return a == x && b == y || a == y && b == x }
	switch {
	case strings.HasPrefix(a, "optional(") || strings.HasPrefix(b, "optional("):
		return "take the value out of the optional first: .orValue(fallback)"
	case op == operators.Add && (a == "string" || b == "string"):
		return "convert with string(...)"
	case pair("int", "double") || pair("uint", "double"):
		return "convert with double(...) or int(...)"
	case pair("int", "uint"):
		return "convert with int(...)"
	case pair("string", "int"):
		return "convert with int(...) or string(...)"
	case strings.HasPrefix(a, "list(") && strings.HasPrefix(b, "list("):
		return "the lists hold different types; dyn(...) around one of them allows it"
	default:
		return ""
	}
}

func (x *explainer) functionMessage(function, target string, args []string) (message, hint string) {
	if function == defaultFunc && len(args) == 2 {
		message = fmt.Sprintf("the value and the fallback of default() have different types, %s and %s", args[0], args[1])
		if strings.HasPrefix(args[0], "optional(") {
			return message, "an optional has its own fallback: value.orValue(fallback)"
		}
		return message, "dyn(...) around the value lets the type be decided when it runs"
	}
	given := "(" + strings.Join(args, ", ") + ")"
	message = fmt.Sprintf("%s() doesn't take %s", function, given)
	if target != "" {
		message = fmt.Sprintf("%s() of %s doesn't take %s", function, article(target), given)
	}
	if forms := x.functions.signatures(function); forms != "" {
		hint = "it takes: " + forms
	}
	return message, hint
}
