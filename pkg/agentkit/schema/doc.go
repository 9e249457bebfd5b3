// Package schema builds JSON Schemas (2020-12) of what tools take: by combinators, or from a Go struct by [Of].
//
// A schema is sent in the order in which it was built, and the same one is the same bytes each time: models read
// properties in their order, and a vendor's prompt cache is lost with the first byte that moves. Each kind of value has
// its own type with the constraints that make sense for it, so that a pattern of a number doesn't compile.
//
// [Check] holds a value against a schema of this package, so that a program needs no validator for its own tools. It is
// exact about keys: one that the schema doesn't have is refused, and so is one that differs in its case.
package schema
