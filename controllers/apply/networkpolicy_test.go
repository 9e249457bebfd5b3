package apply

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	networkingv1 "k8s.io/api/networking/v1"

	"github.com/plait-dev/plait/controllers/compile"
)

// describe writes rules as "PEERS: PORTS"; no peers are everybody, no ports all.
func describe(rules []networkingv1.NetworkPolicyEgressRule) []string {
	var all []string
	for _, rule := range rules {
		to := "everybody"
		for _, peer := range rule.To {
			to = "pods " + peer.PodSelector.String()
			if len(peer.PodSelector.MatchLabels) == 0 && peer.NamespaceSelector == nil && peer.IPBlock == nil {
				to = "pods of the namespace"
			}
		}
		var ports []string
		for _, p := range rule.Ports {
			ports = append(ports, fmt.Sprintf("%s %s", *p.Protocol, p.Port))
		}
		all = append(all, to+": "+strings.Join(ports, ", "))
	}
	return all
}

func TestEgress(t *testing.T) {
	const dns = "everybody: UDP 53, TCP 53"
	for _, tt := range []struct {
		name      string
		endpoints []compile.Endpoint
		want      []string
	}{
		{"nothing but names", nil, []string{dns}},
		{"a host", []compile.Endpoint{{Host: "a.example", Port: 443}}, []string{dns, "everybody: TCP 443"}},
		{"ports in order, each once",
			[]compile.Endpoint{{Host: "c", Port: 8443}, {Host: "a", Port: 443}, {Host: "b", Port: 443}},
			[]string{dns, "everybody: TCP 443, TCP 8443"}},
		{"a Service, whose pods may listen elsewhere", []compile.Endpoint{{Host: "crm", Port: 80, Service: true}},
			[]string{dns, "pods of the namespace: "}},
		{"both", []compile.Endpoint{{Host: "a", Port: 443}, {Host: "crm", Port: 80, Service: true}, {Host: "erp", Port: 81, Service: true}},
			[]string{dns, "pods of the namespace: ", "everybody: TCP 443"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, describe(egress(tt.endpoints))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A rule without peers and ports would open everything.
func TestEgressNeverOpensEverything(t *testing.T) {
	for _, endpoints := range [][]compile.Endpoint{nil, {{Host: "a", Port: 443}}, {{Host: "crm", Port: 80, Service: true}}} {
		for _, rule := range egress(endpoints) {
			if len(rule.To) == 0 && len(rule.Ports) == 0 {
				t.Errorf("%v opens everything", endpoints)
			}
		}
	}
}
