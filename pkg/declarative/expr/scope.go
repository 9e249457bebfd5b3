package expr

import (
	"slices"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// varsName is the variable that holds the values of a cel node's vars.
const varsName = "vars"

// Scope is the set of variables that an expression may use, with their types. It is immutable and may be used by any
// number of goroutines.
type Scope struct {
	env *Env
	// base has the libraries and all variables but vars.
	base *cel.Env
	// roots are the variables in the order in which messages list them.
	roots []root
	// vars are the fields of the variable vars, in the order of the document; nil where there is none.
	vars *object
	// cel makes base with vars, when it is first needed.
	cel func() (*cel.Env, error)
}

// root is a variable that stands at the beginning of a path, as state in state.count.
type root struct {
	name string
	typ  *types.Type
	// object has the fields of the variable; nil for a map and for dyn.
	object *object
}

// placeRoots returns the variables of a place but vars.
func placeRoots(p Place) []root {
	roots := []root{
		{name: "input", typ: types.DynType},
		{name: "state", typ: dynMap()},
		objectRoot("session", sessionObject()),
		objectRoot("user", userObject()),
		objectRoot("invocation", invocationObject()),
	}
	switch p {
	case RetryWhen:
		roots = append(roots, objectRoot("error", failureObject()))
	case BeforeModel:
		roots = append(roots, objectRoot("request", requestObject()))
	case AfterModel:
		roots = append(roots, objectRoot("response", responseObject()))
	case BeforeTool:
		roots = append(roots, objectRoot("tool", toolObject()))
	case AfterTool:
		roots = append(roots, objectRoot("tool", toolObject()), root{name: "result", typ: types.DynType})
	case Node, CelNode:
	}
	return roots
}

func objectRoot(name string, o *object) root { return root{name: name, typ: o.typ, object: o} }

func newScope(env *Env, libraries *cel.Env, p Place) (*Scope, error) {
	roots := placeRoots(p)
	opts := make([]cel.EnvOption, len(roots))
	for i, r := range roots {
		opts[i] = cel.Variable(r.name, r.typ)
	}
	base, err := libraries.Extend(opts...)
	if err != nil {
		return nil, err
	}
	s := &Scope{env: env, base: base, roots: roots, cel: func() (*cel.Env, error) { return base, nil }}
	if p == CelNode {
		return s.withVars(newObject(varsName)), nil
	}
	return s, nil
}

// withVars returns the scope with the fields of o as vars.
func (s *Scope) withVars(o *object) *Scope {
	env, base := s.env, s.base
	return &Scope{
		env: env, base: base, roots: s.roots, vars: o,
		cel: sync.OnceValues(func() (*cel.Env, error) {
			return base.Extend(
				cel.CustomTypeProvider(newProvider(base.CELTypeProvider(), append(slices.Clone(env.objects), o)...)),
				cel.Variable(varsName, o.typ),
			)
		}),
	}
}

// WithVar returns the scope extended by vars.<name>, which the expressions after it in the same cel node may use. t
// is the type of its expression, from [Program.Type]; the zero Type is dyn. Outside of a [CelNode] there are no vars,
// and WithVar returns the scope as it is.
func (s *Scope) WithVar(name string, t Type) *Scope {
	if s.vars == nil {
		return s
	}
	fields := slices.DeleteFunc(slices.Clone(s.vars.fields), func(f field) bool { return f.name == name })
	return s.withVars(newObject(varsName, append(fields, field{name: name, typ: resultType(t.celType())})...))
}

// root returns the variable with a name.
func (s *Scope) root(name string) (root, bool) {
	if name == varsName && s.vars != nil {
		return objectRoot(varsName, s.vars), true
	}
	for _, r := range s.roots {
		if r.name == name {
			return r, true
		}
	}
	return root{}, false
}

// rootNames lists the variables for a message.
func (s *Scope) rootNames() []string {
	var names []string
	for _, r := range s.roots {
		names = append(names, r.name)
	}
	if s.vars != nil {
		names = append(names, varsName)
	}
	return names
}

// objects returns the objects of all variables.
func (s *Scope) objects() []*object {
	if s.vars == nil {
		return s.env.objects
	}
	return append(slices.Clone(s.env.objects), s.vars)
}
