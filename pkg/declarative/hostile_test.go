package declarative_test

import ("testing";"fmt";"strings";"time")

func TestHostile(t *testing.T) {
	list := func(n int, f string) string { var b strings.Builder; for i := range n { fmt.Fprintf(&b, f, i) }; return b.String() }
	var edges strings.Builder
	for i := range 900 { fmt.Fprintf(&edges, "      - { from: r, to: n%d, route: [%s] }\n", i, list(40, fmt.Sprintf("r%d_%%d,", i))) }
	tests := map[string]string{
		"sub agents": "agents:\n  - { name: a, agent_class: SequentialAgent, sub_agents: ["+list(100000, "a%d,")+"] }\n",
		"same sub agents": "agents:\n  - { name: a, sub_agents: ["+strings.Repeat("b,", 190000)+"] }\n",
		"tools": "agents:\n  - { name: a, tools: ["+list(100000, "c/a%d,")+"] }\n",
		"approvals": "agents:\n  - { name: a, approval: ["+list(100000, "a%d,")+"] }\n",
		"routes": "agents:\n"+workflow("m", "      - { id: a, type: cel, routes: ["+list(20000, "{route: r%d, when: true},")+"] }\n", "      - { from: START, to: a }\n"),
		"edge routes": "agents:\n"+workflow("m", "      - { id: r, type: function, function: score }\n"+list(900, "      - { id: n%d, type: cel }\n"), "      - { from: START, to: r }\n"+edges.String()),
		"children": "agents:\n"+workflow("m", "      - { id: r, type: dynamic, function: plan, children: ["+list(100000, "c%d,")+"] }\n", "      - { from: START, to: r }\n"),
		"headers": "mcp_servers: [{ name: crm, url: \"http://crm-mcp\", headers: {"+list(50000, "X%d: a,")+"}}]\nagents: [{ name: a }]\n",
		"labels": "metadata: {labels: {"+list(60000, "X%d: a,")+"}}\nagents: [{ name: a }]\n",
		"unknown": "x: {"+list(40000, "X%d: a,")+"}\nagents: [{ name: a,"+list(30000, "X%d: a,")+" }]\n",
		"state": "agents:\n"+workflow("m", "      - { id: a, type: cel, state_delta: {"+list(9000, "k%d: 1,")+"} }\n", "      - { from: START, to: a }\n    state_schema: { properties: {"+list(20000, "s%d: {},")+"} }\n"),
		"schema": "agents:\n"+workflow("m", "      - { id: a, type: cel, input_schema: {"+list(20000, "k%d: {},")+", properties: {"+list(20000, "s%d: {type: string},")+"}} }\n", "      - { from: START, to: a }\n"),
		"vars": "agents:\n"+workflow("m", "      - { id: a, type: cel, vars: ["+list(2000, "{name: v%d, expr: input},")+"] }\n", "      - { from: START, to: a }\n"),
		"hooks": "agents:\n  - { name: a, before_tool: ["+strings.Repeat("{accept: true},", 50000)+"] }\n",
		"agents": "agents:\n"+list(50000, "  - { name: a%d }\n")[:1000000],
		"edges": "agents:\n"+workflow("m", "      - { id: a, type: cel }\n", "      - { from: START, to: a }\n      - { from: ["+list(50000, "a%d,")+"], to: ["+list(50000, "b%d,")+"] }\n"),
		"config": "agents:\n"+workflow("m", "      - { id: a, type: function, function: score, config: ["+strings.Repeat("[],", 150000)+"] }\n", "      - { from: START, to: a }\n"),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, l := check("x.yaml", []byte(header+text), harness())
			fmt.Println(name, len(text), time.Since(start), len(l))
		})
	}
}
