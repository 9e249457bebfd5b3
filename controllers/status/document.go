package status

import (
	"slices"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// maxDiagnostics are shown in the status of a template.
const maxDiagnostics = 10

// workflow describes the document that was read last: the one of these results, else the one from before if the template
// still names it.
func workflow(t *v1alpha1.AgentTemplate, results []*compile.Result) *v1alpha1.WorkflowStatus {
	from := t.Spec.WorkflowFrom
	if from == nil {
		return nil
	}
	info := document(results)
	if info == nil {
		if before := t.Status.Workflow; before != nil && before.ConfigMap == from.Name && before.Key == from.Key {
			return before
		}
		return nil
	}
	return &v1alpha1.WorkflowStatus{
		ConfigMap: from.Name, Key: from.Key, SourceHash: info.SourceHash, SHA256: info.SHA256,
		Agents: int32(info.Agents), Nodes: int32(info.Nodes), Edges: int32(info.Edges),
	}
}

// document is the description that says most: a harness may refuse what is valid for another one.
func document(results []*compile.Result) *compile.DocumentInfo {
	var best *compile.DocumentInfo
	for _, r := range results {
		if r.Document != nil && (best == nil || best.SHA256 == "") {
			best = r.Document
		}
	}
	return best
}

// findings are those of all harnesses, each once, in the order of the text.
func findings(results []*compile.Result) diag.List {
	var all diag.List
	for _, r := range results {
		all = append(all, r.Diagnostics...)
	}
	all.Sort()
	seen := map[diag.Diagnostic]bool{}
	return slices.DeleteFunc(all, func(d diag.Diagnostic) bool {
		again := seen[d]
		seen[d] = true
		return again
	})
}

func diagnostics(results []*compile.Result) []v1alpha1.Diagnostic {
	var shown []v1alpha1.Diagnostic
	for _, d := range findings(results) {
		if len(shown) == maxDiagnostics {
			break
		}
		shown = append(shown, v1alpha1.Diagnostic{
			Code: string(d.Code), Severity: d.Severity.String(), File: d.File, Line: int32(d.Line), Column: int32(d.Column),
			Path: d.Path, Message: Cut(d.Message), Hint: Cut(d.Hint),
		})
	}
	return shown
}
