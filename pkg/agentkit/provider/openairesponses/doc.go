// Package openairesponses is the wire of OpenAI's Responses API (POST /responses), which others offer as well. It is a wire
// of its own and not a variant of package openai: a turn is a list of items here, not a message.
//
// Nothing is kept at the vendor (store: false), so everything is sent each time. What a model thought goes back as the item
// that it came in, encrypted, and behind it the items that it led to, with the ids that they had: the vendor refuses the
// one without the other. A call has two names, that of the item and the id that its result refers to. A result may hold
// images. And a stream ends with the response as a whole, which says whether it is complete.
package openairesponses
