package compile

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// SelectorProblem says what is wrong with the selector of a harness, and where; empty for nothing. The API server takes such
// a selector: its schema says nothing of keys and values. Whom the harness takes isn't known then, and what isn't known ends
// nothing that runs.
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
		return false, fmt.Sprintf("takes nothing new: its selector can't be read: %v", err)
	}
	if selector.Matches(labels.Set(t.Labels)) {
		return true, ""
	}
	return false, "wants the labels " + selector.String()
}
