// Package damage damages answers in the ways in which networks, gateways and vendors do, and tells what a reader makes of
// that. It doesn't know who reads.
package damage
