package expr

import "strings"

// clip shortens text that goes into a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// quote puts s in quotes, unless it has some itself.
func quote(s string) string {
	if strings.ContainsAny(s, `"'`) {
		return s
	}
	return `"` + s + `"`
}

// quotedWords returns what stands between single quotes in a message of cel-go's, and two empty words after it.
func quotedWords(message string) []string {
	var words []string
	parts := strings.Split(message, "'")
	for i := 1; i < len(parts); i += 2 {
		words = append(words, parts[i])
	}
	return append(words, "", "")
}

// article puts "a" or "an" before the name of a type.
func article(typ string) string {
	if strings.ContainsAny(typ[:min(len(typ), 1)], "aeio") {
		return "an " + typ
	}
	if typ == "null" {
		return typ
	}
	return "a " + typ
}
