package compile

import (
	"slices"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// refuse says that there can be no revision of these inputs.
func refuse(message string) *Refusal {
	return &Refusal{Reason: v1alpha1.ReasonWorkflowInvalid, Message: message}
}

// refuseFindings refuses a document with errors. It is the policy's fault when all of them are about what the harness
// doesn't allow.
func (c *compilation) refuseFindings() *Refusal {
	found := c.result.Diagnostics
	found.Sort()
	err := found.Err()
	if err == nil {
		return nil
	}
	refusal := refuse(err.Error())
	if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && !c.isPolicy(d) }) {
		refusal.Reason = v1alpha1.ReasonPolicyViolation
	}
	return refusal
}

// isPolicy says whether a finding is about what the harness doesn't allow.
func (c *compilation) isPolicy(d diag.Diagnostic) bool {
	switch d.Code {
	case diag.EnvNotExposed, diag.HostNotAllowed, diag.ToolNotAllowed:
		return true
	default:
		return slices.Contains(c.disallowed, d)
	}
}
