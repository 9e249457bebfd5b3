package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// found are findings as people read them.
func found(list diag.List) []string {
	var all []string
	for _, d := range list {
		all = append(all, d.Error())
	}
	return all
}

// A document with warnings runs, and says so.
func TestWarningsComeWithTheRevision(t *testing.T) {
	w := newWorld()
	w.document(`
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - { id: sort, type: cel, route: "input == 'a' ? 'A' : 'B'" }
      - { id: a, type: cel, output: "1" }
    edges:
      - { from: START, to: sort }
      - { from: sort, to: a, route: A }
`)
	res := w.compile(t)
	if res.Revision == nil {
		t.Fatalf("refused: %+v", res.Refusal)
	}
	const want = "configmap/docs/triage.yaml:8:15: warning[no-default]: "
	if got := found(res.Diagnostics); len(got) != 1 || !strings.HasPrefix(got[0], want) {
		t.Errorf("findings %q, want one that begins with %q", got, want)
	}
}

// Everything that is wrong is told at once, whoever finds it, in the order of the text.
func TestFindingsOfAllStepsComeTogether(t *testing.T) {
	w := newWorld()
	w.document(`
apiVersion: adk.declarative/v0.2
kind: AgentSystem
mcp_servers:
  - { name: crm, url: "http://elsewhere.example/mcp" }
agents:
  - name: triage
    agent_class: Workflow
    nodes:
      - { id: answer, type: llm, instruction_from: { config_map: { name: prompts, key: answer } }, modus: x }
      - { id: draft, type: llm, model: fast, instruction: Draft., tools: [bash] }
    edges:
      - { from: START, to: [answer, draft] }
`)
	w.models["flash"] = model("flash", v1alpha1.ModelConfigSpec{Provider: "google", Model: "flash"})
	w.template.Spec.Models = []v1alpha1.NamedModel{named("fast", "flash")}
	w.policy().Models = &[]string{"default"}
	res := w.compile(t)
	want := []string{
		// Without a checked document the compiler's own findings have a path and no line.
		`configmap/docs/triage.yaml: mcp_servers[crm].name: error[duplicate-name]: ` +
			`"crm" is an MCP server of the document and one of the template: AgentTemplate triage: spec.tools[crm]`,
		`configmap/docs/triage.yaml: agents[triage].nodes[draft].model: error[unknown-reference]: ` +
			`the harness doesn't let documents use the model "fast"`,
		`configmap/docs/triage.yaml:5:23: error[host-not-allowed]: ` +
			`the harness doesn't let documents reach the host "elsewhere.example"`,
		`configmap/docs/triage.yaml:10:100: error[unknown-field]: "modus" is no field of an llm node`,
		`configmap/docs/triage.yaml:11:75: error[tool-not-allowed]: the harness doesn't let documents use "bash"`,
	}
	var got []string
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			got = append(got, d.Error())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	wantRefusal(t, res, v1alpha1.ReasonWorkflowInvalid, want[0]+" (and 4 more)")
}

// Models are looked for wherever a document can have one, and found in the text.
func TestDisallowedModelsHaveAPlace(t *testing.T) {
	w := newWorld()
	w.document(`
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: main
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - id: each
        type: parallel_worker
        items: "[1, 2]"
        worker: { type: llm, model: a, instruction: Count. }
      - id: inner
        type: workflow
        nodes: [{ id: c, type: llm, model: b, instruction: Count. }]
        edges: [{ from: START, to: c }]
      - id: plan
        type: dynamic
        function: plan
        children: [{ id: step, type: llm, model: c, instruction: Step. }]
      - { id: ask, type: agent, agent: helper }
    edges:
      - { from: START, to: each }
      - { from: each, to: inner }
      - { from: inner, to: plan }
      - { from: plan, to: ask }
  - name: helper
    instruction: Help.
`)
	for _, name := range []string{"a", "b", "c"} {
		w.models[name] = model(name, v1alpha1.ModelConfigSpec{Provider: "google", Model: name})
		w.template.Spec.Models = append(w.template.Spec.Models, named(name, name))
	}
	w.policy().Models = &[]string{}
	res := w.compile(t)
	const message = `: error[unknown-reference]: the harness doesn't let documents use the model `
	want := []string{
		`configmap/docs/triage.yaml:12:37` + message + `"a"`,
		`configmap/docs/triage.yaml:15:44` + message + `"b"`,
		`configmap/docs/triage.yaml:20:50` + message + `"c"`,
		`configmap/docs/triage.yaml:27:5` + message + `"default"`,
	}
	if diff := cmp.Diff(want, found(res.Diagnostics)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if res.Refusal.Reason != v1alpha1.ReasonPolicyViolation {
		t.Errorf("reason %s", res.Refusal.Reason)
	}
}

// A prompt has no text with lines; its findings have paths.
func TestFindingsAboutAPrompt(t *testing.T) {
	w := newWorld()
	w.prompt("Be kind.")
	w.policy().Models = &[]string{}
	wantRefusal(t, w.compile(t), v1alpha1.ReasonPolicyViolation,
		`agents[triage].model: error[unknown-reference]: the harness doesn't let documents use the model "default"`)
}
