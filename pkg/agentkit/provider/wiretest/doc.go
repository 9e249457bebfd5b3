// Package wiretest is the suite that every wire runs. The rules of a provider are stated once, so they are tested once,
// in the dialect of each vendor: a [Dialect] writes the suite's answers as the vendor would send them and reads what the
// wire sent, and [Run] does the rest over a server on the loopback device.
package wiretest
