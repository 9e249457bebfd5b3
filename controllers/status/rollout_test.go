package status_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/status"
)

const (
	oldRevision = "aaaaaaaaaaaa"
	newRevision = "bbbbbbbbbbbb"
)

// text is "STATUS REASON MESSAGE" of a condition.
func text(conditions []metav1.Condition, kind string) string {
	c := meta.FindStatusCondition(conditions, kind)
	if c == nil {
		return ""
	}
	return strings.Join([]string{string(c.Status), c.Reason, c.Message}, " ")
}

func valid() *compile.Result {
	return &compile.Result{Revision: &compile.Revision{Hash: newRevision + strings.Repeat("0", 52)}}
}

func refused(reason, message string) *compile.Result {
	return &compile.Result{Refusal: &compile.Refusal{Reason: reason, Message: message}}
}

func TestReady(t *testing.T) {
	missing := []compile.Missing{{By: "AgentTemplate a: spec.workflowFrom", Kind: "ConfigMap", Name: "docs"}}
	for _, tt := range []struct {
		name   string
		latest string
		facts  status.Facts
		want   string
	}{
		{"nothing there yet", "", status.Facts{Result: valid(), Desired: newRevision},
			"False Progressing revision bbbbbbbbbbbb is on its way"},
		{"the Deployment has another revision", oldRevision,
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(oldRevision, 1, complete(1))},
			"False Progressing revision bbbbbbbbbbbb is on its way"},
		{"on its way", oldRevision,
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 2, onItsWay())},
			"False Progressing revision bbbbbbbbbbbb is on its way: 1 of 2 pods are ready; revision aaaaaaaaaaaa goes on"},
		{"it serves", oldRevision,
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 2, complete(2))},
			"True Ready revision bbbbbbbbbbbb serves"},
		{"a pod of it is lost", newRevision,
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 3, complete(2))},
			"False Progressing revision bbbbbbbbbbbb is on its way: 2 of 3 pods are ready"},
		{"it is stuck", oldRevision,
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 1, stuck()), PodMessage: "pod a: no"},
			"False RolloutStuck revision bbbbbbbbbbbb doesn't become ready: pod a: no; revision aaaaaaaaaaaa goes on"},
		{"no replicas are wanted", oldRevision,
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 0, complete(0))},
			"False ScaledToZero the Harness wants no replicas, so that nothing serves"},
		{"something is missing", oldRevision,
			status.Facts{Missing: missing, Desired: oldRevision, Deployment: newDeployment(oldRevision, 1, complete(1))},
			"False ReferenceMissing AgentTemplate a: spec.workflowFrom: there is no ConfigMap docs; revision aaaaaaaaaaaa goes on"},
		{"the document is invalid from the beginning", "",
			status.Facts{Result: refused(v1alpha1.ReasonWorkflowInvalid, "docs:1:2: error[syntax]: no")},
			"False WorkflowInvalid docs:1:2: error[syntax]: no"},
		{"the document asks for too much", oldRevision,
			status.Facts{Result: refused(v1alpha1.ReasonPolicyViolation, "no bash"), Desired: oldRevision, Deployment: newDeployment(oldRevision, 1, complete(1))},
			"False PolicyViolation no bash; revision aaaaaaaaaaaa goes on"},
		{"a name is taken", "", status.Facts{
			Result: valid(), Desired: newRevision, Obstacle: &status.Obstacle{Reason: v1alpha1.ReasonNameTaken, Message: "it is taken"},
		}, "False NameTaken it is taken"},
		{"the API server refuses it", oldRevision, status.Facts{
			Result: valid(), Desired: newRevision, Deployment: newDeployment(oldRevision, 1, complete(1)),
			Obstacle: &status.Obstacle{Reason: v1alpha1.ReasonRejected, Message: "it is invalid:\nno."},
		}, "False Rejected it is invalid:; no; revision aaaaaaaaaaaa goes on"},
		{"pinned, and it serves", oldRevision,
			status.Facts{Result: valid(), Hold: v1alpha1.ReasonPinned, Desired: oldRevision, Deployment: newDeployment(oldRevision, 1, complete(1))},
			"True Pinned revision aaaaaaaaaaaa serves; spec.revision keeps it"},
		{"pinned, and inputs are broken", oldRevision, status.Facts{
			Result: refused(v1alpha1.ReasonWorkflowInvalid, "no"), Hold: v1alpha1.ReasonPinned, Desired: oldRevision,
			Deployment: newDeployment(oldRevision, 1, complete(1)),
		}, "True Pinned revision aaaaaaaaaaaa serves; spec.revision keeps it"},
		{"pinned to nothing", newRevision, status.Facts{
			Result: valid(), Hold: v1alpha1.ReasonPinned, Desired: oldRevision, Deployment: newDeployment(newRevision, 1, complete(1)),
			Obstacle: &status.Obstacle{Reason: v1alpha1.ReasonRevisionMissing, Message: "it isn't there"},
		}, "False RevisionMissing it isn't there; revision bbbbbbbbbbbb goes on"},
		{"suspended, and it serves", oldRevision,
			status.Facts{Result: valid(), Hold: v1alpha1.ReasonSuspended, Desired: oldRevision, Deployment: newDeployment(oldRevision, 1, complete(1))},
			"True Suspended revision aaaaaaaaaaaa serves; spec.suspend keeps it"},
		{"suspended on its way", "",
			status.Facts{Result: valid(), Hold: v1alpha1.ReasonSuspended, Desired: oldRevision, Deployment: newDeployment(oldRevision, 2, onItsWay())},
			"False Progressing revision aaaaaaaaaaaa is on its way: 1 of 2 pods are ready"},
		{"suspended from the beginning", "", status.Facts{Missing: missing, Hold: v1alpha1.ReasonSuspended},
			"False Suspended spec.suspend keeps new revisions back, and there is none yet"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.facts.Harness, tt.facts.Generation = "standard", 7
			after := status.Rollout(v1alpha1.HarnessRollout{Harness: "standard", LatestSuccessfulRevision: tt.latest}, &tt.facts)
			if got := text(after.Conditions, v1alpha1.ConditionReady); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			for _, c := range after.Conditions {
				if c.ObservedGeneration != 7 || strings.HasSuffix(c.Message, ".") {
					t.Errorf("%s is about generation %d and says %q", c.Type, c.ObservedGeneration, c.Message)
				}
			}
		})
	}
}

func TestResolvedAndCompatible(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		facts                status.Facts
		resolved, compatible string
	}{
		{"all is well", status.Facts{Result: valid()},
			"True Resolved every reference leads to something", "True Compatible the harness may and can run it"},
		{"everything that is missing is named", status.Facts{Missing: []compile.Missing{
			{By: "AgentTemplate a: spec.modelConfig", Kind: "ModelConfig", Name: "m"},
			{By: "Harness h: spec.env[A]", Kind: "Secret", Name: "s", Key: "k"},
		}}, "False ReferenceMissing AgentTemplate a: spec.modelConfig: there is no ModelConfig m; Harness h: spec.env[A]: the Secret s has no key k",
			"Unknown ReferenceMissing what is missing has to be there before the rest is checked"},
		{"a refusal has its own reason", status.Facts{Result: refused(v1alpha1.ReasonTooLarge, "the config has 901 kB")},
			"True Resolved every reference leads to something", "False TooLarge the config has 901 kB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			after := status.Rollout(v1alpha1.HarnessRollout{}, &tt.facts)
			if got := text(after.Conditions, v1alpha1.ConditionResolvedRefs); got != tt.resolved {
				t.Errorf("got  %s\nwant %s", got, tt.resolved)
			}
			if got := text(after.Conditions, v1alpha1.ConditionCompatible); got != tt.compatible {
				t.Errorf("got  %s\nwant %s", got, tt.compatible)
			}
		})
	}
}

// The last revision that worked is that of the pods, and not the one that is wanted.
func TestLatestSuccessfulRevision(t *testing.T) {
	before := v1alpha1.HarnessRollout{Harness: "standard", LatestSuccessfulRevision: oldRevision, Replicas: 9, ReadyReplicas: 9}
	for _, tt := range []struct {
		name            string
		facts           status.Facts
		latest          string
		replicas, ready int32
	}{
		{"stays without a Deployment", status.Facts{Result: valid(), Desired: newRevision}, oldRevision, 0, 0},
		{"stays while the new one is on its way",
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 2, onItsWay())}, oldRevision, 2, 1},
		{"stays when the new one is stuck",
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 2, stuck())}, oldRevision, 2, 1},
		{"is the new one when it serves",
			status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 2, complete(2))}, newRevision, 2, 2},
		{"is what was under way when the next document is invalid",
			status.Facts{Result: refused("WorkflowInvalid", "no"), Desired: newRevision, Deployment: newDeployment(newRevision, 1, complete(1))},
			newRevision, 1, 1},
		{"isn't one that nobody wants", status.Facts{Result: valid(), Desired: newRevision, Deployment: newDeployment(newRevision, 0, complete(0))},
			oldRevision, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.facts.Harness = "standard"
			after := status.Rollout(before, &tt.facts)
			got := []any{after.Harness, after.DesiredRevision, after.LatestSuccessfulRevision, after.Replicas, after.ReadyReplicas}
			want := []any{"standard", tt.facts.Desired, tt.latest, tt.replicas, tt.ready}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if before.Replicas != 9 || len(before.Conditions) > 0 {
		t.Errorf("what was before has become %+v", before)
	}
}
