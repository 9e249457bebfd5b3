package expr

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/ext"
)

// MaxParts is how many names, operators and calls an expression may have, with those that macros make of it.
const MaxParts = 50_000

// The other limits of an expression's text and tree.
const (
	maxCodePoints = 100_000
	maxRecursion  = 250
)

// Env is the language that expressions are written in: CEL with its libraries, our helpers, and for each [Place] its
// variables. It is immutable and may be used by any number of goroutines. A process needs one.
type Env struct {
	scopes [AfterTool + 1]*Scope
	guards guardedCalls
	// functions and objects are those of all scopes; vars is in its scope.
	functions functionSet
	objects   []*object
}

// NewEnv makes the environment, which takes about a millisecond.
func NewEnv() (*Env, error) {
	labelSharedErrors()
	std, err := cel.NewEnv(libraries(), helpers(), limits())
	if err != nil {
		return nil, fmt.Errorf("expression environment: %w", err)
	}
	e := &Env{objects: objects()}
	if e.guards, err = newGuardedCalls(std); err != nil {
		return nil, fmt.Errorf("expression environment: %w", err)
	}
	// cel-go registers the types of its libraries with its own provider, so ours comes after them.
	base, err := std.Extend(
		cel.CustomTypeAdapter(adapter{}),
		cel.CustomTypeProvider(newProvider(std.CELTypeProvider(), e.objects...)),
		orderedMacros(std.Macros()),
		cel.EagerlyValidateDeclarations(true),
	)
	if err != nil {
		return nil, fmt.Errorf("expression environment: %w", err)
	}
	e.functions = newFunctionSet(base)
	for place := range e.scopes {
		if e.scopes[place], err = newScope(e, base, Place(place)); err != nil {
			return nil, fmt.Errorf("expression environment: %w", err)
		}
	}
	return e, nil
}

// Scope returns the variables of a place. In a [CelNode] vars is empty; see [Scope.WithVar].
func (e *Env) Scope(p Place) *Scope { return e.scopes[p] }

func libraries() cel.EnvOption {
	return options(
		cel.OptionalTypes(),
		// Version 5 is version 4 with a cost model and a bound on the precision of format().
		ext.Strings(ext.StringsVersion(5)),
		ext.Regex(),
		ext.Lists(),
		ext.Math(),
		ext.Sets(),
		// Later versions add json.encode, json.parse and yaml, whose cost cel-go takes to be infinite.
		ext.Encoders(ext.EncodersVersion(0)),
		ext.TwoVarComprehensions(),
		cel.CrossTypeNumericComparisons(true),
		cel.EnableHiddenAccumulatorName(true),
	)
}

func helpers() cel.EnvOption {
	return options(
		declareJSON(),
		declareDefault(),
		declareWith(),
		declareBase64(),
		declareOrdered(),
		cel.Macros(
			cel.GlobalVarArgMacro(jsonFunc, refuseUnless(1, "json() takes one argument: json(text)")),
			cel.GlobalVarArgMacro(toJSONFunc, refuseUnless(1, "toJson() takes one argument: toJson(value)")),
			cel.GlobalVarArgMacro(defaultFunc,
				refuseUnless(2, "default() takes a value and a fallback: default(value, fallback)")),
			cel.ReceiverVarArgMacro(defaultFunc, refuse("default() is written before its arguments: default(value, fallback)")),
			cel.ReceiverVarArgMacro(jsonFunc, refuse("json() is written before its argument: json(text)")),
			cel.ReceiverVarArgMacro(toJSONFunc, refuse("toJson() is written before its argument: toJson(value)")),
		),
	)
}

func limits() cel.EnvOption {
	return options(
		cel.ParserExpressionSizeLimit(maxCodePoints),
		cel.ExpressionNodeLimit(MaxParts),
		cel.ParserRecursionLimit(maxRecursion),
	)
}

// options makes one option of several.
func options(opts ...cel.EnvOption) cel.EnvOption {
	return func(e *cel.Env) (*cel.Env, error) {
		var err error
		for _, o := range opts {
			if e, err = o(e); err != nil {
				return nil, err
			}
		}
		return e, nil
	}
}
