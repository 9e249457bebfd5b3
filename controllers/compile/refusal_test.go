package compile_test

import (
	"strings"
	"testing"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

func wantRefusal(t *testing.T, res *compile.Result, reason, message string) {
	t.Helper()
	switch {
	case res.Revision != nil:
		t.Errorf("a revision was made; want the refusal %s: %s", reason, message)
	case res.Refusal == nil:
		t.Error("neither a revision nor a refusal")
	case res.Refusal.Reason != reason || res.Refusal.Message != message:
		t.Errorf("refused\n%s: %s\nwant\n%s: %s", res.Refusal.Reason, res.Refusal.Message, reason, message)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		edit            func(w *world)
		reason, message string
	}{
		"a text that is no document": {
			func(w *world) { w.document("a: [") }, v1alpha1.ReasonWorkflowInvalid,
			"configmap/docs/triage.yaml:1:4: error[syntax]: \"[\" is never closed",
		},
		"an unknown field": {
			func(w *world) { w.document(strings.Replace(document, "tools:", "tolls:", 1)) }, v1alpha1.ReasonWorkflowInvalid,
			`configmap/docs/triage.yaml:13:9: error[unknown-field]: "tolls" is no field of an llm node`,
		},
		"two errors": {
			func(w *world) { w.document(strings.Replace(document, "search, crm", "serch/a, cmr/a", 1)) }, v1alpha1.ReasonWorkflowInvalid,
			`configmap/docs/triage.yaml:13:17: error[unknown-reference]: "serch" is no MCP server of this document (and 1 more)`,
		},
		"a default model that nothing is": {
			func(w *world) { w.template.Spec.ModelConfig = nil }, v1alpha1.ReasonWorkflowInvalid,
			`configmap/docs/triage.yaml:10:9: error[unknown-reference]: no model is mapped to the name "default"`,
		},
		"a model that the template doesn't map": {
			func(w *world) { w.document(strings.Replace(document, "tools:", "model: fast\n        tools:", 1)) },
			v1alpha1.ReasonWorkflowInvalid,
			`configmap/docs/triage.yaml:13:16: error[unknown-reference]: no model is mapped to the name "fast"`,
		},
		"a model that the policy doesn't list": {
			func(w *world) { w.policy().Models = &[]string{"fast"} }, v1alpha1.ReasonPolicyViolation,
			`configmap/docs/triage.yaml:10:9: error[unknown-reference]: the harness doesn't let documents use the model "default"`,
		},
		"a host that isn't allowed": {
			func(w *world) { w.services = []string{} }, v1alpha1.ReasonPolicyViolation,
			`configmap/docs/triage.yaml:5:26: error[host-not-allowed]: the harness doesn't let documents reach the host "search:9000"`,
		},
		"a variable that isn't exposed": {
			func(w *world) { w.document(withHeader("ANTHROPIC_API_KEY")) }, v1alpha1.ReasonPolicyViolation,
			`configmap/docs/triage.yaml:5:85: error[env-not-exposed]: the harness doesn't expose "ANTHROPIC_API_KEY" to documents`,
		},
		"a variable of plait's own": {
			func(w *world) { w.document(withHeader("PLAIT_SECRET_ANTHROPIC__TOKEN")) }, v1alpha1.ReasonPolicyViolation,
			`configmap/docs/triage.yaml:5:85: error[env-not-exposed]: "PLAIT_SECRET_ANTHROPIC__TOKEN" is plait's own; ` +
				`variables that start with PLAIT_ are never exposed to documents`,
		},
		"a tool that isn't allowed": {
			func(w *world) { w.document(strings.Replace(document, "read_file", "bash", 1)) }, v1alpha1.ReasonPolicyViolation,
			`configmap/docs/triage.yaml:13:30: error[tool-not-allowed]: the harness doesn't let documents use "bash"`,
		},
		"only tools that are listed": {
			func(w *world) { w.policy().HarnessTools = &[]v1alpha1.HarnessTool{} }, v1alpha1.ReasonPolicyViolation,
			`configmap/docs/triage.yaml:13:30: error[tool-not-allowed]: the harness doesn't let documents use "read_file"`,
		},
		"a breach and a mistake": {
			func(w *world) { w.document(strings.Replace(document, "crm, read_file", "bash, cmr/a", 1)) }, v1alpha1.ReasonWorkflowInvalid,
			`configmap/docs/triage.yaml:13:25: error[tool-not-allowed]: the harness doesn't let documents use "bash" (and 1 more)`,
		},
		"a server that the document has": {
			func(w *world) { w.document(strings.Replace(document, "name: search", "name: crm", 1)) }, v1alpha1.ReasonWorkflowInvalid,
			`configmap/docs/triage.yaml:5:13: error[duplicate-name]: "crm" is an MCP server of the document and one of the template: ` +
				"AgentTemplate triage: spec.tools[crm]",
		},
		"a program without documents": {
			func(w *world) { w.harness.Spec.BYO.Capabilities = &v1alpha1.Capabilities{} }, v1alpha1.ReasonDocumentsUnsupported,
			"Harness main: spec.byo.capabilities: its program runs no documents",
		},
		"a program of other configs": {
			func(w *world) {
				w.harness.Spec.BYO.Capabilities = &v1alpha1.Capabilities{Documents: true, ConfigVersions: []string{"v2", "v3"}}
			},
			v1alpha1.ReasonDocumentsUnsupported,
			"Harness main: spec.byo.capabilities: its program reads configs of version v2, v3; this release writes v1",
		},
		"a function of a managed harness": {
			func(w *world) {
				w.document(withFunction)
				w.harness.Spec.BYO, w.harness.Spec.Managed = nil, &v1alpha1.ManagedHarness{}
			},
			v1alpha1.ReasonWorkflowInvalid,
			`configmap/docs/triage.yaml:7:48: error[unknown-reference]: no function "score" is registered`,
		},
		"a function that the program lacks": {
			func(w *world) {
				w.document(withFunction)
				w.harness.Spec.BYO.Capabilities = &v1alpha1.Capabilities{Documents: true, Functions: []string{"rate"}}
			},
			v1alpha1.ReasonWorkflowInvalid,
			`configmap/docs/triage.yaml:7:48: error[unknown-reference]: no function "score" is registered`,
		},
		"a stand-in that the template doesn't map": {
			func(w *world) { w.models["haiku"].Spec.Failover = []string{"default", "fast"} }, v1alpha1.ReasonWorkflowInvalid,
			`ModelConfig haiku: spec.failover[1]: AgentTemplate triage maps no model to the name "fast"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.managedImage = image
			c.edit(w)
			wantRefusal(t, w.compile(t), c.reason, c.message)
		})
	}
}

// withHeader sends a variable to the server of the document.
func withHeader(variable string) string {
	return strings.Replace(document, `mcp"`, `mcp", headers: { Authorization: { env: `+variable+` } }`, 1)
}

const withFunction = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: triage
    agent_class: Workflow
    nodes: [{ id: a, type: function, function: score }]
    edges: [{ from: START, to: a }]
`

// It isn't known which functions a program has whose capabilities aren't given; its pod will say.
func TestUnknownCapabilitiesLetEveryNamePass(t *testing.T) {
	w := newWorld()
	w.document(withFunction)
	w.revision(t)
	w.harness.Spec.BYO.Capabilities = &v1alpha1.Capabilities{Documents: true, Functions: []string{"score"}, ConfigVersions: []string{"v1"}}
	w.revision(t)
}

// What Resolve found missing can't be compiled, whoever tries.
func TestCompileWithoutWhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		edit    func(in *compile.Inputs)
		message string
	}{
		"the document": {
			func(in *compile.Inputs) { in.Source = nil }, "AgentTemplate triage: spec.workflowFrom: the document wasn't read",
		},
		"another document": {
			func(in *compile.Inputs) { in.Source = compile.Parse(*ref("docs", "other"), document) },
			"AgentTemplate triage: spec.workflowFrom: the document wasn't read",
		},
		"a prompt": {
			func(in *compile.Inputs) { in.Texts = nil },
			`configmap/docs/triage.yaml:12:27: error[prompt-source]: the prompt "answer" of the ConfigMap "prompts": it isn't there`,
		},
		"the prompt of a template": {
			func(in *compile.Inputs) {
				in.Template = in.Template.DeepCopy()
				in.Template.Spec.WorkflowFrom, in.Template.Spec.SystemPromptFrom = nil, ref("prompts", "other")
			},
			"AgentTemplate triage: spec.systemPromptFrom: the prompt wasn't read",
		},
		"a script": {
			func(in *compile.Inputs) { in.ModelConfigs = map[string]*v1alpha1.ModelConfig{"haiku": fauxModel()} },
			"ModelConfig haiku: spec.faux.scriptFrom: the script wasn't read",
		},
		"a model": {
			func(in *compile.Inputs) { in.ModelConfigs = nil },
			`AgentTemplate triage: the model "default": there is no ModelConfig haiku`,
		},
		"a server": {
			func(in *compile.Inputs) { in.Servers = nil }, "AgentTemplate triage: spec.tools[crm]: there is no RemoteMCPServer crm",
		},
		"a secret": {
			func(in *compile.Inputs) { in.Secrets = nil }, "the key token of the Secret anthropic wasn't read",
		},
		"the template": {
			func(in *compile.Inputs) { in.Template = nil },
			"a revision is made of an AgentTemplate and a Harness; one of them isn't there",
		},
		"all but the names": {
			func(in *compile.Inputs) {
				*in = compile.Inputs{Template: &v1alpha1.AgentTemplate{}, Harness: &v1alpha1.Harness{}}
			},
			"AgentTemplate : metadata.name: it is empty (and 5 more)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := newWorld().resolve(t)
			c.edit(in)
			wantRefusal(t, compile.Compile(in), v1alpha1.ReasonWorkflowInvalid, c.message)
		})
	}
}
