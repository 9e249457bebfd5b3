package apply

import (
	"cmp"
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/gather"
)

// defaultHistoryLimit is that of the definition of AgentTemplates.
const defaultHistoryLimit = 10

// Trim deletes the oldest revisions of a template on a harness beyond the limit of the template. Those of keep stay, and
// those that a pod still has: it would not start again without its ConfigMap.
func (a *Applier) Trim(ctx context.Context, t *v1alpha1.AgentTemplate, harness string, keep ...string) error {
	all, err := a.revisions(ctx, t)
	if err != nil {
		return err
	}
	limit := ptr.Deref(t.Spec.RevisionHistoryLimit, defaultHistoryLimit)
	surplus := surplusRevisions(all, t.Name, harness, int(limit), keep)
	if len(surplus) == 0 {
		return nil
	}
	used, err := a.usedRevisions(ctx, t, harness)
	if err != nil {
		return err
	}
	return a.deleteIf(ctx, surplus, func(obj client.Object) bool {
		short, _ := revisionOfName(obj.GetName(), t.Name, harness)
		return !used[short]
	})
}

// surplusRevisions are the revisions on a harness beyond the limit, the oldest first. Those of keep don't count.
func surplusRevisions(
	all []metav1.PartialObjectMetadata, template, harness string, limit int, keep []string,
) []client.Object {
	var old []client.Object
	for i := range all {
		if short, ok := revisionOfName(all[i].Name, template, harness); ok && !slices.Contains(keep, short) {
			old = append(old, &all[i])
		}
	}
	slices.SortFunc(old, func(a, b client.Object) int {
		return cmp.Or(a.GetCreationTimestamp().Compare(b.GetCreationTimestamp().Time), cmp.Compare(a.GetName(), b.GetName()))
	})
	return old[:max(0, len(old)-limit)]
}

// usedRevisions are the revisions that pods have. Pods aren't watched for this rare question.
func (a *Applier) usedRevisions(ctx context.Context, t *v1alpha1.AgentTemplate, harness string) (map[string]bool, error) {
	pods := &metav1.PartialObjectMetadataList{}
	pods.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	err := a.Live.List(ctx, pods, client.InNamespace(t.Namespace), client.MatchingLabels(selector(t.Name, harness)))
	used := map[string]bool{}
	for _, pod := range pods.Items {
		used[pod.Labels[LabelRevision]] = true
	}
	return used, err
}

// Pods lists the pods that have a revision of a template on a harness.
func (a *Applier) Pods(ctx context.Context, t *v1alpha1.AgentTemplate, harness, revision string) ([]corev1.Pod, error) {
	labels := selector(t.Name, harness)
	labels[LabelRevision] = revision
	var pods corev1.PodList
	err := a.Live.List(ctx, &pods, client.InNamespace(t.Namespace), client.MatchingLabels(labels))
	return pods.Items, err
}

// Revision reads the ConfigMap of a revision from the API server; nil says that it isn't there.
func (a *Applier) Revision(
	ctx context.Context, uses *gather.Uses, t *v1alpha1.AgentTemplate, harness, short string,
) (*corev1.ConfigMap, error) {
	cm := &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: t.Namespace, Name: RevisionName(t.Name, harness, short)}
	uses.Touch(gather.Ref{Kind: gather.KindConfigMap, Name: key.Name})
	if err := a.Live.Get(ctx, key, cm); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return cm, nil
}
