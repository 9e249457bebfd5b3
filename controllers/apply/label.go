package apply

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// FieldOwner is the name under which everything is written.
const FieldOwner = "plait-controller"

// The labels of everything that is made. Deployments carry that of the revision on their pods only.
const (
	LabelTemplate = "plait.dev/template"
	LabelHarness  = "plait.dev/harness"
	LabelRevision = "plait.dev/revision"

	labelName      = "app.kubernetes.io/name"
	labelInstance  = "app.kubernetes.io/instance"
	labelManagedBy = "app.kubernetes.io/managed-by"
)

// ownerKind is the kind of the owner of everything that is made.
const ownerKind = "AgentTemplate"

// The annotations of objects.
const (
	// AnnotationApplied is the hash of an object as it was written last: what is of no more use in it shows up by that.
	AnnotationApplied = "plait.dev/applied"
	// AnnotationStripped says who has added something to the pods of a Deployment that was taken out again.
	AnnotationStripped = "plait.dev/stripped"
	// AnnotationEgress lists the hosts that pods need to reach. A NetworkPolicy knows ports and no names.
	AnnotationEgress = "plait.dev/egress"
)

// IsForeign says whether an object was made by somebody else. Labels don't count: anybody may change them.
func IsForeign(obj client.Object) bool {
	owner := metav1.GetControllerOf(obj)
	return owner == nil || owner.Kind != ownerKind || owner.APIVersion != v1alpha1.GroupVersion().String()
}

// selector are the labels that tell the pods of a template on a harness from all others.
func selector(template, harness string) map[string]string {
	return map[string]string{LabelTemplate: LabelValue(template), LabelHarness: LabelValue(harness)}
}

func labelsOf(template, harness string) map[string]string {
	all := selector(template, harness)
	maps.Copy(all, map[string]string{
		labelName: "plait-harness", labelInstance: Name(template, harness), labelManagedBy: "plait",
	})
	return all
}

// meta is the metadata of an object of a template on a harness. With the template goes the object; that nobody has to
// wait for it saves the permission to set finalizers.
func meta(t *v1alpha1.AgentTemplate, harness, name string) metav1.ObjectMeta {
	controls := true
	return metav1.ObjectMeta{
		Namespace: t.Namespace,
		Name:      name,
		Labels:    labelsOf(t.Name, harness),
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: v1alpha1.GroupVersion().String(), Kind: ownerKind, Name: t.Name, UID: t.UID, Controller: &controls,
		}},
	}
}
