package status_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/status"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// statusOf is the status of a template on one harness.
func statusOf(f status.Facts) *v1alpha1.AgentTemplateStatus {
	tpl := newTemplate()
	status.Template(tpl, []v1alpha1.HarnessRollout{on("a", f)}, nil, nil)
	return &tpl.Status
}

func nobody() *v1alpha1.AgentTemplateStatus {
	tpl := newTemplate()
	status.Template(tpl, nil, nil, nil)
	return &tpl.Status
}

// stuckAt is a rollout that is stuck; nothing else is there.
func stuckAt(message string) status.Facts {
	return status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 1, stuck()), PodMessage: message}
}

func TestEvents(t *testing.T) {
	fresh := &v1alpha1.AgentTemplateStatus{}
	missing := status.Facts{Missing: []compile.Missing{{By: "X", Kind: "Secret", Name: "s"}}}
	invalid := status.Facts{Result: &compile.Result{
		Refusal: &compile.Refusal{Reason: v1alpha1.ReasonWorkflowInvalid, Message: "docs:1:2: error[syntax]: one"},
		Diagnostics: diag.List{
			{Code: diag.Syntax, File: "docs", Pos: diag.Pos{Line: 1, Column: 2}, Message: "one"},
			{Code: diag.Syntax, File: "docs", Pos: diag.Pos{Line: 3, Column: 4}, Message: "two"},
		},
	}}
	warned := diag.Diagnostic{Code: diag.Syntax, Severity: diag.Warning, File: "docs", Pos: diag.Pos{Line: 1, Column: 1}, Message: "odd"}
	tooLarge := status.Facts{Result: refused(v1alpha1.ReasonTooLarge, "901 kB")}
	tooLarge.Result.Diagnostics = diag.List{warned}
	odd := status.Facts{Result: refused(v1alpha1.ReasonWorkflowInvalid, "docs:3:4: error[syntax]: two")}
	odd.Result.Diagnostics = diag.List{warned, invalid.Result.Diagnostics[1]}
	progressing := status.Facts{Result: valid(), Desired: newRevision}
	for _, tt := range []struct {
		name          string
		before, after *v1alpha1.AgentTemplateStatus
		result        *compile.Result
		want          []string
	}{
		{"nothing new", statusOf(serving(newRevision)), statusOf(serving(newRevision)), nil, nil},
		{"on its way is no event", fresh, statusOf(progressing), nil, nil},
		{"nobody takes it", fresh, nobody(), nil, []string{"Warning NotSelected there is no Harness in the namespace"}},
		{"nobody takes it still", nobody(), nobody(), nil, nil},
		{"something is missing", fresh, statusOf(missing), nil, []string{"Warning ReferenceMissing Harness a: X: there is no Secret s"}},
		{"it is missing still", statusOf(missing), statusOf(missing), nil, nil},
		{"all that is wrong is told", statusOf(serving(newRevision)), statusOf(invalid), invalid.Result,
			[]string{"Warning WorkflowInvalid Harness a: docs:1:2: error[syntax]: one\ndocs:3:4: error[syntax]: two"}},
		{"a refusal without findings", fresh, statusOf(status.Facts{Result: refused(v1alpha1.ReasonTooLarge, "901 kB")}), nil,
			[]string{"Warning TooLarge Harness a: 901 kB"}},
		{"a refusal that isn't for its warnings", fresh, statusOf(tooLarge), tooLarge.Result,
			[]string{"Warning TooLarge Harness a: 901 kB\ndocs:1:1: warning[syntax]: odd"}},
		{"errors come before warnings", fresh, statusOf(odd), odd.Result,
			[]string{"Warning WorkflowInvalid Harness a: docs:3:4: error[syntax]: two\ndocs:1:1: warning[syntax]: odd"}},
		{"it is mended", statusOf(invalid), statusOf(progressing), nil, nil},
		{"it serves", statusOf(progressing), statusOf(serving(newRevision)), nil,
			[]string{"Normal RevisionReady Harness a: revision bbbbbbbbbbbb serves"}},
		{"it is stuck", statusOf(progressing), statusOf(stuckAt("pod x: no")), nil,
			[]string{"Warning RolloutStuck Harness a: revision bbbbbbbbbbbb doesn't become ready: pod x: no"}},
		{"it is stuck still", statusOf(stuckAt("pod x: no")), statusOf(stuckAt("pod x: no")), nil, nil},
		{"it is stuck for another reason", statusOf(stuckAt("pod x: no")), statusOf(stuckAt("pod x: never")), nil,
			[]string{"Warning RolloutStuck Harness a: revision bbbbbbbbbbbb doesn't become ready: pod x: never"}},
		{"a name is taken", fresh, statusOf(status.Facts{
			Result: valid(), Desired: newRevision, Obstacle: &status.Obstacle{Reason: v1alpha1.ReasonNameTaken, Message: "taken"},
		}), nil, []string{"Warning NameTaken Harness a: taken"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, e := range status.Events(tt.before, tt.after, map[string]*compile.Result{"a": tt.result}) {
				got = append(got, e.Type+" "+e.Reason+" "+e.Note)
				if e.Action == "" || len(e.Note) > status.MaxMessage {
					t.Errorf("the event %+v has no action, or is too long", e)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEventsAreShort(t *testing.T) {
	long := status.Facts{Result: refused(v1alpha1.ReasonWorkflowInvalid, strings.Repeat("a", 3000))}
	for _, e := range status.Events(&v1alpha1.AgentTemplateStatus{}, statusOf(long), nil) {
		if len(e.Note) > status.MaxMessage {
			t.Errorf("it has %d bytes", len(e.Note))
		}
	}
}

func TestInputChanged(t *testing.T) {
	input := func(kind, name, key, hash string) compile.Input {
		return compile.Input{Kind: kind, Name: name, Key: key, Hash: hash}
	}
	before := []compile.Input{
		input("AgentTemplate", "triage", "", "1"), input("ConfigMap", "docs", "a", "1"), input("ConfigMap", "prompts", "x", "1"),
	}
	for _, tt := range []struct {
		name  string
		after []compile.Input
		want  string
	}{
		{"nothing but the controller", before, "what the controller makes of them"},
		{"one key", []compile.Input{before[0], input("ConfigMap", "docs", "a", "2"), before[2]}, "ConfigMap docs, key a, has changed"},
		{"one object", []compile.Input{input("AgentTemplate", "triage", "", "2"), before[1], before[2]}, "AgentTemplate triage has changed"},
		{"several", []compile.Input{before[0], input("ConfigMap", "docs", "a", "2"), input("Secret", "tokens", "t", "1")},
			"ConfigMap docs, key a, has changed; Secret tokens, key t, is new; ConfigMap prompts, key x, is used no more"},
		{"made anew with the same content", []compile.Input{before[0], before[1], {Kind: "ConfigMap", Name: "prompts", Key: "x", UID: "2", Hash: "1"}},
			"what the controller makes of them"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := status.InputChanged("a", oldRevision, newRevision, before, tt.after)
			if want := "Harness a: from revision aaaaaaaaaaaa to bbbbbbbbbbbb: " + tt.want; e.Note != want {
				t.Errorf("got  %s\nwant %s", e.Note, want)
			}
		})
	}
}

func TestRevisionCreated(t *testing.T) {
	got := status.RevisionCreated("a", newRevision)
	want := status.Event{Type: "Normal", Reason: "RevisionCreated", Action: "Compile", Note: "Harness a: revision bbbbbbbbbbbb is made"}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
