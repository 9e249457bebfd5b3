package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	nameSeparator = "__"
	maxNameLength = 64 // what every model provider accepts
)

// QualifiedName is the name under which models, hooks and audits know a tool of a server: server__tool. A tool's name
// that is too long, or holds anything but letters, digits, "_" and "-", is cut or replaced, and the end of the result
// is then a hash of the full name, so that two of them don't become one.
func QualifiedName(server, tool string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, tool)
	name := server + nameSeparator + plain
	if plain == tool && len(name) <= maxNameLength {
		return name
	}
	sum := sha256.Sum256([]byte(server + nameSeparator + tool))
	hash := "_" + hex.EncodeToString(sum[:4])
	return name[:min(len(name), maxNameLength-len(hash))] + hash
}
