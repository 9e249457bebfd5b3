package template

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// wants is a harness that takes templates of a team.
func wants(team string) client.Object {
	h := &v1alpha1.Harness{}
	h.Spec.AllowedAgentTemplates = &v1alpha1.TemplateSelector{
		Selector: metav1.LabelSelector{MatchLabels: map[string]string{"team": team}},
	}
	return h
}

func TestConcerns(t *testing.T) {
	of := func(accepted metav1.ConditionStatus) *v1alpha1.AgentTemplate {
		tpl := &v1alpha1.AgentTemplate{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"team": "support"}}}
		if accepted != "" {
			tpl.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionAccepted, Status: accepted}}
		}
		return tpl
	}
	for _, tt := range []struct {
		name      string
		template  *v1alpha1.AgentTemplate
		harnesses []client.Object
		want      bool
	}{
		{"it takes the template", of(metav1.ConditionTrue), []client.Object{wants("support")}, true},
		{"it took it until now", of(metav1.ConditionTrue), []client.Object{wants("support"), wants("sales")}, true},
		{"it takes it from now on", of(metav1.ConditionTrue), []client.Object{wants("sales"), wants("support")}, true},
		{"another one takes it", of(metav1.ConditionTrue), []client.Object{wants("sales"), wants("legal")}, false},
		{"nobody takes it, and it says why", of(metav1.ConditionFalse), []client.Object{wants("sales")}, true},
		{"it may have something where the selector couldn't be read", of(metav1.ConditionTrue), []client.Object{wants("te am!"), wants("sales")}, true},
		{"it is new, and on its own way", of(""), []client.Object{wants("sales")}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := concerns(tt.template, tt.harnesses); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

// own is an object of the controller's.
func own() client.Object {
	controls := true
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{
		APIVersion: "plait.dev/v1alpha1", Kind: "AgentTemplate", Name: "a", Controller: &controls,
	}}}}
}

func TestPredicates(t *testing.T) {
	type passes struct{ create, update, remove bool }
	for _, tt := range []struct {
		name      string
		predicate predicate.Predicate
		object    client.Object
		want      passes
	}{
		{"a Service of somebody else comes or goes", comesOrGoes(), &corev1.Service{}, passes{true, false, true}},
		{"a Service of ours concerns no list", comesOrGoes(), own(), passes{}},
		{"a ConfigMap of somebody else changes", notMade(), &corev1.ConfigMap{}, passes{true, true, true}},
		{"a revision is deleted by somebody", notMade(), own(), passes{false, false, true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := passes{
				tt.predicate.Create(event.CreateEvent{Object: tt.object}),
				tt.predicate.Update(event.UpdateEvent{ObjectOld: tt.object, ObjectNew: tt.object}),
				tt.predicate.Delete(event.DeleteEvent{Object: tt.object}),
			}
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}
