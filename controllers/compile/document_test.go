package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/pkg/declarative"
)

func TestPromptBecomesADocument(t *testing.T) {
	w := newWorld()
	w.prompt("Be kind: {\"a\": [1]}\n  - and #brief\n")
	w.template.Spec.Description = "Answers mail."
	w.template.Spec.Tools = []v1alpha1.Tool{tool("search", "b", "a"), tool("crm")}
	w.servers["search"] = server("search", "http://search/mcp")
	want := []declarative.Agent{{
		Name: "triage", Description: "Answers mail.",
		LLM: &declarative.LLM{
			Instruction: "Be kind: {\"a\": [1]}\n  - and #brief\n",
			Tools:       []declarative.ToolRef{{Name: "crm"}, {Name: "search"}},
		},
	}}
	doc := w.shipped(t)
	if diff := cmp.Diff(want, doc.Agents); diff != "" {
		t.Errorf("agents (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(declarative.Metadata{Name: "triage", Description: "Answers mail."}, doc.Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, doc.MCPServers[1].Tools); diff != "" {
		t.Errorf("tools of search (-want +got):\n%s", diff)
	}
	if res := w.compile(t); res.Document != nil {
		t.Errorf("a template with a prompt has the document %+v", res.Document)
	}
}

func TestAgentOfAPromptHasAValidName(t *testing.T) {
	for name, want := range map[string]string{
		"triage":                 "triage",
		"team.triage":            "team_triage",
		"1st-line":               "_1st-line",
		"user":                   "_user",
		strings.Repeat("a", 253): strings.Repeat("a", 63),
		strings.Repeat("9", 70):  "_" + strings.Repeat("9", 62),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.prompt("Be kind.")
			w.template.Name = name
			if got := w.shipped(t).Agents[0].Name; got != want {
				t.Errorf("agent %q, want %q", got, want)
			}
		})
	}
}

func TestPromptFromAConfigMap(t *testing.T) {
	w := newWorld()
	w.template.Spec.WorkflowFrom, w.template.Spec.SystemPromptFrom = nil, ref("prompts", "answer")
	if got := w.shipped(t).Agents[0].LLM.Instruction; got != "Answer in one sentence." {
		t.Errorf("instruction %q", got)
	}
	source := w.config(t).GetWorkflow().GetPrompts()[0]
	if want := adkconfigv1.Digest([]byte("Answer in one sentence.")); source.GetSha256() != want || source.GetName() != "prompts" {
		t.Errorf("source %v, want the hash %s", source, want)
	}
}

func TestPromptThatCantBeUsed(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty": {"", "configmap/prompts/answer: the prompt is empty"},
		"too large": {
			strings.Repeat("x", declarative.MaxPromptBytes+1),
			"configmap/prompts/answer: the prompt has 524289 bytes; a prompt may have 524288",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.template.Spec.WorkflowFrom, w.template.Spec.SystemPromptFrom = nil, ref("prompts", "answer")
			w.texts[*ref("prompts", "answer")] = c.text
			wantRefusal(t, w.compile(t), v1alpha1.ReasonWorkflowInvalid, c.want)
		})
	}
}

func TestPromptOfADocumentIsInlined(t *testing.T) {
	w := newWorld()
	llm, _ := w.shipped(t).Agents[0].Graph.Nodes[0].Body.(*declarative.LLM)
	if llm.Instruction != "Answer in one sentence." || llm.InstructionFrom != nil {
		t.Errorf("instruction %q from %v", llm.Instruction, llm.InstructionFrom)
	}
}

func TestPromptsAreSorted(t *testing.T) {
	w := newWorld()
	w.document(strings.Replace(document, "tools:", "global_instruction_from: { config_map: { name: house, key: style } }\n        tools:", 1))
	w.texts[*ref("house", "style")] = "Be kind."
	var got []string
	for _, p := range w.config(t).GetWorkflow().GetPrompts() {
		got = append(got, p.GetName()+"/"+p.GetKey())
	}
	if diff := cmp.Diff([]string{"house/style", "prompts/answer"}, got); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
}

func TestDescriptionOfTheTemplateFillsIn(t *testing.T) {
	w := newWorld()
	w.template.Spec.Description = "Of the template."
	if got := w.shipped(t).Metadata.Description; got != "Of the template." {
		t.Errorf("description %q", got)
	}
	w.document(document + "metadata: { description: Of the document. }\n")
	if got := w.shipped(t).Metadata.Description; got != "Of the document." {
		t.Errorf("description %q", got)
	}
}

func TestDocumentInfo(t *testing.T) {
	const nested = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - { id: a, type: cel, output: "1" }
      - { id: b, type: cel, output: "2" }
      - id: each
        type: parallel_worker
        items: "[1, 2]"
        worker: { type: llm, model: fast, instruction: Count. }
      - id: inner
        type: workflow
        nodes: [{ id: c, type: agent, agent: helper }]
        edges: [{ from: START, to: c }]
      - id: plan
        type: dynamic
        function: plan
        children: [a, { id: step, type: llm, instruction: Step. }]
    edges:
      - { from: START, to: [a, b] }
      - { from: [a, b], to: each }
      - { from: each, to: inner }
      - { from: inner, to: plan }
  - { name: helper, instruction: Help. }
`
	w := newWorld()
	w.document(nested)
	w.models["flash"] = model("flash", v1alpha1.ModelConfigSpec{Provider: "ollama", Model: "flash"})
	w.template.Spec.Models = []v1alpha1.NamedModel{named("fast", "flash")}
	res := w.compile(t)
	want := &compile.DocumentInfo{
		SourceHash: adkconfigv1.Digest([]byte(nested)),
		SHA256:     w.config(t).GetWorkflow().GetSha256(),
		Agents:     2, Nodes: 7, Edges: 7,
	}
	if diff := cmp.Diff(want, res.Document); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
	if models := w.config(t).GetModels(); len(models) != 2 {
		t.Errorf("models %v, want those of the worker and of the child", models)
	}
}

func TestDocumentInfoOfWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want compile.DocumentInfo
	}{
		"no document": {"a: [", compile.DocumentInfo{}},
		"an error": {
			strings.Replace(document, "search, crm", "serch/a, crm", 1),
			compile.DocumentInfo{Agents: 1, Nodes: 1, Edges: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.document(c.text)
			c.want.SourceHash = adkconfigv1.Digest([]byte(c.text))
			if diff := cmp.Diff(&c.want, w.compile(t).Document); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
		})
	}
}
