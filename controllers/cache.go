package controllers

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/controllers/apply"
)

// CacheOptions keep little in memory: of ConfigMaps and Secrets only names and labels, and so of everything that somebody
// else has made. The latter is watched to see whether a name is free. No namespaces means all.
func CacheOptions(namespaces ...string) cache.Options {
	o := cache.Options{
		DefaultTransform: cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.ConfigMap{}:             {Transform: bareMetadata},
			&corev1.Secret{}:                {Transform: bareMetadata},
			&corev1.PersistentVolumeClaim{}: {Transform: bareMetadata},
			&appsv1.Deployment{}:            {Transform: bareForeign},
			&corev1.Service{}:               {Transform: bareForeign},
			&corev1.ServiceAccount{}:        {Transform: bareForeign},
			&networkingv1.NetworkPolicy{}:   {Transform: bareForeign},
		},
	}
	for _, namespace := range namespaces {
		if o.DefaultNamespaces == nil {
			o.DefaultNamespaces = map[string]cache.Config{}
		}
		o.DefaultNamespaces[namespace] = cache.Config{}
	}
	return o
}

// ClientOptions let a reconciliation see in the cache what the one before has written, so that nothing is written or
// told twice. The cache can't do that for several namespaces by name; there something may be written twice, to no effect.
func ClientOptions(namespaces ...string) client.Options {
	consistent := len(namespaces) <= 1
	return client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: &consistent}}
}

// bareMetadata drops annotations: kubectl apply leaves the whole content of a Secret in one.
func bareMetadata(obj any) (any, error) {
	if o, ok := obj.(client.Object); ok {
		o.SetManagedFields(nil)
		o.SetAnnotations(nil)
	}
	return obj, nil
}

// bareForeign drops the content of what somebody else has made.
func bareForeign(obj any) (any, error) {
	o, ok := obj.(client.Object)
	if !ok {
		return obj, nil
	}
	foreign := apply.IsForeign(o)
	if _, ok := o.(*appsv1.Deployment); foreign || !ok { // those of a Deployment of ours say what others have added to it
		o.SetManagedFields(nil)
	}
	if !foreign {
		return obj, nil
	}
	o.SetAnnotations(nil)
	switch o := o.(type) {
	case *appsv1.Deployment:
		o.Spec, o.Status = appsv1.DeploymentSpec{}, appsv1.DeploymentStatus{}
	case *corev1.Service:
		o.Spec, o.Status = corev1.ServiceSpec{}, corev1.ServiceStatus{}
	case *networkingv1.NetworkPolicy:
		o.Spec = networkingv1.NetworkPolicySpec{}
	}
	return obj, nil
}
