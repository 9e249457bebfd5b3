package compile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
)

func TestHostsThatDocumentsMayName(t *testing.T) {
	for _, c := range []struct {
		host     string
		services []string // nil: unknown
		policy   string
		allowed  bool
	}{
		{"search", []string{"search"}, "", true},
		{"search", []string{"other"}, "", false},
		{"search", []string{}, "", false},
		{"search:8080", []string{"search"}, "", true},
		{"SEARCH", []string{"search"}, "", true},
		{"search.", []string{"search"}, "", true},
		{"search.support", []string{"search"}, "", true},
		{"search.support.svc", []string{"search"}, "", true},
		{"search.support.svc.cluster.local", []string{"search"}, "", true},
		{"search.support.svc.cluster.local.", []string{"search"}, "", true},
		{"search.other.svc", []string{"search"}, "", false},
		{"search.support.svc.example", []string{"search"}, "", false},
		{"other.support.svc", []string{"search"}, "", false},
		{"anything", nil, "", true},
		{"anything.support.svc", nil, "", true},
		{"anything.other.svc", nil, "", false},
		{"localhost", nil, "", false},
		{"2130706433", nil, "", false},
		{"0x7f000001", nil, "", false},
		{"127.0.0.1", nil, "", false},
		{"[::1]", nil, "", false},
		{"169.254.169.254", []string{"search"}, "", false},
		{"crm.example", []string{"search"}, "", true}, // a RemoteMCPServer's
		{"crm.example:8443", []string{"search"}, "", true},
		{"api.crm.example", []string{"search"}, "", false},
		{"api.example", []string{}, "api.example", true},
		{"api.example:8443", []string{}, "api.example", true},
		{"api.example:8443", []string{}, "api.example:443", false},
		{"api.example", []string{}, "*.example", true},
		{"example", []string{}, "*.example", false},
		{"[2001:db8::1]:8080", []string{}, "[2001:db8::1]:8080", true},
	} {
		t.Run(fmt.Sprintf("%s services %v policy %s", c.host, c.services, c.policy), func(t *testing.T) {
			w := newWorld()
			w.services = c.services
			if c.policy != "" {
				w.policy().MCPHosts = []string{c.policy}
			}
			w.document(strings.Replace(document, "search:9000", c.host, 1))
			res := w.compile(t)
			if c.allowed {
				if res.Refusal != nil {
					t.Fatalf("refused: %s", res.Refusal.Message)
				}
				checkShipped(t, res.Revision.Config)
				return
			}
			if res.Refusal == nil || res.Refusal.Reason != v1alpha1.ReasonPolicyViolation {
				t.Errorf("refusal %+v, want a breach of the policy", res.Refusal)
			}
		})
	}
}

// A template without a namespace, which came from a file, has only short names of Services.
func TestServicesWithoutANamespace(t *testing.T) {
	w := newWorld()
	w.template.Namespace, w.harness.Namespace = "", ""
	w.revision(t)
	w.document(strings.Replace(document, "search:9000", "search.", 1))
	w.revision(t)
	w.document(strings.Replace(document, "search:9000", "search.svc", 1))
	if res := w.compile(t); res.Refusal == nil {
		t.Error("search.svc counts as a Service")
	}
}

func TestShippedPolicyIsAsMuchAsIsUsed(t *testing.T) {
	w := newWorld()
	w.document(withHeader("TOKEN"))
	w.services = []string{"search", "other"}
	w.servers["other"] = server("other", "https://other.example/mcp")
	p := w.policy()
	p.MCPHosts = []string{"unused.example"}
	p.HarnessTools = &[]v1alpha1.HarnessTool{"write_file", "read_file", "bash"}
	p.Models = &[]string{"fast", "default"}
	p.Env = []v1alpha1.EnvGrant{{Name: "UNUSED", Hosts: []string{"a.example"}}, {Name: "TOKEN", Hosts: []string{"search", "a.example"}}}
	p.MaxLimits = &v1alpha1.MaxLimits{
		MaxSteps: new(int64(1)), MaxVisits: new(int64(2)), MaxDuration: &metav1.Duration{Duration: time.Minute},
		MaxTokens: new(int64(3)), MaxCostUSD: new(resource.MustParse("500m")), MaxTurns: new(int64(4)),
	}
	want := &adkconfigv1.DocumentPolicy{
		McpHosts:     []string{"crm.example:443", "search:9000"},
		Env:          []*adkconfigv1.EnvGrant{{Name: "TOKEN", Hosts: []string{"a.example", "search"}}},
		HarnessTools: []string{"read_file"},
		Models:       []string{"default"},
		MaxLimits: &adkconfigv1.Limits{
			MaxSteps: 1, MaxVisits: 2, MaxDuration: durationpb.New(time.Minute), MaxTokens: 3, MaxCostUsd: 0.5, MaxTurns: 4,
		},
	}
	if diff := cmp.Diff(want, w.config(t).GetPolicy(), protocmp.Transform()); diff != "" {
		t.Errorf("policy (-want +got):\n%s", diff)
	}
	checkShipped(t, w.revision(t).Config)
}

func TestDefaultHarnessTools(t *testing.T) {
	for tool, allowed := range map[string]bool{
		"read_file": true, "write_file": true, "list_files": true, "edit_file": true,
		"search_files": false, "find_files": false, "bash": false, "run_command": false, "powershell": false, "fetch_url": false,
	} {
		t.Run(tool, func(t *testing.T) {
			w := newWorld()
			w.document(strings.Replace(document, "read_file", tool, 1))
			if got := w.compile(t).Refusal == nil; got != allowed {
				t.Errorf("allowed is %v, want %v", got, allowed)
			}
		})
	}
}

// Tools of tool nodes count like those of models; exit_loop is nobody's to allow.
func TestShippedHarnessTools(t *testing.T) {
	w := newWorld()
	w.document(`
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: loop
agents:
  - { name: loop, agent_class: LoopAgent, max_iterations: 3, sub_agents: [writer, keeper] }
  - { name: writer, instruction: Write., tools: [exit_loop] }
  - name: keeper
    agent_class: Workflow
    nodes: [{ id: keep, type: tool, tool: write_file, args: { path: "'a'", content: "'b'" } }]
    edges: [{ from: START, to: keep }]
`)
	if diff := cmp.Diff([]string{"write_file"}, w.config(t).GetPolicy().GetHarnessTools()); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

// A value may go to a host and no other.
func TestVariableIsSentToItsHostsOnly(t *testing.T) {
	for host, allowed := range map[string]bool{"search": true, "search:9000": true, "search:1": false, "crm.example": false} {
		w := newWorld()
		w.document(withHeader("TOKEN"))
		w.policy().Env = []v1alpha1.EnvGrant{{Name: "TOKEN", Hosts: []string{host}}}
		if got := w.compile(t).Refusal == nil; got != allowed {
			t.Errorf("granted for %s: allowed is %v, want %v", host, got, allowed)
		}
	}
}
