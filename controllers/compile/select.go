package compile

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/plait-dev/plait/api/v1alpha1"
)

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
