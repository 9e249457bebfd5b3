package harness

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/gather"
)

// SetupWithManager makes the controller of harnesses with all that it watches.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager, options controller.Options) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("harness").
		WithOptions(options).
		For(&v1alpha1.Harness{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&v1alpha1.AgentTemplate{}, r.templateHandler(), builder.WithPredicates(predicate.LabelChangedPredicate{})).
		WatchesMetadata(&corev1.Secret{}, r.Tracker.Handler(gather.KindSecret), builder.WithPredicates(comesOrGoes())).
		WatchesMetadata(&corev1.PersistentVolumeClaim{}, r.Tracker.Handler("PersistentVolumeClaim"), builder.WithPredicates(comesOrGoes())).
		Complete(r)
}

// comesOrGoes lets through what changes whether an object is there.
func comesOrGoes() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(event.UpdateEvent) bool { return false }}
}

// templateHandler leads from a template to the harnesses of its namespace: each counts the templates that it takes.
func (r *Reconciler) templateHandler() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, obj client.Object) []reconcile.Request {
		var list v1alpha1.HarnessList
		if err := r.Client.List(ctx, &list, client.InNamespace(obj.GetNamespace()), client.DisableReadYourWritesConsistency); err != nil {
			log.FromContext(ctx).Error(err, "list the harnesses of a namespace") // the cache always answers
			return nil
		}
		requests := make([]reconcile.Request, len(list.Items))
		for i := range list.Items {
			requests[i].NamespacedName = client.ObjectKeyFromObject(&list.Items[i])
		}
		return requests
	})
}
