// Package oai is what the two wires of OpenAI have in common: what the names of its models tell, which schemas it can hold
// an answer to, and the small rules that both APIs share. How they say things is alike in nothing, so each wire writes and
// reads its own messages.
package oai
