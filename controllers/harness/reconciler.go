package harness

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/gather"
	"github.com/plait-dev/plait/controllers/index"
	"github.com/plait-dev/plait/controllers/status"
)

// Reconciler keeps the status of harnesses.
type Reconciler struct {
	// Client reads from the cache and writes.
	Client client.Client
	// Tracker knows which Secrets and claims harnesses use.
	Tracker *gather.Tracker
}

// Reconcile says how one harness is. What runs on it is the matter of its templates.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	h := &v1alpha1.Harness{}
	if err := r.Client.Get(ctx, req.NamespacedName, h); err != nil {
		if apierrors.IsNotFound(err) {
			r.Tracker.Forget(req.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := h.DeepCopy()
	missing, err := r.missing(ctx, h)
	if err != nil {
		return ctrl.Result{}, err
	}
	templates, err := r.templates(ctx, h)
	if err != nil {
		return ctrl.Result{}, err
	}
	status.Harness(h, missing, templates)
	if equality.Semantic.DeepEqual(before.Status, h.Status) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Client.Status().Patch(ctx, h, client.MergeFrom(before), client.FieldOwner(apply.FieldOwner))
}

// missing names what the harness refers to and isn't there.
func (r *Reconciler) missing(ctx context.Context, h *v1alpha1.Harness) ([]string, error) {
	uses := r.Tracker.Begin(client.ObjectKeyFromObject(h))
	var missing []string
	look := func(field string, obj *metav1.PartialObjectMetadata, name string) error {
		uses.Touch(gather.Ref{Kind: obj.Kind, Name: name})
		kind := obj.Kind
		err := r.Client.Get(ctx, client.ObjectKey{Namespace: h.Namespace, Name: name}, obj)
		if apierrors.IsNotFound(err) {
			missing = append(missing, fmt.Sprintf("%s: there is no %s %s", field, kind, name))
		}
		return client.IgnoreNotFound(err)
	}
	if bearer := h.Spec.Auth.Bearer; bearer != nil {
		if err := look("spec.auth.bearer", index.SecretMetadata(), bearer.SecretName); err != nil {
			return nil, err
		}
	}
	if store := h.Spec.SessionStore; store != nil && store.File != nil {
		claim := store.File.PersistentVolumeClaim.Name
		if err := look("spec.sessionStore.file.persistentVolumeClaim", index.ClaimMetadata(), claim); err != nil {
			return nil, err
		}
	}
	uses.End()
	return missing, nil
}

// templates names the templates that the harness takes.
func (r *Reconciler) templates(ctx context.Context, h *v1alpha1.Harness) ([]string, error) {
	var list v1alpha1.AgentTemplateList
	if err := r.Client.List(ctx, &list, client.InNamespace(h.Namespace), client.DisableReadYourWritesConsistency); err != nil {
		return nil, err
	}
	var names []string
	for i := range list.Items {
		if selected, _ := compile.Selected(h, &list.Items[i]); selected {
			names = append(names, list.Items[i].Name)
		}
	}
	return names, nil
}
