// Package diag holds the one type in which plait reports what is wrong with a document, the table of its codes
// and the text form that people read. The CLI, the controller and the harness share it, so that one mistake is
// described by one sentence wherever it is found.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Severity says whether a finding stops a document from being used.
type Severity int

// A document with an [Error] is not run; a [Warning] is shown and the document is used.
const (
	Error Severity = iota
	Warning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// MarshalText writes the severity as a word, so that JSON output says "error" and not a number.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what [Severity.MarshalText] wrote.
func (s *Severity) UnmarshalText(text []byte) error {
	switch string(text) {
	case "error":
		*s = Error
	case "warning":
		*s = Warning
	default:
		return fmt.Errorf("%q is no severity; expected error or warning", text)
	}
	return nil
}

// Pos is a half-open range on one line of a source file. Line and Column count from 1; Column and EndColumn count
// Unicode code points, as editors do. The zero Pos means that the document has no source text, as one built in Go.
type Pos struct {
	Line      int `json:"line,omitempty"`
	Column    int `json:"column,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
}

// IsZero reports whether the position is unknown.
func (p Pos) IsZero() bool { return p.Line == 0 }

// Diagnostic is one finding about a document, placed well enough to be acted on without a debugger.
type Diagnostic struct {
	// Code is the stable name of the rule, for instance "unknown-field".
	Code Code `json:"code"`
	// Severity is taken from the table of codes.
	Severity Severity `json:"severity"`
	// File is the name of the source as the user gave it; empty for a document built in Go.
	File string `json:"file,omitempty"`
	// Path names the place by identity: agents[triage].nodes[classify].routes[0].when.
	Path string `json:"path,omitempty"`
	// Pointer is the same place as a JSON Pointer (RFC 6901) into the source document.
	Pointer string `json:"pointer"`
	Pos
	// Message starts with the offending thing and says what was expected.
	Message string `json:"message"`
	// Hint says what to do; empty when the message says it already.
	Hint string `json:"hint,omitempty"`
}

// Error makes a diagnostic usable as an error: file, position, code and message on one line.
func (d Diagnostic) Error() string {
	return fmt.Sprintf("%s%s[%s]: %s", d.place(), d.Severity, d.Code, d.Message)
}

// place is the prefix "file:line:col: ", with the path in its stead when there is no source position.
func (d Diagnostic) place() string {
	switch {
	case d.IsZero() && d.Path == "":
		return prefix(d.File)
	case d.IsZero():
		return prefix(d.File) + d.Path + ": "
	case d.File == "":
		return fmt.Sprintf("%d:%d: ", d.Line, d.Column)
	default:
		return fmt.Sprintf("%s:%d:%d: ", d.File, d.Line, d.Column)
	}
}

func prefix(file string) string {
	if file == "" {
		return ""
	}
	return file + ": "
}

// List is every finding about one or more documents.
type List []Diagnostic

// HasErrors reports whether any finding is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort puts the list in source order: file, line, column, then code and message so that equal places have one order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// Err returns nil when no finding is an error, else an error that prints the first and counts the rest.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &ListError{List: l}
}

// ListError carries a whole [List] as an error; errors.As finds it.
type ListError struct{ List List }

// Error prints the first error of the list and counts the others.
func (e *ListError) Error() string {
	n := 0
	var first Diagnostic
	for _, d := range e.List {
		if d.Severity != Error {
			continue
		}
		if n == 0 {
			first = d
		}
		n++
	}
	if n > 1 {
		return fmt.Sprintf("%s (and %d more)", first.Error(), n-1)
	}
	return first.Error()
}
