package apply

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/plait-dev/plait/controllers/compile"
)

const dnsPort = 53

// networkPolicy lets in what the harness serves, and out to what the revision needs.
func (r *Rollout) networkPolicy() *networkingv1.NetworkPolicy {
	om := r.meta()
	if len(r.Manifest.Egress) > 0 {
		om.Annotations = map[string]string{AnnotationEgress: hosts(r.Manifest.Egress)}
	}
	return &networkingv1.NetworkPolicy{
		TypeMeta:   typeMeta(networkingv1.SchemeGroupVersion.String(), "NetworkPolicy"),
		ObjectMeta: om,
		Spec: networkingv1.NetworkPolicySpec{
			PodSelector: metav1.LabelSelector{MatchLabels: r.selector()},
			PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress},
			Ingress: []networkingv1.NetworkPolicyIngressRule{{
				Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolTCP, a2aPort), port(corev1.ProtocolTCP, healthPort)},
			}},
			Egress: egress(r.Manifest.Egress),
		},
	}
}

// egress lets pods ask for names and reach the ports of the endpoints. The port of a Service isn't that of its pods, and a
// policy is about pods: all of the namespace may then be reached.
func egress(endpoints []compile.Endpoint) []networkingv1.NetworkPolicyEgressRule {
	rules := []networkingv1.NetworkPolicyEgressRule{{
		Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolUDP, dnsPort), port(corev1.ProtocolTCP, dnsPort)},
	}}
	var ports []int32
	services := false
	for _, e := range endpoints {
		if e.Service {
			services = true
		} else {
			ports = append(ports, e.Port)
		}
	}
	if services {
		rules = append(rules, networkingv1.NetworkPolicyEgressRule{
			To: []networkingv1.NetworkPolicyPeer{{PodSelector: &metav1.LabelSelector{}}},
		})
	}
	if len(ports) == 0 {
		return rules
	}
	slices.Sort(ports)
	outside := networkingv1.NetworkPolicyEgressRule{}
	for _, p := range slices.Compact(ports) {
		outside.Ports = append(outside.Ports, port(corev1.ProtocolTCP, p))
	}
	return append(rules, outside)
}

func port(protocol corev1.Protocol, number int32) networkingv1.NetworkPolicyPort {
	value := intstr.FromInt32(number)
	return networkingv1.NetworkPolicyPort{Protocol: &protocol, Port: &value}
}

func hosts(endpoints []compile.Endpoint) string {
	all := make([]string, len(endpoints))
	for i, e := range endpoints {
		all[i] = fmt.Sprintf("%s:%d", e.Host, e.Port)
	}
	return strings.Join(all, ",")
}
