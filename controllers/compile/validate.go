package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// lateFinding is a finding of the compiler's own, which has a place in the text once the validator has read it.
type lateFinding struct {
	path          string
	code          diag.Code
	message, hint string
}

// validate checks the document against what the harness allows and has.
func (c *compilation) validate() *Refusal {
	c.usage = usageOf(c.doc)
	c.allowed = c.allow()
	checked, found := declarative.Validate(c.doc, c.allowed.options())
	c.find(found...)
	c.checked = checked
	for _, late := range c.late {
		c.find(c.locate(late))
	}
	c.disallowedModels()
	if c.result.Document != nil {
		c.result.Document.Agents = len(c.doc.Agents)
		c.result.Document.Nodes, c.result.Document.Edges = c.usage.nodes, c.usage.edges
	}
	return c.refuseFindings()
}

// disallowedModels reports models that the template maps and the harness doesn't let documents use. To the validator
// that is one thing, to the person who can change it, it isn't.
func (c *compilation) disallowedModels() {
	for _, use := range c.usage.models {
		if !slices.Contains(c.allowed.mapped, use.name) || slices.Contains(c.allowed.models, use.name) {
			continue
		}
		d := c.locate(lateFinding{
			path: use.path, code: diag.UnknownRef,
			message: fmt.Sprintf("the harness doesn't let documents use the model %q", use.name),
			hint:    "it allows: " + strings.Join(c.allowed.models, ", "),
		})
		c.disallowed = append(c.disallowed, d)
		c.find(d)
	}
}

// locate gives a finding its place in the text. In a document with other errors it has none but its path.
func (c *compilation) locate(late lateFinding) diag.Diagnostic {
	if c.checked != nil {
		return c.checked.Diagnose(late.path, late.code, late.message, late.hint)
	}
	d := diag.Diagnostic{Code: late.code, Severity: late.code.Severity(), Path: late.path, Message: late.message, Hint: late.hint}
	if c.in.Source != nil {
		d.File = c.in.Source.file()
	}
	return d
}
