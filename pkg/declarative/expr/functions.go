package expr

import (
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/decls"
)

// functionSet knows the functions and macros of the language, for messages and for the bound on types.
type functionSet struct {
	decls map[string]*decls.FunctionDecl
	// names are those that an expression can write, macros included, in order.
	names []string
}

func newFunctionSet(env *cel.Env) functionSet {
	f := functionSet{decls: env.Functions()}
	names := slices.Collect(maps.Keys(macroUsage()))
	for name := range f.decls {
		if !strings.ContainsAny(name, "@_!-") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	f.names = slices.Compact(names)
	return f
}

// macroUsage shows how macros are written, which have no declaration to show.
func macroUsage() map[string]string {
	return map[string]string{
		"has":               "has(input.field)",
		"all":               "list.all(x, condition)",
		"exists":            "list.exists(x, condition)",
		"exists_one":        "list.exists_one(x, condition)",
		"existsOne":         "list.existsOne(x, condition)",
		"map":               "list.map(x, expression)",
		"filter":            "list.filter(x, condition)",
		"sortBy":            "list.sortBy(x, key)",
		"transformList":     "list.transformList(i, x, expression)",
		"transformMap":      "map.transformMap(key, value, expression)",
		"transformMapEntry": "map.transformMapEntry(key, value, {key: value})",
		"optMap":            "optional.optMap(x, expression)",
		"optFlatMap":        "optional.optFlatMap(x, expression)",
		"with":              "value.with(name, expression)",
		"math.greatest":     "math.greatest(a, b)",
		"math.least":        "math.least(a, b)",
	}
}

// inNamespace returns the functions below a name like base64 or math, without it.
func (f functionSet) inNamespace(name string) []string {
	var members []string
	for _, fn := range f.names {
		if member, ok := strings.CutPrefix(fn, name+"."); ok {
			members = append(members, member)
		}
	}
	return members
}

// signatures writes the forms of a function that an author can use, at most eight.
func (f functionSet) signatures(name string) string {
	decl, ok := f.decls[name]
	if !ok {
		return ""
	}
	const most = 8
	var forms []string
	for _, o := range decl.OverloadDecls() {
		var args []string
		for _, a := range o.ArgTypes() {
			args = append(args, displayType(cel.FormatCELType(a)))
		}
		form := name
		if o.IsMemberFunction() {
			form, args = args[0]+"."+name, args[1:]
		}
		forms = append(forms, form+"("+strings.Join(args, ", ")+")")
	}
	if len(forms) > most {
		return ""
	}
	return strings.Join(forms, ", ")
}
