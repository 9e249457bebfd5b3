// Package fields is the one table of the AgentSystem document: which maps there are, which fields each of them has, and
// what each field holds, is without a value, and means. The loader takes the names that it knows from here; the JSON
// Schema, plait explain and the reference in docs are written from it.
//
// The table says what a value is by itself. What values are to each other is code: of the loader, as far as a map decides
// it, and of the validator.
package fields
