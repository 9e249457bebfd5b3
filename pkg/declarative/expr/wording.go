package expr

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// undeclared explains a name that nothing declares. It stands for a function, a variable or a struct.
func (x *explainer) undeclared(e *cel.Error, name string) Problem {
	node := findExpr(x.ast.Expr(), e.ExprID)
	switch {
	case node != nil && node.Kind() == ast.CallKind:
		return x.unknownFunction(e, name, node.AsCall())
	case node != nil && node.Kind() == ast.StructKind:
		return x.at(diag.CELUnknownVar, e.Location, fmt.Sprintf("%q is not a type that can be constructed", name),
			"write a map: {'key': value}")
	}
	name, _, _ = strings.Cut(name, ".")
	message := fmt.Sprintf("%q is not a variable here; available: %s", name, strings.Join(x.scope.rootNames(), ", "))
	return x.at(diag.CELUnknownVar, e.Location, message, x.variableHint(name))
}

func (x *explainer) variableHint(name string) string {
	if x.scope.vars != nil {
		if _, ok := x.scope.vars.field(name); ok {
			return fmt.Sprintf("did you mean vars.%s?", name)
		}
	}
	if hint := diag.DidYouMean(name, x.scope.rootNames()); hint != "" {
		return hint
	}
	if hook, ok := placeOf(name); ok {
		return fmt.Sprintf("%q exists in %s only", name, hook)
	}
	if word, ok := foreignWord(name); ok {
		return "did you mean " + word + "?"
	}
	if _, ok := x.functions.decls[name]; ok {
		return name + "() is a function"
	}
	if members := x.functions.inNamespace(name); len(members) > 0 {
		return fmt.Sprintf("%s.%s() is a function", name, members[0])
	}
	return fmt.Sprintf("text stands in quotes: '%s'", name)
}

// foreignWord translates words of other languages.
func foreignWord(name string) (string, bool) {
	words := map[string]string{
		"True": "true", "False": "false", "None": "null", "nil": "null", "undefined": "null", "not": "!",
		"len": "size()", "length": "size()", "count": "size()", "includes": "contains()", "coalesce": "default()",
		"toLowerCase": "lowerAscii()", "toUpperCase": "upperAscii()", "fromJson": "json()", "strip": "trim()",
	}
	word, ok := words[name]
	return word, ok
}

// placeOf says where a variable exists that isn't available everywhere.
func placeOf(name string) (string, bool) {
	places := map[string]string{
		varsName: "cel nodes", "error": "retry.when", "request": "before_model", "response": "after_model",
		"tool": "before_tool and after_tool", "result": "after_tool",
	}
	place, ok := places[name]
	return place, ok
}

func (x *explainer) unknownFunction(e *cel.Error, name string, call ast.CallExpr) Problem {
	if usage, ok := macroUsage()[name]; ok {
		return x.at(diag.CELSyntax, e.Location, fmt.Sprintf("%s() is written in another way: %s", name, usage), "")
	}
	if namespace, members := x.namespaceOf(call); len(members) > 0 {
		message := fmt.Sprintf("%s.%s() is not a function; %s has: %s",
			namespace, name, namespace, strings.Join(members, ", "))
		return x.at(diag.CELUnknownVar, e.Location, message, diag.DidYouMean(name, members))
	}
	hint := diag.DidYouMean(name, x.functions.names)
	if word, ok := foreignWord(name); ok {
		hint = "did you mean " + word + "?"
	}
	return x.at(diag.CELUnknownVar, e.Location, fmt.Sprintf("%s() is not a function", name), hint)
}

// undefinedField explains a field that its object doesn't have.
func (x *explainer) undefinedField(e *cel.Error, name string) Problem {
	object := x.objectOf(e.ExprID)
	switch {
	case object == nil:
		return x.at(diag.CELUnknownVar, e.Location, fmt.Sprintf("there is no field %q", name), "")
	case object == x.scope.vars && len(object.fields) == 0:
		return x.at(diag.CELUnknownVar, e.Location,
			fmt.Sprintf("vars.%s is not defined: no variables are defined before this one", name), "")
	case object == x.scope.vars:
		message := fmt.Sprintf("vars.%s is not defined; variables defined before this one: %s",
			name, strings.Join(object.fieldNames(), ", "))
		return x.at(diag.CELUnknownVar, e.Location, message, diag.DidYouMean(name, object.fieldNames()))
	default:
		message := fmt.Sprintf("%s has no field %q; it has: %s",
			object.name(), name, strings.Join(object.fieldNames(), ", "))
		return x.at(diag.CELUnknownVar, e.Location, message, diag.DidYouMean(name, object.fieldNames()))
	}
}

func (x *explainer) noFields(e *cel.Error, typ string) Problem {
	hint, name := "", x.wordAt(e.Location)
	_, isFunction := x.functions.decls[name]
	switch {
	case isFunction:
		hint = fmt.Sprintf("%s() is a function: value.%s()", name, name)
	case strings.HasPrefix(typ, "list("):
		hint = "take an element, list[0].field, or all of them, list.map(x, x.field)"
	case typ == "string":
		hint = "json(text).field reads a field of JSON text"
	}
	message := fmt.Sprintf("%s has no fields, so %q can't be read from it", article(typ), name)
	return x.at(diag.CELType, e.Location, message, hint)
}

func (x *explainer) wrongType(e *cel.Error, want, got string) Problem {
	hint := ""
	if want == "bool" && got == "string" {
		hint = "compare it, as in text != ''"
	}
	return x.at(diag.CELType, e.Location, fmt.Sprintf("%s is needed here, not %s", article(want), article(got)), hint)
}

// wrongResult explains a result of another kind than the place wants.
func (x *explainer) wrongResult(want Kind, got string) Problem {
	hint := ""
	switch {
	case want == Any:
		return x.whole(diag.CELType, fmt.Sprintf("the expression gives %s, which is not a JSON value", article(got)), "")
	case want == Bool && got == "string":
		hint = "compare it, as in text == 'yes'"
	case want == Bool && got == "int":
		hint = "compare it, as in n > 0"
	case want == String:
		hint = "string(...) makes text of a number, toJson(...) of anything"
	case want == List:
		hint = "[...] makes a list"
	case want == Route && got == "double":
		hint = "int(...) makes an integer"
	}
	return x.whole(diag.CELType, fmt.Sprintf("the expression gives %s, %s is needed", article(got), want), hint)
}
