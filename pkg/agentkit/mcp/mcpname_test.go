package mcp

import "testing"

func TestEncodeName(t *testing.T) {
	for name, want := range map[string]string{
		"lookup_customer":  "lookup_customer",
		"two words":        "two words",
		"":                 "",
		" led by a blank":  "=?base64?IGxlZCBieSBhIGJsYW5r?=",
		"ends in a blank ": "=?base64?ZW5kcyBpbiBhIGJsYW5rIA==?=",
		"größe":            "=?base64?Z3LDtsOfZQ==?=",
		"line\nbreak":      "=?base64?bGluZQpicmVhaw==?=",
		"=?base64?eA==?=":  "=?base64?PT9iYXNlNjQ/ZUE9PT89?=",
		"=?base64?":        "=?base64?",
	} {
		if got := encodeName(name); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}
