package cli

import (
	"fmt"
	"unicode/utf8"
)

// checkText checks what a person wrote on the command line, before a store makes other text of it.
func checkText(what, text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s isn't UTF-8", what)
	}
	return nil
}
