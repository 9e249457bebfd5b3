package mcp

import (
	"encoding/base64"
	"strings"
)

const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

// encodeName makes a value fit the Mcp-Name header as the protocol says: what isn't plain ASCII, has blanks at an end,
// or looks like an encoded value already, is sent in base64.
func encodeName(name string) string {
	unsafe := func(r rune) bool { return r < 0x20 || r > 0x7e }
	plain := !strings.ContainsFunc(name, unsafe) && strings.TrimSpace(name) == name &&
		!(strings.HasPrefix(name, encodedPrefix) && strings.HasSuffix(name, encodedSuffix))
	if plain {
		return name
	}
	return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(name)) + encodedSuffix
}
