package expr

import "github.com/plait-dev/plait/pkg/declarative/diag"

// Source is an expression that came from a document. Only the loader makes one, so that no expression is ever put
// together from run-time data: what a user or a model says can be a value in an expression, never a part of it.
type Source struct{ text, path string }

// NewSource makes the source of the expression text that stands at path, for instance
// agents[triage].nodes[classify].routes[0].when. The path appears in the messages of evaluation errors.
func NewSource(text, path string) Source { return Source{text: text, path: path} }

// Text returns the expression as it stands in the document.
func (s Source) Text() string { return s.text }

// Path returns the place of the expression in the document.
func (s Source) Path() string { return s.path }

// Problem is one finding inside an expression. Start and End are a half-open range that counts Unicode code points
// from the beginning of the text; End is never before Start and neither lies outside of the text.
type Problem struct {
	Code       diag.Code
	Start, End int
	// Message starts with the offending thing and says what was expected.
	Message string
	// Hint says what to do; empty when the message says it already.
	Hint string
}
