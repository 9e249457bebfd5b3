// Package jsonx is strict JSON for bytes that a model or a peer wrote: it checks a text without decoding it, and takes an
// object apart without losing the order of its members or the spelling of its values.
//
// It refuses what encoding/json lets pass in silence. A key given twice is an error, because two readers of the same
// bytes may see two different values, and the one that a guardrail looked at isn't the one that a tool then takes. So
// are bytes that aren't UTF-8, anything behind the value, and nesting beyond [MaxDepth]. Keys are compared as they are,
// never folded.
//
// [Reader] and [Writer] are for peers whose messages come and go often: one reads a text in place, the other appends to
// a slice, and neither builds a tree or uses reflection.
package jsonx
