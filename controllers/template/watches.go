package template

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
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
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/gather"
)

// SetupWithManager makes the controller of templates with all that it watches.
//
// Everything but harnesses leads back to templates by the tracker: inputs, and what was made of them as well, whoever it
// belongs to. So a change concerns those who have looked at the object and nobody else.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager, options controller.Options) error {
	changed := builder.WithPredicates(predicate.ResourceVersionChangedPredicate{})
	changedOrGone := builder.WithPredicates(predicate.ResourceVersionChangedPredicate{}, notMade())
	spec := builder.WithPredicates(predicate.GenerationChangedPredicate{})
	specOrLabels := builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{}))
	return ctrl.NewControllerManagedBy(mgr).
		Named("agenttemplate").
		WithOptions(options).
		For(&v1alpha1.AgentTemplate{}, specOrLabels).
		Watches(&v1alpha1.Harness{}, r.harnessHandler(), spec).
		// Inputs.
		Watches(&v1alpha1.ModelConfig{}, r.Tracker.Handler(gather.KindModelConfig), spec).
		Watches(&v1alpha1.RemoteMCPServer{}, r.Tracker.ListHandler(gather.KindRemoteMCPServer), spec).
		Watches(&corev1.Service{}, r.Tracker.ListHandler(gather.KindService), builder.WithPredicates(comesOrGoes())).
		WatchesMetadata(&corev1.Secret{}, r.Tracker.Handler(gather.KindSecret), changed).
		// Inputs and revisions.
		WatchesMetadata(&corev1.ConfigMap{}, r.Tracker.Handler(gather.KindConfigMap), changedOrGone).
		// What was made.
		Watches(&appsv1.Deployment{}, r.Tracker.Handler("Deployment"), changed).
		Watches(&corev1.Service{}, r.Tracker.Handler(gather.KindService), changed).
		Watches(&corev1.ServiceAccount{}, r.Tracker.Handler("ServiceAccount"), changed).
		Watches(&networkingv1.NetworkPolicy{}, r.Tracker.Handler("NetworkPolicy"), changed).
		Complete(r)
}

// comesOrGoes lets a Service of somebody else through when the list of their names changes.
func comesOrGoes() predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return apply.IsForeign(e.Object) },
		DeleteFunc: func(e event.DeleteEvent) bool { return apply.IsForeign(e.Object) },
		UpdateFunc: func(event.UpdateEvent) bool { return false },
	}
}

// notMade holds back that a revision was written, which its writer knows. It can't change after that.
func notMade() predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return apply.IsForeign(e.Object) },
		UpdateFunc: func(e event.UpdateEvent) bool { return apply.IsForeign(e.ObjectOld) || apply.IsForeign(e.ObjectNew) },
	}
}

// queue is what event handlers put requests into.
type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// harnessHandler leads from a harness to the templates that it takes, took until now, or gives a reason to.
func (r *Reconciler) harnessHandler() handler.EventHandler {
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) { r.enqueue(ctx, q, e.Object) },
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) { r.enqueue(ctx, q, e.Object) },
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) { r.enqueue(ctx, q, e.ObjectOld, e.ObjectNew) },
	}
}

func (r *Reconciler) enqueue(ctx context.Context, q queue, harnesses ...client.Object) {
	var list v1alpha1.AgentTemplateList
	if err := r.Client.List(ctx, &list, client.InNamespace(harnesses[0].GetNamespace()), client.DisableReadYourWritesConsistency); err != nil {
		log.FromContext(ctx).Error(err, "list the templates of a harness") // the cache always answers
		return
	}
	for i := range list.Items {
		if concerns(&list.Items[i], harnesses) {
			q.Add(reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
}

// concerns says whether a template is about one of the harnesses. That of a template which nobody takes is about all:
// it says what they want. Every template may have something on a harness whose selector can't be read.
func concerns(t *v1alpha1.AgentTemplate, harnesses []client.Object) bool {
	for _, obj := range harnesses {
		h := obj.(*v1alpha1.Harness)
		if selected, _ := compile.Selected(h, t); selected || compile.SelectorProblem(h) != "" {
			return true
		}
	}
	accepted := apimeta.FindStatusCondition(t.Status.Conditions, v1alpha1.ConditionAccepted)
	return accepted != nil && accepted.Status == metav1.ConditionFalse
}
