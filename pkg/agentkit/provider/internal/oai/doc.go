// Package oai is what the two wires of OpenAI have in common: what the names of its models tell, which schemas it can
// hold an answer to, and the small rules that its APIs share. The wires themselves have no code in common, because
// nothing in their messages is alike.
package oai
