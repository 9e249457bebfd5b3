package compile

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// SelectorProblem says what is wrong with the selector of a harness; empty for nothing. Whom it takes isn't known then.
func SelectorProblem(h *v1alpha1.Harness) string {
	if h.Spec.AllowedAgentTemplates == nil {
		return ""
	}
	if _, err := metav1.LabelSelectorAsSelector(&h.Spec.AllowedAgentTemplates.Selector); err != nil {
		return fmt.Sprintf("spec.allowedAgentTemplates.selector: %v", err)
	}
	return ""
}

// Selected says whether a harness takes a template of its namespace, and if not, why.
func Selected(h *v1alpha1.Harness, t *v1alpha1.AgentTemplate) (selected bool, reason string) {
	if h.Spec.AllowedAgentTemplates == nil {
		return false, "takes no template: it has no allowedAgentTemplates"
	}
	selector, err := metav1.LabelSelectorAsSelector(&h.Spec.AllowedAgentTemplates.Selector)
	if err != nil {
		return false, fmt.Sprintf("takes no template: its selector is wrong: %v", err)
	}
	if selector.Matches(labels.Set(t.Labels)) {
		return true, ""
	}
	return false, "wants the labels " + selector.String()
}
