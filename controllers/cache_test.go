package controllers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func objectMeta(owner metav1.OwnerReference) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: "agents", Name: "a", UID: "1", ResourceVersion: "2", Labels: map[string]string{"a": "b"},
		Annotations:     map[string]string{"kubectl.kubernetes.io/last-applied-configuration": "all of a Secret"},
		ManagedFields:   []metav1.ManagedFieldsEntry{{Manager: "kubectl"}},
		OwnerReferences: []metav1.OwnerReference{owner},
	}
}

// bare is what stays of that.
func bare(owner metav1.OwnerReference) metav1.ObjectMeta {
	m := objectMeta(owner)
	m.Annotations, m.ManagedFields = nil, nil
	return m
}

func theirs() metav1.OwnerReference { return metav1.OwnerReference{Kind: "Other", Name: "o"} }

func ours() metav1.OwnerReference {
	controls := true
	return metav1.OwnerReference{APIVersion: "plait.dev/v1alpha1", Kind: "AgentTemplate", Name: "o", Controller: &controls}
}

// full are objects with content.
func full(owner metav1.OwnerReference) []client.Object {
	replicas := int32(1)
	return []client.Object{
		&appsv1.Deployment{ObjectMeta: objectMeta(owner), Spec: appsv1.DeploymentSpec{Replicas: &replicas}, Status: appsv1.DeploymentStatus{Replicas: 1}},
		&corev1.Service{ObjectMeta: objectMeta(owner), Spec: corev1.ServiceSpec{ClusterIP: "10.0.0.1"}},
		&networkingv1.NetworkPolicy{ObjectMeta: objectMeta(owner), Spec: networkingv1.NetworkPolicySpec{PolicyTypes: []networkingv1.PolicyType{"Egress"}}},
		&corev1.ServiceAccount{ObjectMeta: objectMeta(owner)},
	}
}

// Of what somebody else has made only the metadata stays in memory.
func TestBareForeign(t *testing.T) {
	want := []client.Object{
		&appsv1.Deployment{ObjectMeta: bare(theirs())}, &corev1.Service{ObjectMeta: bare(theirs())},
		&networkingv1.NetworkPolicy{ObjectMeta: bare(theirs())}, &corev1.ServiceAccount{ObjectMeta: bare(theirs())},
	}
	for i, obj := range full(theirs()) {
		got, err := bareForeign(obj)
		if diff := cmp.Diff(any(want[i]), got); diff != "" || err != nil {
			t.Errorf("%T: %v (-want +got):\n%s", obj, err, diff)
		}
	}
}

// What the controller has made stays whole: it is compared with what is wanted.
func TestBareForeignLeavesOwnObjects(t *testing.T) {
	for i, obj := range full(ours()) {
		want := full(ours())[i]
		if _, deployment := want.(*appsv1.Deployment); !deployment { // it is asked who has added something to its pods
			want.SetManagedFields(nil)
		}
		got, err := bareForeign(obj)
		if diff := cmp.Diff(any(want), got); diff != "" || err != nil {
			t.Errorf("%T: %v (-want +got):\n%s", obj, err, diff)
		}
	}
}

func TestBareMetadata(t *testing.T) {
	got, err := bareMetadata(&metav1.PartialObjectMetadata{ObjectMeta: objectMeta(theirs())})
	want := &metav1.PartialObjectMetadata{ObjectMeta: bare(theirs())}
	if diff := cmp.Diff(any(want), got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Whatever else an informer hands over, such as the mark of a deletion that was missed, goes through.
func TestTransformsLeaveTheRest(t *testing.T) {
	for name, transform := range map[string]func(any) (any, error){"bareForeign": bareForeign, "bareMetadata": bareMetadata} {
		if got, err := transform("a mark"); got != "a mark" || err != nil {
			t.Errorf("%s gives %v, %v", name, got, err)
		}
	}
}

func TestNamespacesOfTheCache(t *testing.T) {
	if o := CacheOptions(); o.DefaultNamespaces != nil {
		t.Errorf("without names it watches %v", o.DefaultNamespaces)
	}
	if o := CacheOptions("a", "b"); len(o.DefaultNamespaces) != 2 {
		t.Errorf("with two names it watches %v", o.DefaultNamespaces)
	}
	for _, tt := range []struct {
		namespaces []string
		want       bool
	}{{nil, true}, {[]string{"a"}, true}, {[]string{"a", "b"}, false}} {
		if got := *ClientOptions(tt.namespaces...).Cache.EnableReadYourWritesConsistency; got != tt.want {
			t.Errorf("%v: reads wait for writes: %t, want %t", tt.namespaces, got, tt.want)
		}
	}
}
