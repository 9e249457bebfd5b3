// Package google is the wire of the Gemini API (models.generateContent and models.streamGenerateContent of v1beta), which
// Vertex AI offers as well.
//
// What is peculiar to it: all results of a turn stand in one content, and are told from what a person says only by their
// kind. Calls and results have ids on newer servers and none on others; without ids they are paired by position. Signatures
// stand on texts and calls, not on the reasoning alone, and each goes back on the part that it came with. Tokens of thinking
// are counted beside the answer's, cached ones within the prompt's. And a prompt or an answer that a filter stops is told
// with status 200.
package google
