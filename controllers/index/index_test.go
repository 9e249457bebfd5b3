package index

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestOwnerOf(t *testing.T) {
	controls := true
	for _, tt := range []struct {
		name   string
		owners []metav1.OwnerReference
		want   []string
	}{
		{"nobody", nil, nil},
		{"one who doesn't control it", []metav1.OwnerReference{{UID: "1"}}, nil},
		{"who controls it", []metav1.OwnerReference{{UID: "1"}, {UID: "2", Controller: &controls}}, []string{"2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ownerOf(&corev1.Service{ObjectMeta: metav1.ObjectMeta{OwnerReferences: tt.owners}})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMetadataKinds(t *testing.T) {
	for kind, obj := range map[string]*metav1.PartialObjectMetadata{
		"ConfigMap": ConfigMapMetadata(), "Secret": SecretMetadata(), "PersistentVolumeClaim": ClaimMetadata(),
	} {
		if got := obj.GroupVersionKind(); got != corev1.SchemeGroupVersion.WithKind(kind) {
			t.Errorf("got %v, want %s", got, kind)
		}
	}
}
