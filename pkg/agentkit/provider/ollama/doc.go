// Package ollama is the wire of Ollama's own API (POST /api/chat), whose streams are lines of JSON.
//
// What is peculiar to it: a message has one text, one reasoning and a list of calls, in whatever order they were said, and
// each result is a message of its own. Calls have ids on newer servers; those of older ones are paired by position, which is
// why the order of results is kept. Reasoning has no signature. That a result is an error can't be said but in its text.
// A failure is told in a line of a stream that began well. And where other vendors refuse what is too long, a server leaves
// out the beginning of the session without a word, unless it is told not to: here it is.
package ollama
