// Package expr compiles and evaluates the expressions of a document, which are written in CEL.
//
// An [Env] is made once. For each place of a document it has a [Scope], the variables that an expression may use
// there; a [Source] is compiled against it into a [Program] or into a list of [Problem], each with its position in the
// text; and a program is evaluated any number of times with an [Activation].
//
// # The language
//
// Beside the standard library there are cel-go's extensions for strings, regular expressions, lists, maths, sets,
// base64, optionals and comprehensions with two variables, and four helpers, which agentgateway has as well:
//
//   - json(text) parses JSON. Text that isn't one JSON value, is empty, is nested more than 128 deep or is longer than
//     1 MiB is an error.
//   - toJson(value) writes compact JSON with sorted keys.
//   - value.with(name, expression) evaluates value once, and before the expression, in which it has the name.
//   - default(value, fallback) is the fallback if value is null or if something on the way to it does not exist, else
//     value. The fallback is only evaluated when it is needed; all other errors of value remain errors.
//
// It differs from agentgateway on purpose: types and names are checked before anything runs, so that an unknown name
// is a mistake and not a missing value; both arguments of default have one type, for which dyn(value) makes an
// exception; json gives ints where agentgateway gives unsigned ones; maps iterate, and toJson writes, in the order of
// their keys; and in does not look into strings.
//
// # Limits
//
// An evaluation has a cost limit, of 1,000,000 and for [Bool] of 100,000, which counts steps and text; a loop also ends
// soon after its context does. What an expression builds is paid for by its full size, however much of it is shared.
package expr
