package expr

import (
	"errors"
	"reflect"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// default() tells a missing key from other errors by the type and the text of cel-go's errors, neither of which is a
// promise of cel-go's. This test fails when an upgrade changes them.
func TestMissingKeyTexts(t *testing.T) {
	if resolutionError == nil {
		t.Fatal("cel-go's error for a missing key could not be provoked")
	}
	env, err := cel.NewEnv(cel.Variable("input", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text, want, name string
		missing          bool
	}{
		{`input.absent`, "no such key: absent", "absent", true},
		{`input['absent']`, "no such key: absent", "absent", true},
		{`{'a': 1}['b']`, "no such key: b", "b", true},
		{`input.text.member`, "no such key: member", "member", true},
		{`input.number.member`, "no such key: member", "member", true},
		{`input.none.member`, "no such key: member", "member", true},
		{`input.text[0]`, "no such key: 0", "0", true},
		{`input.list.member`, "unsupported index type 'string' in list", "", true},
		{`input.list[7]`, "index out of bounds: 7", "", false},
		{`1 / int('0')`, "division by zero", "", false},
	} {
		ast, iss := env.Compile(c.text)
		if iss.Err() != nil {
			t.Fatal(iss.Err())
		}
		program, err := env.Program(ast)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = program.Eval(map[string]any{"input": map[string]any{
			"text": "abc", "number": 1, "none": nil, "list": []any{},
		}})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: cel-go's error is %q, was %q", c.text, err, c.want)
		}
		name, missing := missingName(err)
		if missing != c.missing || name != c.name {
			t.Errorf("%s: missing %v %q, want %v %q", c.text, missing, name, c.missing, c.name)
		}
		if missing != isMissing(types.WrapErr(err)) {
			t.Errorf("%s: the error and its value are told apart", c.text)
		}
	}
}

// Text alone proves nothing.
func TestOtherErrorsWithTheSameText(t *testing.T) {
	for _, err := range []error{
		errors.New("no such key: x"),
		types.NewErr("no such key: %s", "x").(*types.Err),
		errors.New("unsupported index type 'string' in list: no such key: x"),
	} {
		if _, missing := missingName(err); missing {
			t.Errorf("%T %q is taken for a missing key", err, err)
		}
	}
	if _, missing := missingName(&missingField{name: "f"}); !missing {
		t.Error("a missing field of one of our objects isn't taken for one")
	}
	if isMissing(types.String("no such key: x")) || isMissing(types.NullValue) {
		t.Error("a value is taken for a missing key")
	}
}

// Two errors of cel-go's are shared by everyone; they must carry a position before anyone evaluates, so that nobody
// writes it later.
func TestSharedErrorsAreLabelled(t *testing.T) {
	if _, err := NewEnv(); err != nil {
		t.Fatal(err)
	}
	shared := types.NoSuchOverloadErr().(*types.Err)
	if shared.NodeID() != nowhere {
		t.Errorf("the shared error for overloads has id %d", shared.NodeID())
	}
	overflow := types.Int(1 << 62).ConvertToType(types.TimestampType).(*types.Err)
	if overflow.NodeID() != nowhere {
		t.Errorf("the shared error for timestamps has id %d", overflow.NodeID())
	}
}

// The functions that we replace, guard or price must still exist under their names.
func TestNamesOfFunctions(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for name := range guarded() {
		if env.guards[name] == nil {
			t.Errorf("%s() is not guarded", name)
		}
	}
	for _, name := range []string{
		regexReplace, regexExtract, regexExtractAll, mapInsertFunc, defaultFunc, seqFunc, orderedFunc,
		"base64.encode", "base64.decode",
	} {
		if _, ok := env.functions.decls[name]; !ok {
			t.Errorf("%s() is not declared", name)
		}
	}
	macros := map[string]bool{}
	cenv, err := env.Scope(Node).cel()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range cenv.Macros() {
		macros[m.Function()] = true
	}
	for name := range macroUsage() {
		if name != "math.greatest" && name != "math.least" && !macros[name] {
			t.Errorf("%s is not a macro", name)
		}
	}
}

// Nothing that isn't meant to be there came in with a library.
func TestNoUnpricedFunctions(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"json.encode", "json.parse", "yaml.encode", "yaml.parse", "base64.encodeUrl", "cel.@block"} {
		if _, ok := env.functions.decls[name]; ok {
			t.Errorf("%s() is declared", name)
		}
	}
}

func TestObjectsHaveDistinctTypes(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range objects() {
		if seen[o.typ.TypeName()] {
			t.Errorf("%s twice", o.typ.TypeName())
		}
		seen[o.typ.TypeName()] = true
		if _, ok := o.fields[0].read(reflect.New(reflect.TypeFor[struct{}]()).Interface()); ok {
			t.Errorf("%s reads a foreign value", o.name())
		}
	}
}
