package apply

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestTaken(t *testing.T) {
	owner := func(s *corev1.Service) *metav1.OwnerReference { return &s.OwnerReferences[0] }
	const deletion = "; delete or rename it, it isn't taken over"
	for _, tt := range []struct {
		name   string
		change func(*corev1.Service)
		want   string
	}{
		{"it is ours", func(*corev1.Service) {}, ""},
		{"it is ours with another label", func(s *corev1.Service) { s.Labels[LabelHarness] = "other" }, ""},
		{"it is nobody's", func(s *corev1.Service) { s.OwnerReferences = nil }, "nobody" + deletion},
		{"another owner that doesn't control it", func(s *corev1.Service) { owner(s).Controller = nil }, "nobody" + deletion},
		{"a template of our name was there before us", func(s *corev1.Service) { owner(s).UID = "9" },
			"an AgentTemplate triage that is gone" + deletion},
		{"another kind", func(s *corev1.Service) { owner(s).Kind, owner(s).UID = "Gateway", "9" }, "Gateway triage" + deletion},
		{"a kind of this name in another group", func(s *corev1.Service) { owner(s).APIVersion, owner(s).UID = "example.com/v1", "9" },
			"AgentTemplate triage" + deletion},
		{"another template, which would make it again", func(s *corev1.Service) { owner(s).Name, owner(s).UID = "a", "9" },
			"AgentTemplate a; rename this template or the Harness, both pairs make the same name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			have, want := testRollout().service(), testRollout().service()
			tt.change(have)
			got := ""
			if e := taken(have, want); e != nil {
				got = e.Error()
			}
			if tt.want != "" {
				tt.want = "the Service triage-standard belongs to " + tt.want
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}
