package gather

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Handler leads from an object of a kind to its users.
func (t *Tracker) Handler(kind string) handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, obj client.Object) []reconcile.Request {
		return Requests(t.Users(obj.GetNamespace(), Ref{Kind: kind, Name: obj.GetName()}))
	})
}

// ListHandler leads from an object of a kind to those who use the list of all of its namespace.
func (t *Tracker) ListHandler(kind string) handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, obj client.Object) []reconcile.Request {
		return Requests(t.Users(obj.GetNamespace(), Ref{Kind: kind}))
	})
}

// Requests asks for the reconciliation of objects.
func Requests(names []types.NamespacedName) []reconcile.Request {
	requests := make([]reconcile.Request, len(names))
	for i, name := range names {
		requests[i].NamespacedName = name
	}
	return requests
}
