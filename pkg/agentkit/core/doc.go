// Package core is the vocabulary of the agent SDK: messages and their parts, tools, and what a model provider is.
// It holds no behaviour beyond its own invariants, starts no goroutine, and stands on the standard library and
// pkg/journal alone, so that the loop, a provider, a tool or a test can share it without dragging in one another.
//
// Two rules run through it. Bytes that a model wrote (the arguments of a tool call, the signature of a thought) are
// kept as they came, never decoded and encoded again: key order, number literals and white space survive to the next
// request, and so does the vendor's prompt cache. And a message is one struct of the journal's vocabulary: what is
// committed, what is sent and what is shown are the same value.
package core
