package declarative_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// codes lists the findings about a document as "code path".
func codes(t *testing.T, text string, opts declarative.Options) []string {
	t.Helper()
	_, list := check("x.yaml", []byte(header+text), opts)
	var all []string
	for _, d := range list {
		all = append(all, fmt.Sprintf("%s %s", d.Code, d.Path))
	}
	return all
}

// What a program doesn't know it doesn't check; what it knows to be empty it does.
func TestOptions(t *testing.T) {
	text := `
mcp_servers:
  - { name: crm, url: "https://crm.example.com/mcp", headers: { X: { env: TOKEN } } }
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - { id: a, type: function, function: score }
      - { id: b, type: dynamic, function: plan }
      - { id: c, type: llm, model: fast, tools: [geocode, bash], after_tool: [{ hook: audit }] }
    edges:
      - { from: START, to: a }
      - { from: a, to: b }
      - { from: b, to: c }
`
	none, nothing := []string{}, []declarative.ExposedVar{}
	tests := map[string]struct {
		opts declarative.Options
		want []string
	}{
		"nothing is known": {declarative.Options{}, nil},
		"no functions": {declarative.Options{Functions: none},
			[]string{"unknown-reference agents[main].nodes[a].function", "unknown-reference agents[main].nodes[b].function"}},
		"one function":          {declarative.Options{Functions: []string{"score"}}, []string{"unknown-reference agents[main].nodes[b].function"}},
		"no tools":              {declarative.Options{Tools: none}, []string{"unknown-reference agents[main].nodes[c].tools[0]"}},
		"no hooks":              {declarative.Options{Hooks: none}, []string{"unknown-reference agents[main].nodes[c].after_tool[0].hook"}},
		"no models":             {declarative.Options{Models: none}, []string{"unknown-reference agents[main].nodes[c].model"}},
		"no harness tools":      {declarative.Options{HarnessTools: none}, []string{"tool-not-allowed agents[main].nodes[c].tools[1]"}},
		"no hosts":              {declarative.Options{MCPHosts: none}, []string{"host-not-allowed mcp_servers[crm].url"}},
		"no variables":          {declarative.Options{Env: nothing}, []string{"env-not-exposed mcp_servers[crm].headers.X.env"}},
		"a variable for anyone": {declarative.Options{Env: []declarative.ExposedVar{{Name: "TOKEN"}}}, nil},
		"a variable for no one": {declarative.Options{Env: []declarative.ExposedVar{{Name: "TOKEN", Hosts: none}}},
			[]string{"env-not-exposed mcp_servers[crm].headers.X.env"}},
		"a variable for others": {declarative.Options{Env: []declarative.ExposedVar{{Name: "TOKEN", Hosts: []string{"crm.example.org"}}}},
			[]string{"env-not-exposed mcp_servers[crm].headers.X.env"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, codes(t, text, tt.opts)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestModelThatIsLeftOut(t *testing.T) {
	got := codes(t, "agents:\n  - { name: a }\n", declarative.Options{Models: []string{"fast"}})
	if diff := cmp.Diff([]string{"unknown-reference agents[a]"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestHosts(t *testing.T) {
	tests := []struct {
		url     string
		allowed []string
		want    bool
	}{
		{"https://crm.example.com/mcp", []string{"crm.example.com"}, true},
		{"https://crm.example.com:8443/mcp", []string{"crm.example.com"}, true},
		{"https://CRM.Example.com/mcp", []string{"crm.example.COM"}, true},
		{"https://crm.example.com./mcp", []string{"crm.example.com"}, true},
		{"https://crm.example.com/mcp", []string{"crm.example.com:443"}, true},
		{"http://crm.example.com/mcp", []string{"crm.example.com:443"}, false},
		{"http://crm.example.com/mcp", []string{"crm.example.com:80"}, true},
		{"https://crm.example.com:8443/mcp", []string{"crm.example.com:443"}, false},
		{"https://crm.example.com/mcp", []string{"*.example.com"}, true},
		{"https://a.b.example.com/mcp", []string{"*.example.com"}, true},
		{"https://example.com/mcp", []string{"*.example.com"}, false},
		{"https://evilexample.com/mcp", []string{"*.example.com"}, false},
		{"https://crm.example.com.evil.net/mcp", []string{"crm.example.com", "*.example.com"}, false},
		{"https://evil.net/crm.example.com", []string{"crm.example.com"}, false},
		{"http://[::1]:8080/mcp", []string{"[::1]"}, true},
		{"http://[::1]:8080/mcp", []string{"[::1]:8080"}, true},
		{"http://[::1]:8080/mcp", []string{"::2"}, false},
		{"http://169.254.169.254/", []string{"*"}, false},
	}
	for _, tt := range tests {
		text := fmt.Sprintf("mcp_servers:\n  - { name: crm, url: %q }\nagents:\n  - { name: a }\n", tt.url)
		got := codes(t, text, declarative.Options{MCPHosts: tt.allowed})
		if tt.want != (len(got) == 0) {
			t.Errorf("%s with %v: %v", tt.url, tt.allowed, got)
		}
	}
}

func TestProgramsAreCompiledOnce(t *testing.T) {
	text := header + `
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - id: a
        type: cel
        vars: [{ name: n, expr: size(input) }, { name: twice, expr: vars.n * 2 }]
        output: |
          vars.twice + 1
      - { id: b, type: llm, before_tool: [{ when: tool.name == 'x', reject: { expr: "'no ' + tool.name" } }] }
      - { id: c, type: parallel_worker, worker: { type: cel, output: invocation.index } }
    edges: [{ from: START, to: a }, { from: a, to: b }, { from: b, to: c }]
  - { name: other, before_model: [{ when: "request.model == 'm'", accept: true }] }
root_agent: main
`
	checked, list := check("x.yaml", []byte(text), harness())
	if checked == nil {
		t.Fatal(list.Err())
	}
	if checked.Root.Name != "main" {
		t.Errorf("the root is %q", checked.Root.Name)
	}
	nodes := checked.Document.Agents[0].Graph.Nodes
	a, b, c := nodes[0].Body.(*declarative.CEL), nodes[1].Body.(*declarative.LLM), nodes[2].Body.(*declarative.Worker)
	sources := []expr.Source{a.Vars[0].Expr, a.Vars[1].Expr, a.Output, b.BeforeTool[0].When, b.BeforeTool[0].Reject.Expr,
		c.Worker.Body.(*declarative.CEL).Output, checked.Document.Agents[1].LLM.BeforeModel[0].When}
	for _, src := range sources {
		if p := checked.Program(src); p == nil || p.Source() != src {
			t.Errorf("no program for %s", src.Path())
		}
	}
	got, err := checked.Program(a.Output).Eval(context.Background(), &expr.Activation{Vars: map[string]any{"twice": 6}})
	if err != nil || got != int64(7) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, src := range []expr.Source{{}, nodes[2].Input, expr.NewSource("1", "agents[main].nodes[a].output"), expr.NewSource("1", "elsewhere")} {
		if checked.Program(src) != nil {
			t.Errorf("a program for %q at %q", src.Text(), src.Path())
		}
	}
}

// goBuilt is a document that no file holds.
func goBuilt() *declarative.Document {
	return &declarative.Document{Agents: []declarative.Agent{{Name: "main", Class: declarative.WorkflowAgent, Graph: &declarative.Graph{
		Nodes: []declarative.Node{{ID: "a", Type: declarative.TypeCEL, Body: &declarative.CEL{Output: expr.NewSource("input", "")}}},
		Edges: []declarative.Edge{{From: []string{"START"}, To: []string{"a"}}},
	}}}}
}

func TestDocumentsBuiltInGo(t *testing.T) {
	checked, list := declarative.Validate(goBuilt(), declarative.Options{})
	if checked == nil {
		t.Fatal(list.Err())
	}
	output := checked.Document.Agents[0].Graph.Nodes[0].Body.(*declarative.CEL).Output
	if output.Path() != "agents[main].nodes[a].output" || checked.Program(output) == nil {
		t.Errorf("the path is %q", output.Path())
	}

	tests := map[string]struct {
		change func(*declarative.Document)
		want   string
	}{
		"reference":       {func(d *declarative.Document) { d.Agents[0].Graph.Edges[0].To[0] = "b" }, "unknown-reference agents[main].edges[0].to"},
		"expression":      {func(d *declarative.Document) { cel(d).Output = expr.NewSource("inptu", "") }, "cel-unknown-var agents[main].nodes[a].output"},
		"name":            {func(d *declarative.Document) { d.Agents[0].Name = "a b" }, "bad-name agents[a b].name"},
		"negative number": {func(d *declarative.Document) { d.Agents[0].Graph.MaxConcurrency = -1 }, "bad-value agents[main].max_concurrency"},
		"wrong body":      {func(d *declarative.Document) { d.Agents[0].Graph.Nodes[0].Type = declarative.TypeJoin }, "unknown-field agents[main].nodes[a].output"},
		"no body":         {func(d *declarative.Document) { d.Agents[0].Graph.Nodes[0].Body = nil }, "bad-value "},
		"no agents":       {func(d *declarative.Document) { d.Agents = nil }, "missing-field "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			doc := goBuilt()
			tt.change(doc)
			checked, list := declarative.Validate(doc, declarative.Options{})
			if checked != nil || len(list) != 1 {
				t.Fatalf("findings: %v", list)
			}
			if got := fmt.Sprintf("%s %s", list[0].Code, list[0].Path); got != tt.want || !list[0].IsZero() || list[0].File != "" {
				t.Errorf("got %s at %+v", got, list[0].Pos)
			}
		})
	}
}

func cel(d *declarative.Document) *declarative.CEL {
	return d.Agents[0].Graph.Nodes[0].Body.(*declarative.CEL)
}

// A controller adds servers and agents to a document that it loaded; they are checked like the rest.
func TestDocumentsThatWereAddedTo(t *testing.T) {
	text := header + "agents:\n  - { name: a, tools: [crm] }\n"
	load := func() *declarative.Document {
		doc, list := declarative.Load("x.yaml", []byte(text))
		if list.HasErrors() {
			t.Fatal(list.Err())
		}
		return doc
	}
	doc := load()
	doc.MCPServers = append(doc.MCPServers, declarative.MCPServer{Name: "crm", URL: "https://crm.example.com/mcp"})
	if _, list := declarative.Validate(doc, harness()); list.HasErrors() {
		t.Error(list.Err())
	}
	doc = load()
	doc.MCPServers = append(doc.MCPServers, declarative.MCPServer{Name: "crm", URL: "https://crm.example.org/mcp"})
	added := goBuilt().Agents[0]
	added.Graph.Nodes[0].InputSchema = map[string]any{"$ref": "#/$defs/none"}
	added.Graph.Nodes[0].Body.(*declarative.CEL).Vars = []declarative.Var{{Name: "x", Expr: expr.NewSource("inptu", "p")}}
	doc.Agents = append(doc.Agents, added)
	doc.RootAgent = "a"
	_, list := declarative.Validate(doc, harness())
	var got []diag.Code
	for _, d := range list {
		got = append(got, d.Code)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]diag.Code{diag.BadSchema, diag.CELUnknownVar, diag.HostNotAllowed}, got); diff != "" {
		t.Error(diff, list)
	}
}

func TestValidateCanBeRepeated(t *testing.T) {
	doc, _ := declarative.Load("x.yaml", read(t, "testdata/invalid/follow-ups.yaml"))
	_, first := declarative.Validate(doc, harness())
	_, second := declarative.Validate(doc, harness())
	if diff := cmp.Diff(first, second); diff != "" || len(first) == 0 {
		t.Errorf("%d findings, then\n%s", len(first), diff)
	}
}

func TestErrorsOfTheLoaderLeaveNothingChecked(t *testing.T) {
	doc, list := declarative.Load("x.yaml", []byte(header+"agents:\n  - { name: a, modl: x }\n"))
	if !list.HasErrors() {
		t.Fatal("no error")
	}
	if checked, list := declarative.Validate(doc, harness()); checked != nil || len(list) != 0 {
		t.Errorf("checked: %v, findings: %v", checked, list)
	}
}

func TestDiagnoseAndLocate(t *testing.T) {
	text := []byte(header + "agents:\n  - name: main\n    model: fast\n")
	checked, _ := check("x.yaml", text, harness())
	d := checked.Diagnose("agents[main].model", diag.NotInThisBuild, "no", "")
	if want := (diag.Pos{Line: 5, Column: 12, EndColumn: 16}); d.Pos != want || d.File != "x.yaml" || d.Pointer != "/agents/0/model" {
		t.Errorf("got %+v", d)
	}
	at := checked.Locate(diag.Diagnostic{Code: diag.BadValue, Path: "agents[main].limits.max_turns", Message: "m", Hint: "h"})
	if at.Line != 4 || at.Path != "agents[main].limits.max_turns" || at.Message != "m" || at.Hint != "h" {
		t.Errorf("got %+v", at)
	}
	if checked.Agent("main") == nil || checked.Agent("other") != nil {
		t.Error("agents aren't found by their names")
	}
}

// Documents in which nothing is wrong, though it looks as if it could be.
func TestNothingIsSaid(t *testing.T) {
	tests := map[string]string{
		"a root that refers to all":    "agents:\n  - { name: b }\n  - { name: a, sub_agents: [b, c] }\n  - { name: c }\n",
		"a sub-agent in a row twice":   "agents:\n  - { name: a, agent_class: SequentialAgent, sub_agents: [b, c, b] }\n  - { name: b }\n  - { name: c }\n",
		"isolated agents in parallel":  "agents:\n" + workflow("main", "      - { id: a, type: agent, agent: b, isolation: Isolated }\n      - { id: c, type: agent, agent: b }\n      - { id: j, type: join }\n", "      - { from: START, to: [a, c] }\n      - { from: [a, c], to: j }\n") + "  - { name: b }\n",
		"one agent before and after":   "agents:\n" + workflow("main", "      - { id: a, type: agent, agent: x }\n      - { id: b, type: cel }\n      - { id: j, type: join }\n      - { id: c, type: agent, agent: x }\n", "      - { from: START, to: [a, b] }\n      - { from: [a, b], to: j }\n      - { from: j, to: c }\n") + "  - { name: x }\n",
		"exclusive routes":             "agents:\n" + workflow("main", "      - { id: r, type: cel, routes: [{ route: A, when: input == 1 }] }\n      - { id: a, type: agent, agent: x }\n      - { id: b, type: agent, agent: x }\n", "      - { from: START, to: r }\n      - { from: r, to: a, route: A }\n      - { from: r, to: b, route: DEFAULT }\n") + "  - { name: x }\n",
		"a handler of errors":          "agents:\n" + workflow("main", "      - { id: r, type: agent, agent: x }\n      - { id: a, type: agent, agent: x }\n      - { id: b, type: agent, agent: x }\n", "      - { from: START, to: r }\n      - { from: r, to: a, route: ERROR }\n      - { from: r, to: b }\n") + "  - { name: x }\n",
		"a worker, one at a time":      "agents:\n" + workflow("main", "      - { id: w, type: parallel_worker, max_concurrency: 1, worker: { type: agent, agent: x } }\n", "      - { from: START, to: w }\n") + "  - { name: x }\n",
		"a tool behind shaped input":   "agents:\n" + workflow("main", "      - { id: a, type: tool, tool: geocode, input: \"{'q': input}\" }\n      - { id: b, type: cel, output: \"{'q': input}\" }\n      - { id: c, type: tool, tool: geocode }\n", "      - { from: START, to: a }\n      - { from: a, to: b }\n      - { from: b, to: c }\n"),
		"a route from checked output":  "agents:\n" + workflow("main", "      - { id: a, type: llm, output_schema: { type: string } }\n      - { id: b, type: cel, route: input }\n      - { id: c, type: cel }\n      - { id: d, type: cel }\n", "      - { from: START, to: a }\n      - { from: a, to: b }\n      - { from: b, to: c, route: go }\n      - { from: b, to: d, route: DEFAULT }\n"),
		"equal schemas":                "agents:\n" + workflow("main", "      - { id: a, type: cel, output_schema: { type: object, properties: { x: {}, y: {} } } }\n      - { id: b, type: cel, input_schema: { properties: { y: {}, x: {} }, type: object } }\n", "      - { from: START, to: a }\n      - { from: a, to: b }\n"),
		"schemas and shaped input":     "agents:\n" + workflow("main", "      - { id: a, type: cel, output_schema: { type: string } }\n      - { id: b, type: cel, input: size(input), input_schema: { type: integer } }\n", "      - { from: START, to: a }\n      - { from: a, to: b }\n"),
		"schema keywords as names":     "agents:\n  - { name: a, output_schema: { properties: { $ref: { type: string }, pattern: {}, type: true }, const: { $ref: x }, x-own: 1 } }\n",
		"open state schema":            "agents:\n" + workflow("main", "      - { id: a, type: cel, state_delta: { x: \"1\" } }\n", "      - { from: START, to: a }\n    state_schema: { properties: { y: {} }, additionalProperties: {} }\n"),
		"state by pattern":             "agents:\n" + workflow("main", "      - { id: a, type: cel, state_delta: { x1: \"1\" } }\n", "      - { from: START, to: a }\n    state_schema: { properties: { y: {} }, patternProperties: { ^x: {} } }\n"),
		"children without edges":       "agents:\n" + workflow("main", "      - { id: d, type: dynamic, function: plan, children: [c] }\n      - { id: c, type: cel }\n", "      - { from: START, to: d }\n"),
		"a loop that a function ends":  "agents:\n  - { name: l, agent_class: LoopAgent, sub_agents: [main] }\n" + workflow("main", "      - { id: a, type: function, function: score }\n", "      - { from: START, to: a }\n"),
		"a loop that exit_loop ends":   "agents:\n  - { name: l, agent_class: LoopAgent, sub_agents: [a] }\n  - { name: a, sub_agents: [b] }\n  - { name: b, tools: [exit_loop] }\n",
		"a loop that escalate ends":    "agents:\n  - { name: l, agent_class: LoopAgent, sub_agents: [main] }\n" + workflow("main", "      - { id: a, type: cel, escalate: input == 1 }\n", "      - { from: START, to: a }\n"),
		"chat after START":             "agents:\n" + workflow("main", "      - { id: a, type: llm, mode: chat }\n", "      - { from: START, to: a }\n"),
		"approvals":                    "mcp_servers:\n  - { name: crm, url: \"http://crm-mcp/\" }\nroot_agent: a\nagents:\n  - { name: a, tools: [crm, read_file, { agent: b }], sub_agents: [{ name: c, isolation: Isolated }], approval: [crm/any, read_file, b, c] }\n  - { name: b }\n  - { name: c }\n",
		"guarded or without tools":     "agents:\n  - { name: a, before_tool: [{ accept: true }], tools: [read_file], sub_agents: [b, c] }\n  - { name: b }\n  - { name: c, tools: [read_file], before_tool: [{ accept: true }] }\n",
		"a tool written with a slash":  "mcp_servers:\n  - { name: crm, url: \"http://crm-mcp/\", tools: [find] }\nagents:\n" + workflow("main", "      - { id: a, type: tool, tool: crm/find, args: {} }\n", "      - { from: START, to: a }\n"),
		"an expression that is a word": "agents:\n" + workflow("main", "      - { id: a, type: cel, routes: [{ route: A, when: true }], output: null }\n      - { id: b, type: cel, output: 7 }\n", "      - { from: START, to: a }\n      - { from: a, to: b, route: A }\n"),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			if _, list := check("x.yaml", []byte(header+text), harness()); len(list) > 0 {
				t.Errorf("findings:\n%s", render(t, list, []byte(header+text)))
			}
		})
	}
}

func TestShortForms(t *testing.T) {
	doc, list := declarative.Load("x.yaml", []byte(header+`
mcp_servers:
  - { name: crm, url: "http://crm-mcp/", headers: { X-B: text, X-A: { value: v }, X-C: { env: E } } }
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - { id: a, type: tool, tool: crm/find }
      - { id: b, type: llm, tools: [crm/find, crm, { agent: x, isolation: Isolated }], approval: always }
      - { id: c, type: hitl, message: Well?, deadline: 1h, on_deadline: { output: false } }
    edges:
      - { from: START, to: [a, b] }
      - { from: [a, b], to: c, route: [7, 0x1F, True, text, DEFAULT] }
  - { name: x, sub_agents: [y, { name: z, isolation: Isolated }] }
  - { name: y }
  - { name: z }
`))
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	g := doc.Agents[0].Graph
	got := []any{doc.MCPServers[0].Headers, g.Nodes[0].Body, g.Nodes[1].Body.(*declarative.LLM).Tools, g.Nodes[1].Body.(*declarative.LLM).Approval,
		g.Nodes[2].Body.(*declarative.HITL).OnDeadline.Output.Text(), g.Edges, doc.Agents[1].SubAgents}
	want := []any{
		[]declarative.Header{{Name: "X-A", Value: "v"}, {Name: "X-B", Value: "text"}, {Name: "X-C", Env: "E"}},
		&declarative.Tool{Tool: "find", Server: "crm"},
		[]declarative.ToolRef{{Name: "crm/find"}, {Name: "crm"}, {Agent: "x", Isolation: declarative.Isolated}},
		[]string{declarative.ApprovalAlways},
		"false",
		[]declarative.Edge{{From: []string{"START"}, To: []string{"a", "b"}},
			{From: []string{"a", "b"}, To: []string{"c"}, Routes: []string{"7", "31", "true", "text", "DEFAULT"}}},
		[]declarative.SubAgent{{Name: "y"}, {Name: "z", Isolation: declarative.Isolated}},
	}
	if diff := cmp.Diff(want, got, sameDocument); diff != "" {
		t.Error(diff)
	}
}

func TestDefaults(t *testing.T) {
	limits := declarative.RunLimits{MaxVisits: 3}.WithDefaults()
	if limits.MaxSteps != 10_000 || limits.MaxVisits != 3 {
		t.Errorf("got %+v", limits)
	}
	if got := (declarative.AgentLimits{}).WithDefaults().MaxTurns; got != 50 {
		t.Errorf("got %d", got)
	}
	zero := 0.0
	retry := declarative.Retry{MaxAttempts: 2, Jitter: &zero}.WithDefaults()
	if retry.MaxAttempts != 2 || *retry.Jitter != 0 || retry.InitialDelay.String() != "1s" || retry.MaxDelay.String() != "1m0s" || retry.BackoffFactor != 2 {
		t.Errorf("got %+v", retry)
	}
	if got := *(declarative.Retry{}).WithDefaults().Jitter; got != 1 {
		t.Errorf("got %v", got)
	}
}

func TestSpecLeavesChildrenOut(t *testing.T) {
	g := declarative.Graph{
		Nodes: []declarative.Node{
			{ID: "d", Type: declarative.TypeDynamic, Body: &declarative.Dynamic{Children: []declarative.Child{{ID: "c"}, {ID: "e"}}}},
			{ID: "c", Type: declarative.TypeCEL, Body: &declarative.CEL{}},
			{ID: "e", Type: declarative.TypeJoin, Body: &declarative.Join{}},
		},
		Edges: []declarative.Edge{{From: []string{"START"}, To: []string{"d", "e"}, Routes: nil}},
	}
	var got []string
	for _, n := range g.Spec().Nodes {
		got = append(got, fmt.Sprintf("%s join=%v known=%v", n.ID, n.Join, n.RoutesKnown))
	}
	if diff := cmp.Diff([]string{"d join=false known=false", "e join=true known=true"}, got); diff != "" {
		t.Error(diff)
	}
	if n := len(g.Spec().Edges); n != 2 {
		t.Errorf("%d edges", n)
	}
}

func TestHostileStringsDontReachTheTerminal(t *testing.T) {
	text := []byte(header + "agents:\n  - { name: \"a\\x1b[31m\", \"x\\u202e\": 1, model: \"\\a\" }\n")
	_, list := check("\x1b.yaml", text, harness())
	out := render(t, list, text)
	if strings.ContainsAny(out, "\x1b\a\u202e") || len(list) < 3 {
		t.Errorf("%d findings: %q", len(list), out)
	}
}
