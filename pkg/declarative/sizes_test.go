package declarative_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

const header = "apiVersion: adk.declarative/v0.2\nkind: AgentSystem\n"

// numbered repeats a line with a number in it.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// workflow writes an agent with some nodes and edges.
func workflow(name, nodes, edges string) string {
	return "  - name: " + name + "\n    agent_class: Workflow\n    nodes:\n" + nodes + "    edges:\n" + edges
}

// chain writes agents w1 to wn, of which each but the last runs the next one.
func chain(n int) string {
	text := "agents:\n"
	for i := 1; i <= n; i++ {
		node := fmt.Sprintf("      - { id: n, type: agent, agent: w%d }\n", i+1)
		if i == n {
			node = "      - { id: n, type: cel }\n"
		}
		text += workflow(fmt.Sprintf("w%d", i), node, "      - { from: START, to: n }\n")
	}
	return text
}

// nested writes one agent with graphs within graphs.
func nested(n int) string {
	inner := "{ id: n, type: cel }"
	for range n - 1 {
		inner = "{ id: n, type: workflow, nodes: [" + inner + "], edges: [{ from: START, to: n }] }"
	}
	return "agents:\n" + workflow("main", "      - "+inner+"\n", "      - { from: START, to: n }\n")
}

// Each size of the format, at its bound and one above it. The error names the bound.
func TestSizes(t *testing.T) {
	agents := func(n int) string { return "root_agent: a0\nagents:\n" + numbered(n, "  - { name: a%d }\n") }
	servers := func(n int) string {
		return "mcp_servers:\n" + numbered(n, "  - { name: s%d, url: \"http://crm-mcp/\" }\n") + "agents:\n  - { name: a }\n"
	}
	nodes := func(n int) string {
		return "agents:\n" + workflow("main", numbered(n, "      - { id: n%d, type: cel }\n"), numbered(n, "      - { from: START, to: n%d }\n"))
	}
	edges := func(from, to int) string {
		var sources, targets []string
		for i := range from {
			sources = append(sources, fmt.Sprintf("a%d", i))
		}
		for i := range to {
			targets = append(targets, fmt.Sprintf("b%d", i))
		}
		all := fmt.Sprintf("      - { from: START, to: [%s] }\n      - { from: [%[1]s], to: [%s] }\n", strings.Join(sources, ", "), strings.Join(targets, ", "))
		return "agents:\n" + workflow("main", numbered(from, "      - { id: a%d, type: cel }\n")+numbered(to, "      - { id: b%d, type: cel }\n"), all)
	}
	routes := func(n int) string {
		all := "      - { from: START, to: a }\n      - { from: a, to: b, route: [DEFAULT, " + numbered(n-1, "r%d,") + "] }\n"
		return "agents:\n" + workflow("main", "      - { id: a, type: function, function: score }\n      - { id: b, type: cel }\n", all)
	}
	bytes := func(n int) string {
		text := "agents:\n  - name: a\n    instruction: "
		return text + strings.Repeat("x", n-len(header)-len(text))
	}
	lists := func(sizes ...int) string {
		var nodes strings.Builder
		for i, n := range sizes {
			fmt.Fprintf(&nodes, "      - { id: n%d, type: cel, output: \"[%s0]\" }\n", i, strings.Repeat("0,", n-2))
		}
		return "agents:\n" + workflow("main", nodes.String(), numbered(len(sizes), "      - { from: START, to: n%d }\n"))
	}
	tests := map[string]struct {
		fits, over string
		code       diag.Code
		says       string
	}{
		"agents":      {agents(declarative.MaxAgents), agents(declarative.MaxAgents + 1), diag.TooLarge, "201 agents; a document may have 200"},
		"MCP servers": {servers(declarative.MaxMCPServers), servers(declarative.MaxMCPServers + 1), diag.TooLarge, "201 MCP servers; a document may have 200"},
		"nodes":       {nodes(declarative.MaxNodes), nodes(declarative.MaxNodes + 1), diag.TooLarge, "1001 nodes; a Workflow may have 1000"},
		"edges":       {edges(40, 124), edges(40, 125), diag.TooLarge, "5040 edges; a Workflow may have 5000"},
		"routes":      {routes(declarative.MaxRoutes), routes(declarative.MaxRoutes + 1), diag.TooLarge, "5001 routes on edges; a Workflow may have 5000"},
		"bytes":       {bytes(source.MaxBytes), bytes(source.MaxBytes + 1), diag.TooLarge, "the file has 1048577 bytes; a document may have 1048576"},
		"parts of expressions": {lists(20_000, 20_000, 9_999, 2),
			lists(20_000, 20_000, 10_000, 2, 2), diag.CELLimit, "the expressions before this one have 50000 parts, at most 50000 are allowed in a document"},
		"workflows, by agents":  {chain(declarative.MaxWorkflowDepth), chain(declarative.MaxWorkflowDepth + 1), diag.TooDeep, "workflows are nested deeper than 8 here"},
		"workflows, one agent":  {nested(declarative.MaxWorkflowDepth), nested(declarative.MaxWorkflowDepth + 1), diag.TooDeep, "workflows are nested deeper than 8 here"},
		"workflows, both ways":  {mixed(5, 4), mixed(5, 5), diag.TooDeep, "workflows are nested deeper than 8 here"},
		"workflows, by a third": {sequence(8), sequence(9), diag.TooDeep, "workflows are nested deeper than 8 here"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, list := check("x.yaml", []byte(header+tt.fits), harness()); list.HasErrors() {
				t.Errorf("at the bound: %v", list.Err())
			}
			_, list := check("x.yaml", []byte(header+tt.over), harness())
			errors := list[:0:0]
			for _, d := range list {
				if d.Severity == diag.Error {
					errors = append(errors, d)
				}
			}
			if len(errors) != 1 || errors[0].Code != tt.code || !strings.Contains(errors[0].Message, tt.says) {
				t.Errorf("above it: %v", errors)
			}
		})
	}
}

// mixed writes a chain of agents of which the last has graphs within graphs.
func mixed(agents, graphs int) string {
	text := chain(agents)
	text = text[:strings.LastIndex(text, "  - name:")]
	return text + strings.Replace(strings.TrimPrefix(nested(graphs), "agents:\n"), "name: main", fmt.Sprintf("name: w%d", agents), 1)
}

// sequence writes a chain of agents in which the second is reached through a SequentialAgent.
func sequence(n int) string {
	return strings.Replace(chain(n), "agent: w2", "agent: between", 1) + "  - { name: between, agent_class: SequentialAgent, sub_agents: [w2] }\n"
}

// Documents in which everything refers to everything are checked in a fraction of a second; work that grows with the
// square of the size would take minutes.
func TestDenseDocuments(t *testing.T) {
	var agents strings.Builder
	for i := range 100 {
		fmt.Fprintf(&agents, "  - { name: a%d, before_tool: [{ accept: true }], sub_agents: [", i)
		for j := i + 1; j < 100; j++ {
			fmt.Fprintf(&agents, "a%d,", j)
		}
		agents.WriteString("], tools: [read_file] }\n")
	}
	users := numbered(500, "      - { id: n%d, type: agent, agent: a0 }\n")
	var nodes, edges strings.Builder
	for i := range 500 {
		fmt.Fprintf(&nodes, "      - { id: n%d, type: cel, route: input }\n", i)
		for j := 1; j <= 5; j++ {
			fmt.Fprintf(&edges, "      - { from: n%d, to: n%d, route: r%d }\n", i, (i+j*j)%500, j)
		}
	}
	edges.WriteString("      - { from: START, to: n0 }\n      - { from: n5, to: end, route: out }\n")
	nodes.WriteString("      - { id: end, type: llm }\n")
	tests := map[string]string{
		"agents":      "root_agent: main\nagents:\n" + workflow("main", users, numbered(500, "      - { from: START, to: n%d }\n")) + agents.String(),
		"routes":      "agents:\n" + workflow("main", nodes.String(), edges.String()),
		"LLMs":        "agents:\n" + workflow("main", strings.ReplaceAll(nodes.String(), "type: cel, route: input", "type: llm, output_key: k"), edges.String()),
		"expressions": "agents:\n" + workflow("main", numbered(400, "      - { id: n%d, type: cel, output: input.a + string(size(state.b)) }\n"), numbered(400, "      - { from: START, to: n%d }\n")),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if _, list := check("x.yaml", []byte(header+text), harness()); list.HasErrors() {
				t.Fatal(list.Err())
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// Lists that no honest document has are refused or checked in bounded time, however long a file can make them.
func TestHostileDocuments(t *testing.T) {
	var routes strings.Builder
	for i := range 900 {
		fmt.Fprintf(&routes, "      - { from: r, to: n%d, route: [%s] }\n", i, strings.ReplaceAll(numbered(40, "r%d_X,"), "X", strconv.Itoa(i)))
	}
	start := "      - { from: START, to: a }\n"
	tests := map[string]struct {
		text string
		want diag.Code
	}{
		"agents":     {"agents:\n" + numbered(50_000, "  - { name: a%d }\n"), diag.TooLarge},
		"edges":      {"agents:\n" + workflow("m", "      - { id: a, type: cel }\n", "      - { from: ["+numbered(50_000, "a%d,")+"], to: ["+numbered(50_000, "b%d,")+"] }\n"), diag.TooLarge},
		"routes":     {"agents:\n" + workflow("m", "      - { id: r, type: function, function: score }\n"+numbered(900, "      - { id: n%d, type: cel }\n"), "      - { from: START, to: r }\n"+routes.String()), diag.TooLarge},
		"sub-agents": {"agents:\n  - { name: a, sub_agents: [" + strings.Repeat("b,", 60_000) + "] }\n", diag.DuplicateName},
		"tools":      {"agents:\n  - { name: a, tools: [" + numbered(40_000, "c/a%d,") + "] }\n", diag.UnknownRef},
		"approvals":  {"agents:\n  - { name: a, approval: [" + numbered(40_000, "a%d,") + "] }\n", diag.UnknownRef},
		"fields":     {"agents:\n  - { name: a," + numbered(60_000, "x%d: a,") + " }\n", diag.UnknownField},
		"children":   {"agents:\n" + workflow("m", "      - { id: a, type: dynamic, function: plan, children: ["+numbered(40_000, "c%d,")+"] }\n", start), diag.UnknownRef},
		"rules":      {"agents:\n" + workflow("m", "      - { id: a, type: cel, routes: ["+numbered(5_000, "{route: r%d, when: true},")+"] }\n", start), diag.UnusedRoute},
		"state keys": {"agents:\n" + workflow("m", "      - { id: a, type: cel, state_delta: {"+numbered(2_000, "k%d: 1,")+"} }\n", start+"    state_schema: { properties: {"+numbered(10_000, "s%d: {},")+"} }\n"), diag.UndeclaredState},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			_, list := check("x.yaml", []byte(header+tt.text), harness())
			if !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == tt.want }) {
				t.Errorf("no %s among %d findings", tt.want, len(list))
			}
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("it took %v", took)
			}
		})
	}
}
