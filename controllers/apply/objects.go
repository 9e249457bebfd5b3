package apply

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// The ports of a harness, by name and number.
const (
	portA2A    = "a2a"
	portHealth = "health"

	a2aPort    = 8080
	healthPort = 8081
)

// Rollout is a revision of a template on a harness.
type Rollout struct {
	Template *v1alpha1.AgentTemplate
	Harness  *v1alpha1.Harness
	// Revision is the short hash of Manifest.
	Revision string
	Manifest *compile.Manifest
}

// Objects are what the revision needs beside its ConfigMap, in the order in which they are written: the Deployment comes
// last, when all is there that its pods need.
func (r *Rollout) Objects() []client.Object {
	objects := []client.Object{}
	if r.ownAccount() {
		objects = append(objects, r.serviceAccount())
	}
	if r.Manifest.Restricted {
		objects = append(objects, r.networkPolicy())
	}
	return append(objects, r.service(), r.deployment())
}

func (r *Rollout) name() string { return Name(r.Template.Name, r.Harness.Name) }

func (r *Rollout) meta() metav1.ObjectMeta { return meta(r.Template, r.Harness.Name, r.name()) }

func (r *Rollout) selector() map[string]string { return selector(r.Template.Name, r.Harness.Name) }

// ownAccount says whether pods have a service account of their own.
func (r *Rollout) ownAccount() bool {
	return r.Manifest.Pod == nil || r.Manifest.Pod.ServiceAccountName == ""
}

func (r *Rollout) serviceAccount() *corev1.ServiceAccount {
	token := false
	return &corev1.ServiceAccount{
		TypeMeta:                     typeMeta(corev1.SchemeGroupVersion.String(), "ServiceAccount"),
		ObjectMeta:                   r.meta(),
		AutomountServiceAccountToken: &token,
	}
}

func (r *Rollout) service() *corev1.Service {
	http := "http"
	return &corev1.Service{
		TypeMeta:   typeMeta(corev1.SchemeGroupVersion.String(), "Service"),
		ObjectMeta: r.meta(),
		Spec: corev1.ServiceSpec{
			Selector: r.selector(),
			Ports: []corev1.ServicePort{{
				Name: portA2A, Protocol: corev1.ProtocolTCP, AppProtocol: &http, Port: a2aPort, TargetPort: intstr.FromString(portA2A),
			}},
		},
	}
}

func typeMeta(apiVersion, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}
}

// kinds are all kinds that a template may own beside ConfigMaps, Deployments first: without them nothing else is used.
func kinds() []client.Object {
	return []client.Object{
		&appsv1.Deployment{TypeMeta: typeMeta(appsv1.SchemeGroupVersion.String(), "Deployment")},
		&corev1.Service{TypeMeta: typeMeta(corev1.SchemeGroupVersion.String(), "Service")},
		&networkingv1.NetworkPolicy{TypeMeta: typeMeta(networkingv1.SchemeGroupVersion.String(), "NetworkPolicy")},
		&corev1.ServiceAccount{TypeMeta: typeMeta(corev1.SchemeGroupVersion.String(), "ServiceAccount")},
	}
}
