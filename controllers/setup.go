package controllers

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/gather"
	"github.com/plait-dev/plait/controllers/harness"
	"github.com/plait-dev/plait/controllers/index"
	"github.com/plait-dev/plait/controllers/template"
)

// reporter is the name under which events are told.
const reporter = "plait.dev/controller"

// Options are the settings of the controllers.
type Options struct {
	// Namespace is that of the controller; the key of the installation is kept there.
	Namespace string
	// ManagedImage is the image of harnesses that are managed.
	ManagedImage string
	// Controller are settings of every controller.
	Controller controller.Options
}

// NewScheme knows all kinds that the controllers work with.
func NewScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	return scheme, v1alpha1.AddToScheme(scheme)
}

// SetupWithManager adds the controllers to a manager, which was made with [CacheOptions] and [ClientOptions].
func SetupWithManager(ctx context.Context, mgr ctrl.Manager, o Options) error {
	if err := index.Register(ctx, mgr.GetFieldIndexer()); err != nil {
		return err
	}
	templates := &template.Reconciler{
		Client:  mgr.GetClient(),
		Tracker: &gather.Tracker{},
		Source: &gather.Source{
			Cached: mgr.GetClient(),
			Live:   mgr.GetAPIReader(),
			Installation: &gather.Installation{
				Live: mgr.GetAPIReader(), Writer: mgr.GetClient(), Namespace: o.Namespace,
			},
			Foreign: apply.IsForeign,
		},
		Applier:      &apply.Applier{Client: mgr.GetClient(), Live: mgr.GetAPIReader()},
		Recorder:     mgr.GetEventRecorder(reporter),
		ManagedImage: o.ManagedImage,
	}
	if err := templates.SetupWithManager(mgr, o.Controller); err != nil {
		return err
	}
	harnesses := &harness.Reconciler{Client: mgr.GetClient(), Tracker: &gather.Tracker{}}
	return harnesses.SetupWithManager(mgr, o.Controller)
}
