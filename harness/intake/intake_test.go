package intake_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/durationpb"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/harness/harnesstest"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/workflow"
)

const document = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
metadata: {name: test}
limits: {max_steps: 50}
agents:
  - name: root
    agent_class: Workflow
    nodes:
      - {id: ask, type: llm, mode: single_turn, instruction: Answer.}
      - {id: end, type: cel, output: "'the end'"}
    edges:
      - {from: START, to: ask}
      - {from: ask, to: end}
`

func TestNew(t *testing.T) {
	sys, found, err := intake.New(harnesstest.Config(t, document, ""), intake.Environment{})
	if err != nil || found.HasErrors() {
		t.Fatal(found, err)
	}
	defer sys.Close()
	doc, root := sys.Document()
	if doc.Metadata.Name != "test" || root.Name != "root" || sys.Config().GetTemplate() != "test" {
		t.Errorf("the system is %v, root %v", doc.Metadata, root.Name)
	}
}

// What is wrong in different parts of a config is told together.
func TestNew_tells_everything_at_once(t *testing.T) {
	config := harnesstest.Config(t, strings.Replace(document, "metadata:", `mcp_servers: [{name: crm, url: "http://crm/mcp"}]
metadata:`, 1), "", func(cfg *adkconfigv1.AgentConfig) {
		cfg.Models["best"] = &adkconfigv1.Model{Provider: "acme", Model: "x"}
		cfg.McpServers = map[string]*adkconfigv1.MCPServer{"crm": {Endpoint: &adkconfigv1.MCPServer_Stdio{
			Stdio: &adkconfigv1.MCPServerStdio{Command: []string{"crm"}},
		}}}
	})
	sys, found, err := intake.New(config, intake.Environment{})
	if sys != nil || err == nil {
		t.Fatalf("the config was taken in: %v", found)
	}
	for _, want := range []string{
		`model best: the provider "acme" isn't in this release; it has anthropic, `,
		"mcp server crm: it is started by a command, which this program doesn't do",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error doesn't say %q:\n%v", want, err)
		}
	}
	if diff := cmp.Diff([]diag.Code{diag.HostNotAllowed}, codes(found)); diff != "" {
		t.Error(diff)
	}
}

func codes(found diag.List) []diag.Code {
	var all []diag.Code
	for _, d := range found {
		if d.Severity == diag.Error {
			all = append(all, d.Code)
		}
	}
	return all
}

func TestNew_refuses(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(config string) string
		want   string
	}{
		{"an unknown field", func(c string) string { return strings.Replace(c, "{", `{"replicas":2,`, 1) }, "replicas: unknown field"},
		{"a later version", func(c string) string { return strings.Replace(c, `"config_version":"v1"`, `"config_version":"v2"`, 1) },
			`config_version: want "v1", got "v2"`},
		{"another document", func(c string) string { return strings.Replace(c, "the end", "the fin", 1) }, "workflow.sha256: want"},
		{"text that isn't JSON", func(c string) string { return c[1:] }, "agent config:"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := tc.change(string(harnesstest.Config(t, document, "")))
			sys, found, err := intake.New([]byte(config), intake.Environment{})
			if sys != nil || err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, %v; want an error with %q", found, err, tc.want)
			}
		})
	}
}

// A document may use the models that the policy lists, and not those that the config has besides.
func TestPolicy_models(t *testing.T) {
	config := harnesstest.Config(t, document, "", func(cfg *adkconfigv1.AgentConfig) { cfg.Policy.Models = nil })
	_, found, err := intake.New(config, intake.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]diag.Code{diag.UnknownRef}, codes(found)); diff != "" {
		t.Errorf("%s\n%v", diff, found)
	}
}

// A list of the policy that is empty allows nothing.
func TestPolicy_empty(t *testing.T) {
	const greedy = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
mcp_servers:
  - {name: crm, url: "http://crm/mcp", headers: {X-Token: {env: TOKEN}}}
agents:
  - {name: root, instruction: Write., tools: [write_file]}
`
	for _, tc := range []struct {
		name   string
		policy *adkconfigv1.DocumentPolicy
		want   []diag.Code
	}{
		{"nothing is allowed", &adkconfigv1.DocumentPolicy{Models: []string{"default"}},
			[]diag.Code{diag.ToolNotAllowed, diag.EnvNotExposed, diag.HostNotAllowed}},
		{"a variable may be used and sent nowhere", &adkconfigv1.DocumentPolicy{
			Models: []string{"default"}, McpHosts: []string{"crm"}, HarnessTools: []string{"write_file"},
			Env: []*adkconfigv1.EnvGrant{{Name: "TOKEN"}},
		}, []diag.Code{diag.EnvNotExposed}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := harnesstest.Config(t, greedy, "", func(cfg *adkconfigv1.AgentConfig) { cfg.Policy = tc.policy })
			_, found, err := intake.New(config, intake.Environment{WorkspaceDir: func(string) string { return t.TempDir() }})
			if err != nil {
				t.Fatal(err)
			}
			got := codes(found)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\n%v", diff, found)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		name     string
		document string
		bound    *adkconfigv1.Limits
		want     workflow.Limits
	}{
		{"no bound", "max_steps: 50", nil, workflow.Limits{MaxSteps: 50, MaxVisits: 1000}},
		{"a smaller bound", "max_steps: 50, max_duration: 10s",
			&adkconfigv1.Limits{MaxSteps: 20, MaxVisits: 5, MaxDuration: durationpb.New(time.Second)},
			workflow.Limits{MaxSteps: 20, MaxVisits: 5, MaxDuration: time.Second}},
		{"a larger bound", "max_steps: 50, max_visits: 7, max_duration: 10s",
			&adkconfigv1.Limits{MaxSteps: 60, MaxVisits: 8, MaxDuration: durationpb.New(time.Minute)},
			workflow.Limits{MaxSteps: 50, MaxVisits: 7, MaxDuration: 10 * time.Second}},
		{"a bound above the default of what isn't set", "max_steps: 50",
			&adkconfigv1.Limits{MaxVisits: 2000, MaxDuration: durationpb.New(time.Minute)},
			workflow.Limits{MaxSteps: 50, MaxVisits: 1000, MaxDuration: time.Minute}},
		{"what is used", "max_tokens: 500, max_cost_usd: 0.5", &adkconfigv1.Limits{MaxTokens: 1000, MaxCostUsd: 0.2, MaxTurns: 3},
			workflow.Limits{MaxSteps: 10_000, MaxVisits: 1000, MaxTokens: 500, MaxCostUSD: 0.2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := harnesstest.Config(t, strings.Replace(document, "max_steps: 50", tc.document, 1), "",
				func(cfg *adkconfigv1.AgentConfig) { cfg.Policy.MaxLimits = tc.bound })
			sys, found, err := intake.New(config, intake.Environment{})
			if err != nil || found.HasErrors() {
				t.Fatal(found, err)
			}
			defer sys.Close()
			if diff := cmp.Diff(tc.want, sys.Limits()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The workspace of a session is opened once, and again after it was released.
func TestRelease(t *testing.T) {
	const document = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - {name: root, instruction: Write., tools: [write_file]}
`
	dirs := map[string]int{}
	dir := t.TempDir()
	config := harnesstest.Config(t, document, "", func(cfg *adkconfigv1.AgentConfig) { cfg.Policy.HarnessTools = []string{"write_file"} })
	sys, found, err := intake.New(config, intake.Environment{WorkspaceDir: func(s string) string { dirs[s]++; return dir + "/" + s }})
	if err != nil || found.HasErrors() {
		t.Fatal(found, err)
	}
	defer sys.Close()
	message := func() {
		for _, err := range sys.Workflow().Run(t.Context(), workflow.RunRequest{Session: "s_1", Input: "hello"}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	message()
	message()
	if dirs["s_1"] != 1 {
		t.Errorf("the workspace was opened %d times", dirs["s_1"])
	}
	for range 2 {
		if err := sys.Release("s_1"); err != nil {
			t.Fatal(err)
		}
	}
	message()
	if dirs["s_1"] != 2 {
		t.Errorf("after its release the workspace was opened %d times", dirs["s_1"])
	}
}

func TestOutline(t *testing.T) {
	graph := func(nodes, edges string) string {
		return "apiVersion: adk.declarative/v0.2\nkind: AgentSystem\nroot_agent: root\nagents:\n" +
			"  - {name: helper, instruction: Help.}\n" +
			"  - {name: form, instruction: Fill in., output_schema: {type: object}}\n" +
			"  - name: root\n    agent_class: Workflow\n    nodes: [" + nodes + "]\n    edges: [" + edges + "]\n"
	}
	const llm = "type: llm, mode: single_turn, instruction: Answer."
	for _, tc := range []struct {
		name, document string
		want           intake.Outline
	}{
		{"one end", document, intake.Outline{Terminals: []intake.Terminal{{Node: "end"}}}},
		{"an agent alone", "apiVersion: adk.declarative/v0.2\nkind: AgentSystem\nagents: [{name: solo, instruction: Answer.}]\n",
			intake.Outline{Terminals: []intake.Terminal{{Node: "solo", Text: true}}}},
		{"ends that exclude each other", graph(
			"{id: c, type: cel, routes: [{route: A, when: 'true'}]}, {id: a, "+llm+"}, {id: b, "+llm+", output_schema: {type: object}}",
			"{from: START, to: c}, {from: c, to: a, route: A}, {from: c, to: b, route: DEFAULT}"),
			intake.Outline{Terminals: []intake.Terminal{{Node: "a", Text: true}, {Node: "b"}}}},
		{"ends side by side", graph("{id: a, type: agent, agent: helper}, {id: b, type: agent, agent: form}, {id: c, type: function, function: f}",
			"{from: START, to: [a, b, c]}"),
			intake.Outline{Terminals: []intake.Terminal{{Node: "a", Text: true}, {Node: "b"}, {Node: "c"}}, Several: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := harnesstest.Config(t, tc.document, "")
			got, err := intake.ReadOutline(config)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			sys, found, err := intake.New(config, intake.Environment{Functions: map[string]build.Function{"f": nothing}})
			if err != nil || found.HasErrors() {
				t.Fatal(found, err)
			}
			defer sys.Close()
			if diff := cmp.Diff(got, sys.Outline()); diff != "" {
				t.Errorf("the system has another outline: %s", diff)
			}
		})
	}
	if _, err := intake.ReadOutline([]byte("{}")); err == nil {
		t.Error("a config without a document has an outline")
	}
}

func nothing(*workflow.Context, any, any) (workflow.Result, error) { return workflow.Result{}, nil }
