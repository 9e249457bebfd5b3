// Package scenario holds what our wires and the vendors' SDKs are compared with: inputs alone. A [Scenario] is a request in
// words of no vendor, and each vendor's answer to it is a file in streams. What a request looks like on a wire, and what is read
// in an answer, stands nowhere here: the SDKs say it.
package scenario
