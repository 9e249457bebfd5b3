package declarative_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative"
)

const graphOfNodes = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: flow
mcp_servers: [{ name: crm, url: "http://crm/mcp" }, { name: mail, url: "http://mail/mcp" }]
agents:
  - name: flow
    agent_class: Workflow
    state_schema: { properties: { k: { type: string } } }
    nodes:
      - { id: plan, type: dynamic, function: f, children: [step, { id: own, type: cel }] }
      - { id: step, type: dynamic, function: f, children: [plain] }
      - { id: plain, type: cel }
      - { id: ask, type: agent, agent: helper }
      - { id: outer, type: workflow, max_concurrency: 2, nodes: [{ id: inner, type: cel }], edges: [{ from: START, to: inner }] }
    edges: [{ from: START, to: [plan, ask, outer] }]
  - name: helper
    tools: [mail/send]
`

func TestOneNode(t *testing.T) {
	doc, found := declarative.Load("", []byte(graphOfNodes))
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	checked, found := declarative.Validate(doc, declarative.Options{})
	if found.HasErrors() {
		t.Fatal(found.Err())
	}
	for _, tc := range []struct {
		way, agent, nodes, lazy string
		now, before             string // a path of the node
	}{
		{"plan", "flow", "plan step plain", "crm mail", "agents[flow].nodes[plan].function", "agents[flow].nodes[plan].function"},
		{"ask", "flow", "ask", "crm", "agents[flow].nodes[ask]", "agents[flow].nodes[ask]"},
		{"flow/plain", "flow", "plain", "crm mail", "agents[flow].nodes[plain]", "agents[flow].nodes[plain]"},
		{"outer/inner", "flow", "inner", "crm mail", "agents[flow].nodes[inner].output", "agents[flow].nodes[outer].nodes[inner].output"},
		{"helper", "helper", "", "crm", "agents[helper]", "agents[helper]"},
	} {
		t.Run(tc.way, func(t *testing.T) {
			alone, moved, err := declarative.OneNode(checked, tc.way)
			if err != nil {
				t.Fatal(err)
			}
			again, found := declarative.Validate(alone, declarative.Options{})
			if found.HasErrors() {
				t.Fatal(found.Err())
			}
			var nodes, lazy []string
			if again.Root.Graph != nil {
				for _, n := range again.Root.Graph.Nodes {
					nodes = append(nodes, n.ID)
				}
			}
			for _, s := range again.Document.MCPServers {
				if s.Connect == declarative.ConnectLazy {
					lazy = append(lazy, s.Name)
				}
			}
			got := []string{again.Root.Name, strings.Join(nodes, " "), strings.Join(lazy, " "), moved.Back(tc.now)}
			if diff := cmp.Diff([]string{tc.agent, tc.nodes, tc.lazy, tc.before}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if len(doc.Agents[0].Graph.Nodes) != 5 || doc.MCPServers[0].Connect != "" {
		t.Error("the document was changed")
	}
}
