package apply

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/index"
)

// Prune deletes what a template owns on harnesses that don't take it any more; taken are the names of those that do.
func (a *Applier) Prune(ctx context.Context, t *v1alpha1.AgentTemplate, taken []string) error {
	unneeded := func(obj client.Object) bool {
		return !slices.ContainsFunc(taken, func(harness string) bool { return isFor(obj.GetName(), t.Name, harness) })
	}
	owned, err := a.owned(ctx, t)
	if err != nil {
		return err
	}
	revisions, err := a.revisions(ctx, t)
	if err != nil {
		return err
	}
	for i := range revisions {
		owned = append(owned, &revisions[i])
	}
	return a.deleteIf(ctx, owned, unneeded)
}

// PruneRollout deletes what an earlier revision needed on a harness and this one doesn't.
func (a *Applier) PruneRollout(ctx context.Context, r *Rollout, wanted []client.Object) error {
	type object struct{ kind, name string }
	keep := map[object]bool{}
	for _, obj := range wanted {
		keep[object{kindOf(obj), obj.GetName()}] = true
	}
	owned, err := a.owned(ctx, r.Template)
	if err != nil {
		return err
	}
	return a.deleteIf(ctx, owned, func(obj client.Object) bool {
		return obj.GetName() == r.name() && !keep[object{kindOf(obj), obj.GetName()}]
	})
}

// isFor says whether an object of a template is for a harness, by its name.
func isFor(name, template, harness string) bool {
	_, revision := revisionOfName(name, template, harness)
	return revision || name == Name(template, harness)
}

// owned lists what a template owns beside ConfigMaps, from the cache.
func (a *Applier) owned(ctx context.Context, t *v1alpha1.AgentTemplate) ([]client.Object, error) {
	var all []client.Object
	for _, kind := range kinds() {
		gvk := kind.GetObjectKind().GroupVersionKind()
		listKind := gvk
		listKind.Kind += "List"
		list, err := a.Client.Scheme().New(listKind)
		if err != nil {
			return nil, err
		}
		if err := a.Client.List(ctx, list.(client.ObjectList), ownedBy(t)...); err != nil {
			return nil, err
		}
		if err := apimeta.EachListItem(list, func(item runtime.Object) error {
			item.GetObjectKind().SetGroupVersionKind(gvk)
			all = append(all, item.(client.Object))
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// revisions lists the ConfigMaps of a template's revisions, from the cache.
func (a *Applier) revisions(ctx context.Context, t *v1alpha1.AgentTemplate) ([]metav1.PartialObjectMetadata, error) {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(index.ConfigMapMetadata().GroupVersionKind())
	if err := a.Client.List(ctx, list, ownedBy(t)...); err != nil {
		return nil, err
	}
	for i := range list.Items {
		list.Items[i].SetGroupVersionKind(index.ConfigMapMetadata().GroupVersionKind())
	}
	return list.Items, nil
}

// ownedBy doesn't wait until the cache knows of what other templates write at the same time. What it doesn't know yet of
// this template's is wanted, and so of no interest to those who delete.
func ownedBy(t *v1alpha1.AgentTemplate) []client.ListOption {
	return []client.ListOption{
		client.InNamespace(t.Namespace), client.MatchingFields{index.Owner: string(t.UID)}, client.DisableReadYourWritesConsistency,
	}
}

// deleteIf deletes the objects that a condition holds for, and no others that have got their names meanwhile.
func (a *Applier) deleteIf(ctx context.Context, objects []client.Object, unneeded func(client.Object) bool) error {
	for _, obj := range objects {
		if !unneeded(obj) || !obj.GetDeletionTimestamp().IsZero() {
			continue
		}
		uid := obj.GetUID()
		err := a.Client.Delete(ctx, obj, client.Preconditions{UID: &uid}, client.PropagationPolicy(metav1.DeletePropagationBackground))
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return nil
}
