package compile_test

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

func TestSelected(t *testing.T) {
	team := metav1.LabelSelector{MatchLabels: map[string]string{"team": "support"}}
	for name, c := range map[string]struct {
		selector *v1alpha1.TemplateSelector
		labels   map[string]string
		selected bool
		reason   string
	}{
		"no selector": {
			nil,
			map[string]string{"team": "support"},
			false, "takes no template: it has no allowedAgentTemplates",
		},
		"one without requirements": {
			&v1alpha1.TemplateSelector{},
			nil,
			true, "",
		},
		"the right labels": {
			&v1alpha1.TemplateSelector{Selector: team},
			map[string]string{"team": "support", "tier": "1"},
			true, "",
		},
		"other labels": {
			&v1alpha1.TemplateSelector{Selector: team},
			map[string]string{"team": "sales"},
			false, "wants the labels team=support",
		},
		"no labels": {
			&v1alpha1.TemplateSelector{Selector: team},
			nil,
			false, "wants the labels team=support",
		},
		"a broken selector": {
			&v1alpha1.TemplateSelector{Selector: metav1.LabelSelector{
				MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: "Near"}},
			}},
			map[string]string{"team": "support"},
			false, `takes nothing new: its selector can't be read: "Near" is not a valid label selector operator`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.harness.Spec.AllowedAgentTemplates = c.selector
			w.template.Labels = c.labels
			selected, reason := compile.Selected(w.harness, w.template)
			if selected != c.selected || reason != c.reason {
				t.Errorf("selected %v, reason %q; want %v, %q", selected, reason, c.selected, c.reason)
			}
		})
	}
}

func TestSelectorProblem(t *testing.T) {
	for name, c := range map[string]struct {
		selector *v1alpha1.TemplateSelector
		problem  string // what the problem begins with
	}{
		"no selector":              {nil, ""},
		"one without requirements": {&v1alpha1.TemplateSelector{}, ""},
		"labels":                   {&v1alpha1.TemplateSelector{Selector: metav1.LabelSelector{MatchLabels: map[string]string{"a.example/team": "support"}}}, ""},
		"a key that no label can have": {
			&v1alpha1.TemplateSelector{Selector: metav1.LabelSelector{MatchLabels: map[string]string{"te am!": "support"}}},
			`spec.allowedAgentTemplates.selector: key: Invalid value: "te am!"`,
		},
		"a value that no label can have": {
			&v1alpha1.TemplateSelector{Selector: metav1.LabelSelector{MatchLabels: map[string]string{"team": "bad value"}}},
			`spec.allowedAgentTemplates.selector: values[0][team]: Invalid value: "bad value"`,
		},
		"an operator that there isn't": {
			&v1alpha1.TemplateSelector{Selector: metav1.LabelSelector{
				MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: "Near"}},
			}},
			`spec.allowedAgentTemplates.selector: "Near" is not a valid label selector operator`,
		},
		"a list that is empty": {
			&v1alpha1.TemplateSelector{Selector: metav1.LabelSelector{
				MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: metav1.LabelSelectorOpIn}},
			}},
			"spec.allowedAgentTemplates.selector: values: Invalid value: null",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.harness.Spec.AllowedAgentTemplates = c.selector
			got := compile.SelectorProblem(w.harness)
			if !strings.HasPrefix(got, c.problem) || (got == "") != (c.problem == "") {
				t.Errorf("got %q, want %q", got, c.problem)
			}
			if of := compile.Problems(w.harness); got != "" && !slices.Contains(of, "Harness main: "+got) {
				t.Errorf("the rules of the kind say %q, want %q among them", of, got)
			}
		})
	}
}
