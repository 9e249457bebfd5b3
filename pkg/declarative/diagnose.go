package declarative

import (
	"slices"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Diagnose makes a finding about the value at a path, such as agents[triage].nodes[classify].type, for those who find
// out more about a document than the validator can.
func (c *Checked) Diagnose(path string, code diag.Code, message, hint string) diag.Diagnostic {
	root := c.Document.origin.file.Root()
	place := root.Find(path)
	if from := root.Find(path + "_from"); from.Path() == path+"_from" { // a prompt, which was inlined
		place = from
	}
	d := place.Diagnostic(code, message, hint)
	d.Path = path
	return d
}

// Locate gives a finding about another form of the same document, for instance its canonical form, its place in the text
// that this one was loaded from.
func (c *Checked) Locate(d diag.Diagnostic) diag.Diagnostic {
	return c.Diagnose(d.Path, d.Code, d.Message, d.Hint)
}

// Agent returns the agent of a name, or nil.
func (c *Checked) Agent(name string) *Agent {
	i := slices.IndexFunc(c.Document.Agents, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Document.Agents[i]
}
