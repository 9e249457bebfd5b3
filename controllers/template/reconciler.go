package template

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/gather"
	"github.com/plait-dev/plait/controllers/status"
)

// Reconciler keeps templates, their revisions and their status in step.
type Reconciler struct {
	// Client reads from the cache and writes.
	Client client.Client
	// Source is where inputs are read, and Tracker knows who has read which.
	Source  *gather.Source
	Tracker *gather.Tracker
	Applier *apply.Applier
	// Recorder tells of events.
	Recorder events.EventRecorder
	// ManagedImage is the image of harnesses that are managed.
	ManagedImage string
}

// Reconcile keeps one template's revisions and status in step with its inputs.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	t := &v1alpha1.AgentTemplate{}
	if err := r.Client.Get(ctx, req.NamespacedName, t); err != nil {
		r.forget(req.NamespacedName, err)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !t.DeletionTimestamp.IsZero() { // all that it owns goes with it
		return ctrl.Result{}, nil
	}
	p, err := r.begin(ctx, t)
	if err != nil {
		return ctrl.Result{}, err
	}
	for _, h := range p.taken {
		p.fail(h.Name, p.rollOut(ctx, h)) // and on to the next: harnesses don't depend on each other
	}
	p.fail("", r.Applier.Prune(ctx, t, p.kept()))
	p.summarise()
	p.fail("", r.report(ctx, p))
	if p.err == nil {
		p.uses.End()
	}
	return ctrl.Result{}, p.err
}

// forget drops what is known of a template that is gone.
func (r *Reconciler) forget(name types.NamespacedName, err error) {
	if client.IgnoreNotFound(err) == nil {
		r.Tracker.Forget(name)
	}
}

// report tells of what was done, writes the status if it is another one, and then tells of what that means. It is the only
// place that does either.
func (r *Reconciler) report(ctx context.Context, p *pass) error {
	p.tell(p.news)
	if equality.Semantic.DeepEqual(p.before.Status, p.template.Status) {
		return nil
	}
	changes := status.Events(&p.before.Status, &p.template.Status, p.results)
	if err := r.Client.Status().Patch(ctx, p.template, client.MergeFrom(p.before), client.FieldOwner(apply.FieldOwner)); err != nil {
		return fmt.Errorf("the status: %w", err) // and what isn't written isn't told, so that it is told once
	}
	p.tell(changes)
	return nil
}
