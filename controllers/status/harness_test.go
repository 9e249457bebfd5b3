package status_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/status"
)

func TestHarness(t *testing.T) {
	bearer := v1alpha1.HarnessSpec{
		Auth:         v1alpha1.Auth{Bearer: &v1alpha1.BearerAuth{SecretName: "keys"}},
		SessionStore: &v1alpha1.SessionStore{File: &v1alpha1.FileStore{PersistentVolumeClaim: v1alpha1.Reference{Name: "sessions"}}},
	}
	open := v1alpha1.HarnessSpec{Auth: v1alpha1.Auth{None: &v1alpha1.NoAuth{}}}
	unreadable := open
	unreadable.AllowedAgentTemplates = &v1alpha1.TemplateSelector{Selector: metav1.LabelSelector{
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: "Near"}},
	}}
	for _, tt := range []struct {
		name    string
		spec    v1alpha1.HarnessSpec
		missing []string
		want    []string
	}{
		{"with keys and a claim", bearer, nil, []string{
			"True Ready everything that it refers to is there",
			"True Persistent sessions are kept on the claim sessions",
			"True Bearer callers need a key of the Secret keys",
		}},
		{"with neither", open, nil, []string{
			"True Ready everything that it refers to is there",
			"False EphemeralSessions sessions end with their pod; spec.sessionStore keeps them",
			"False Unauthenticated everybody who reaches a pod is let in",
		}},
		{"with a selector that can't be read, which comes before what is missing", unreadable, []string{"a: there is no Secret keys"}, []string{
			`False InvalidSelector spec.allowedAgentTemplates.selector: "Near" is not a valid label selector operator; ` +
				"until it is mended, what runs stays and nothing else is taken",
			"False EphemeralSessions sessions end with their pod; spec.sessionStore keeps them",
			"False Unauthenticated everybody who reaches a pod is let in",
		}},
		{"with keys that aren't there", bearer, []string{"a: there is no Secret keys", "b: there is no claim"}, []string{
			"False ReferenceMissing a: there is no Secret keys; b: there is no claim",
			"True Persistent sessions are kept on the claim sessions",
			"True Bearer callers need a key of the Secret keys",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := &v1alpha1.Harness{Spec: tt.spec}
			h.Generation = 3
			status.Harness(h, tt.missing, nil)
			got := []string{
				text(h.Status.Conditions, "Ready"), text(h.Status.Conditions, "Durable"), text(h.Status.Conditions, "Authenticated"),
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || h.Status.ObservedGeneration != 3 {
				t.Errorf("of generation %d (-want +got):\n%s", h.Status.ObservedGeneration, diff)
			}
		})
	}
}

func TestHarnessNamesTheFirstTemplates(t *testing.T) {
	h := &v1alpha1.Harness{}
	var templates []string
	for i := range 120 {
		templates = append(templates, fmt.Sprintf("t%03d", 119-i))
	}
	status.Harness(h, nil, templates)
	if s := h.Status; s.TemplateCount != 120 || len(s.Templates) != 100 || s.Templates[0] != "t000" || s.Templates[99] != "t099" {
		t.Errorf("it counts %d and names %v", s.TemplateCount, s.Templates)
	}
}
