package fields_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/fields"
)

// found names what a path leads to.
func found(t *testing.T, path string) []string {
	t.Helper()
	matches, err := fields.New().Find(path)
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	var names []string
	for _, m := range matches {
		name := m.Shape.Title()
		if m.Field != nil {
			name += "." + m.Field.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func TestFind(t *testing.T) {
	tests := map[string]string{
		"":                                  "document",
		"agents":                            "document.agents",
		"limits.max_steps":                  "limits of a document.max_steps",
		"agents.limits.max_turns":           "limits of an agent or llm node.max_turns",
		"agents.edges":                      "Workflow.edges",
		"agents.Workflow.edges.route":       "edge.route",
		"agents.sub_agents.isolation":       "sub-agent.isolation",
		"nodes":                             "Workflow.nodes workflow node.nodes",
		"nodes.llm":                         "llm node",
		"nodes.llm.tools.agent":             "agent as a tool.agent",
		"nodes.agent":                       "agent node",
		"nodes.agent.agent":                 "agent node.agent",
		"llm.before_tool.ask":               "rule.ask",
		"worker.cel.output":                 "cel node.output",
		"retry.when":                        "retry.when",
		"hitl":                              "hitl node",
		"LoopAgent.max_iterations":          "LoopAgent.max_iterations",
		"agents[a].nodes[b].routes[0].when": "entry of routes.when",
		"mcp_servers[crm].headers.env":      "header.env",
		"nodes.workflow.nodes.cel.vars":     "cel node.vars",
	}
	for path, want := range tests {
		if diff := cmp.Diff(want, strings.Join(found(t, path), " ")); diff != "" {
			t.Errorf("%q: %s", path, diff)
		}
	}
}

func TestFindNothing(t *testing.T) {
	tests := map[string]string{
		"agnets":                `the format has no field "agnets"; did you mean "agents"?`,
		"zzzzzz":                `the format has no field "zzzzzz"; plait explain alone lists those of a document`,
		"nodes.llm.tolls":       `an llm node has no field "tolls"; did you mean "tools"?`,
		"agents.name.first":     `"name" has no fields; its type is string`,
		"mcp_servers.headers.x": `"headers" has no field "x"; there are env, value`,
		"nodes..id":             `"nodes" has no field ""; there are `,
	}
	for path, want := range tests {
		if got := found(t, path)[0]; !strings.HasPrefix(got, "error: "+want) {
			t.Errorf("%q: got %s\nwant %s", path, got, want)
		}
	}
}

func TestElsewhere(t *testing.T) {
	table := fields.New()
	tests := map[string]struct {
		family     fields.Family
		word, name string
		want       string
	}{
		"what is deeper":        {fields.Agent, "LlmAgent", "temperature", "temperature is a field of generate: write generate: { temperature: … }"},
		"a retry policy":        {fields.Node, "cel", "max_attempts", "max_attempts is a field of retry: write retry: { max_attempts: … }"},
		"another format's word": {fields.Node, "llm", "systemPrompt", `did you mean "instruction"?`},
		"the same, elsewhere":   {fields.Node, "hitl", "prompt", `did you mean "message"?`},
		"an edge":               {fields.Edge, "", "target", `did you mean "to"?`},
		"nothing":               {fields.Edge, "", "weight", ""},
	}
	for name, test := range tests {
		if got := table.Elsewhere(table.Shape(test.family, test.word), test.name); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// TestTableIsWhole looks at what every field must say.
func TestTableIsWhole(t *testing.T) {
	for _, s := range fields.New().Shapes() {
		if s.Noun == "" || !strings.HasSuffix(s.Description, ".") {
			t.Errorf("%s %s lacks a noun or a sentence", s.Family, s.Word)
		}
		seen := map[string]bool{}
		for _, f := range s.Fields {
			at := s.Title() + "." + f.Name
			if seen[f.Name] {
				t.Errorf("%s stands twice", at)
			}
			seen[f.Name] = true
			if !strings.HasSuffix(f.Description, ".") || strings.Contains(f.Description, "\n") {
				t.Errorf("%s: the description %q isn't made of sentences on one line", at, f.Description)
			}
			if f.ExampleJSON() == nil {
				t.Errorf("%s: the example %q can't be read", at, f.Example)
			}
			if f.Default != "" && (f.DefaultJSON() == nil || f.Required) {
				t.Errorf("%s: the default %q can't be read, or the field is required", at, f.Default)
			}
		}
		for _, group := range slices.Concat([][]string{s.OneOf}, s.NotBoth, s.Whole) {
			for _, name := range group {
				if !seen[name] {
					t.Errorf("%s has no field %s", s.Title(), name)
				}
			}
		}
	}
}

func TestTypeNames(t *testing.T) {
	table := fields.New()
	tests := map[string]string{
		"agents.sub_agents": "list of strings or {name, isolation}",
		"edges.route":       "route or list of routes",
		"llm.approval":      "always or list of strings",
		"cel.state_delta":   "map of CEL expressions",
		"retry.jitter":      "number",
		"hitl.message":      "string or {expr: CEL}",
		"hook":              "string",
		"accept":            "true",
		"config":            "any value",
	}
	for path, want := range tests {
		m, err := table.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := m[0].Field.Type.String(); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
