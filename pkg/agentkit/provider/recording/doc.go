// Package recording keeps the traffic between models and vendors in files, and gives it back in the vendor's place.
//
// An exchange is two files, NUMBER.request and NUMBER.answer, each an HTTP message that can be read: a first line, headers, an
// empty line, and the body in its own bytes. Secrets aren't in them: headers that carry credentials are left out by their
// names, and the values of all secrets of a request are removed wherever they stand, in URLs, headers and both bodies. What a
// model repeats of a secret in several pieces can't be recognized.
//
// A request is found again by its method, path, query and body, in which white space and the order of members make no
// difference. Where it goes doesn't matter, so another server may be named in its place.
package recording
