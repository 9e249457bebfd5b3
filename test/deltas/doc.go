// Package deltas reads an answer of a thousand small pieces, of each vendor, with our wires and with plain decoders: what a program
// writes that knows no more than net/http and encoding/json. What both cost is compared here as far as it doesn't depend on the
// machine, and by a program that has the vendors' SDKs beside them.
package deltas
