// Package index names the field indexes of the controller's cache and sets them up.
package index

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Owner finds the objects that a template owns, by its UID.
const Owner = "metadata.controller.uid"

// ConfigMapMetadata is a ConfigMap of which only the metadata is kept.
func ConfigMapMetadata() *metav1.PartialObjectMetadata {
	return metadata(corev1.SchemeGroupVersion.String(), "ConfigMap")
}

// SecretMetadata is a Secret of which only the metadata is kept.
func SecretMetadata() *metav1.PartialObjectMetadata {
	return metadata(corev1.SchemeGroupVersion.String(), "Secret")
}

// ClaimMetadata is a PersistentVolumeClaim of which only the metadata is kept.
func ClaimMetadata() *metav1.PartialObjectMetadata {
	return metadata(corev1.SchemeGroupVersion.String(), "PersistentVolumeClaim")
}

func metadata(apiVersion, kind string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}}
}

// Register sets the indexes up; it comes before the cache is started.
func Register(ctx context.Context, indexer client.FieldIndexer) error {
	for _, obj := range []client.Object{
		&appsv1.Deployment{}, &corev1.Service{}, &corev1.ServiceAccount{}, &networkingv1.NetworkPolicy{}, ConfigMapMetadata(),
	} {
		if err := indexer.IndexField(ctx, obj, Owner, ownerOf); err != nil {
			return err
		}
	}
	return nil
}

func ownerOf(obj client.Object) []string {
	if owner := metav1.GetControllerOf(obj); owner != nil {
		return []string{string(owner.UID)}
	}
	return nil
}
