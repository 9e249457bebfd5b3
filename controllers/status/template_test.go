package status_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/status"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// on is a rollout on a harness, from facts.
func on(harness string, f status.Facts) v1alpha1.HarnessRollout {
	f.Harness = harness
	return status.Rollout(v1alpha1.HarnessRollout{Harness: harness}, &f)
}

func serving(revision string) status.Facts {
	return status.Facts{Result: valid(), Desired: revision, Deployment: newDeployment(revision, 1, complete(1))}
}

func newTemplate() *v1alpha1.AgentTemplate {
	t := &v1alpha1.AgentTemplate{ObjectMeta: metav1.ObjectMeta{Name: "triage", Generation: 4}}
	t.Spec.WorkflowFrom = &v1alpha1.KeyReference{Name: "docs", Key: "agentsystem.yaml"}
	return t
}

func TestTemplate(t *testing.T) {
	missing := status.Facts{Missing: []compile.Missing{{By: "X", Kind: "Secret", Name: "s"}}, Desired: oldRevision}
	invalid := status.Facts{Result: refused(v1alpha1.ReasonWorkflowInvalid, "no"), Desired: oldRevision}
	for _, tt := range []struct {
		name              string
		rollouts          []v1alpha1.HarnessRollout
		harness, revision string
		ready, resolved   string
		compatible        string
	}{
		{"one harness that serves", []v1alpha1.HarnessRollout{on("a", serving(newRevision))}, "a", newRevision,
			"True Ready revision bbbbbbbbbbbb serves", "True Resolved every reference leads to something",
			"True Compatible the harness may and can run it"},
		{"one that doesn't", []v1alpha1.HarnessRollout{on("a", invalid)}, "a", oldRevision,
			"False WorkflowInvalid no", "True Resolved every reference leads to something", "False WorkflowInvalid no"},
		{"several that serve", []v1alpha1.HarnessRollout{on("a", serving(newRevision)), on("b", serving(oldRevision))}, "a +1", newRevision,
			"True Ready 2 harnesses serve", "True Resolved every reference leads to something",
			"True Compatible the harness may and can run it"},
		{"the first that doesn't serve counts",
			[]v1alpha1.HarnessRollout{on("a", serving(newRevision)), on("b", invalid), on("c", invalid)}, "b +2", oldRevision,
			"False WorkflowInvalid Harness b: no", "True Resolved every reference leads to something",
			"False WorkflowInvalid Harness b: no"},
		{"each condition has its own worst", []v1alpha1.HarnessRollout{on("a", missing), on("b", invalid)}, "a +1", oldRevision,
			"False ReferenceMissing Harness a: X: there is no Secret s", "False ReferenceMissing Harness a: X: there is no Secret s",
			"False WorkflowInvalid Harness b: no"},
		{"one whose first try failed", []v1alpha1.HarnessRollout{{Harness: "a"}}, "a", "",
			"Unknown Progressing nothing is known yet", "Unknown Progressing nothing is known yet", "Unknown Progressing nothing is known yet"},
		{"unknown is worse than true", []v1alpha1.HarnessRollout{on("a", serving(newRevision)), on("b", missing)}, "b +1", oldRevision,
			"False ReferenceMissing Harness b: X: there is no Secret s", "False ReferenceMissing Harness b: X: there is no Secret s",
			"Unknown ReferenceMissing Harness b: what is missing has to be there before the rest is checked"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tpl := newTemplate()
			status.Template(tpl, tt.rollouts, nil, nil)
			s := tpl.Status
			got := []string{
				s.Harness, s.Revision, text(s.Conditions, "Ready"), text(s.Conditions, "ResolvedRefs"), text(s.Conditions, "Compatible"),
			}
			if diff := cmp.Diff([]string{tt.harness, tt.revision, tt.ready, tt.resolved, tt.compatible}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !strings.HasPrefix(text(s.Conditions, "Accepted"), "True Accepted taken by a") || s.ObservedGeneration != 4 {
				t.Errorf("it is accepted as %s, of generation %d", text(s.Conditions, "Accepted"), s.ObservedGeneration)
			}
		})
	}
}

func TestTemplateThatNobodyTakes(t *testing.T) {
	tpl := newTemplate()
	status.Template(tpl, []v1alpha1.HarnessRollout{on("a", serving(newRevision))}, nil, nil)
	status.Template(tpl, nil, []status.Refusal{{"a", "wants the labels team=x"}, {"b", "takes no template"}}, nil)
	want := "False NotSelected no Harness takes the template: Harness a wants the labels team=x; Harness b takes no template"
	for kind, want := range map[string]string{"Accepted": want, "Ready": want, "ResolvedRefs": "", "Compatible": ""} {
		if got := text(tpl.Status.Conditions, kind); got != want {
			t.Errorf("%s: got %q, want %q", kind, got, want)
		}
	}
	if s := tpl.Status; s.Harness != "" || s.Revision != "" || s.Harnesses != nil || s.Diagnostics != nil {
		t.Errorf("it still says %+v", s)
	}
	status.Template(tpl, nil, nil, nil)
	if got, want := text(tpl.Status.Conditions, "Ready"), "False NotSelected there is no Harness in the namespace"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestModeAndWorkflow(t *testing.T) {
	tpl := newTemplate()
	results := []*compile.Result{
		{Document: &compile.DocumentInfo{SourceHash: "s", Agents: 1}}, // refused by this harness
		{Document: &compile.DocumentInfo{SourceHash: "s", SHA256: "d", Agents: 1, Nodes: 5, Edges: 6}},
	}
	status.Template(tpl, nil, nil, results)
	want := &v1alpha1.WorkflowStatus{
		ConfigMap: "docs", Key: "agentsystem.yaml", SourceHash: "s", SHA256: "d", Agents: 1, Nodes: 5, Edges: 6,
	}
	if diff := cmp.Diff(want, tpl.Status.Workflow); diff != "" || tpl.Status.Mode != v1alpha1.ModeWorkflow {
		t.Errorf("mode %s (-want +got):\n%s", tpl.Status.Mode, diff)
	}
	status.Template(tpl, nil, nil, nil) // it can't be read now
	if diff := cmp.Diff(want, tpl.Status.Workflow); diff != "" {
		t.Errorf("what was read last is lost (-want +got):\n%s", diff)
	}
	tpl.Spec.WorkflowFrom.Name = "others"
	status.Template(tpl, nil, nil, nil)
	if tpl.Status.Workflow != nil {
		t.Errorf("it still describes %+v", tpl.Status.Workflow)
	}
	tpl.Spec.WorkflowFrom = nil
	status.Template(tpl, nil, nil, results)
	if tpl.Status.Workflow != nil || tpl.Status.Mode != v1alpha1.ModePrompt {
		t.Errorf("a prompt is %s, %+v", tpl.Status.Mode, tpl.Status.Workflow)
	}
}

func TestDiagnostics(t *testing.T) {
	finding := func(line int) diag.Diagnostic {
		return diag.Diagnostic{
			Code: "unknown-reference", File: "configmap/docs/a", Path: "agents[a]", Message: fmt.Sprint("in line ", line), Hint: "mend it",
			Pos: diag.Pos{Line: line, Column: 3},
		}
	}
	var many diag.List
	for i := range 20 {
		many = append(many, finding(20-i))
	}
	tpl := newTemplate()
	status.Template(tpl, nil, nil, []*compile.Result{{Diagnostics: many}, {Diagnostics: diag.List{finding(2), finding(1)}}})
	got := tpl.Status.Diagnostics
	if len(got) != 10 {
		t.Fatalf("there are %d, want 10", len(got))
	}
	want := v1alpha1.Diagnostic{
		Code: "unknown-reference", Severity: "error", File: "configmap/docs/a", Line: 2, Column: 3, Path: "agents[a]",
		Message: "in line 2", Hint: "mend it",
	}
	if diff := cmp.Diff(want, got[1]); diff != "" {
		t.Errorf("the second, each once and in the order of the text (-want +got):\n%s", diff)
	}
}
