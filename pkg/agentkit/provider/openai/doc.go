// Package openai is the wire of OpenAI's chat completions (POST /chat/completions), which most other vendors, gateways and
// servers of open models offer as well. They differ in small things; a [Profile] holds them as data.
//
// Three things are peculiar to the wire. Each result is a message of its own, which holds text only: its images follow the
// results in a message of the user's side. Reasoning isn't part of the API; where a vendor adds it and wants it back, it
// is kept with the name of the member that it came in, or with the vendor's own array, as signature. And a stream ends with
// a reason, then the usage, then [DONE]: an answer without a reason is one that was cut, whoever wrote the [DONE].
//
// OpenAI's newer models take tools here only when they don't reason; package openairesponses has both.
package openai
