// Package anthropic is the wire of the Messages API (POST /v1/messages, anthropic-version 2023-06-01), which several
// other vendors and gateways offer as well.
//
// Three things are peculiar to it. All results of a turn stand in one user message, and they come first in it. Reasoning
// is replayed block by block with its signature, the withheld kind too, but a message of the model mustn't end in it. And
// the caller marks where the cached prefix ends: here behind the tools, behind the system prompt, and behind the two
// newest messages of the user's side, so that each turn reads what the one before it wrote.
package anthropic
