package compile_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/pkg/declarative"
)

// world holds objects of a namespace, and is a [compile.Reader] of them.
type world struct {
	template     *v1alpha1.AgentTemplate
	harness      *v1alpha1.Harness
	managedImage string

	models   map[string]*v1alpha1.ModelConfig
	servers  map[string]*v1alpha1.RemoteMCPServer
	services []string
	texts    map[v1alpha1.KeyReference]string
	secrets  map[v1alpha1.KeyReference]string // HMACs
	uid      types.UID

	reads, failAt int // which read fails, from 1
}

const (
	image        = "registry.example/harness@sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
	documentName = "docs"
	documentKey  = "triage.yaml"
)

// document is small and uses everything that a world of newWorld has.
const document = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
mcp_servers:
  - { name: search, url: "http://search:9000/mcp" }
agents:
  - name: triage
    agent_class: Workflow
    nodes:
      - id: answer
        type: llm
        instruction_from: { config_map: { name: prompts, key: answer } }
        tools: [search, crm, read_file]
    edges:
      - { from: START, to: answer }
`

// newWorld has a template with a document, a bring-your-own harness, a model with a key, and a server with a secret header.
func newWorld() *world {
	return &world{
		template: &v1alpha1.AgentTemplate{
			ObjectMeta: metav1.ObjectMeta{Namespace: "support", Name: "triage"},
			Spec: v1alpha1.AgentTemplateSpec{
				ModelConfig:  &v1alpha1.Reference{Name: "haiku"},
				WorkflowFrom: ref(documentName, documentKey),
				Tools:        []v1alpha1.Tool{tool("crm")},
			},
		},
		harness: &v1alpha1.Harness{
			ObjectMeta: metav1.ObjectMeta{Namespace: "support", Name: "main"},
			Spec: v1alpha1.HarnessSpec{
				BYO:  &v1alpha1.BYOHarness{Image: image},
				Auth: v1alpha1.Auth{Bearer: &v1alpha1.BearerAuth{SecretName: "keys"}},
			},
		},
		models: map[string]*v1alpha1.ModelConfig{"haiku": model("haiku", v1alpha1.ModelConfigSpec{
			Provider: "anthropic", Model: "claude-haiku", APIKeySecretRef: ref("anthropic", "token"),
		})},
		servers: map[string]*v1alpha1.RemoteMCPServer{"crm": server("crm", "https://crm.example/mcp",
			v1alpha1.Header{Name: "Authorization", Value: secretValue("crm", "token")})},
		services: []string{"search"},
		texts: map[v1alpha1.KeyReference]string{
			*ref(documentName, documentKey): document,
			*ref("prompts", "answer"):       "Answer in one sentence.",
		},
		secrets: map[v1alpha1.KeyReference]string{
			*ref("anthropic", "token"): "hmac-anthropic",
			*ref("crm", "token"):       "hmac-crm",
			*ref("keys", "alice"):      "hmac-alice",
		},
	}
}

func ref(name, key string) *v1alpha1.KeyReference {
	return &v1alpha1.KeyReference{Name: name, Key: key}
}

func literal(text string) v1alpha1.Value { return v1alpha1.Value{Value: &text} }

func secretValue(name, key string) v1alpha1.Value {
	return v1alpha1.Value{SecretKeyRef: ref(name, key)}
}

func tool(server string, tools ...string) v1alpha1.Tool {
	return v1alpha1.Tool{MCP: v1alpha1.MCPTools{Server: v1alpha1.ServerReference{Name: server}, Tools: tools}}
}

func model(name string, spec v1alpha1.ModelConfigSpec) *v1alpha1.ModelConfig {
	return &v1alpha1.ModelConfig{ObjectMeta: metav1.ObjectMeta{Namespace: "support", Name: name}, Spec: spec}
}

func server(name, url string, headers ...v1alpha1.Header) *v1alpha1.RemoteMCPServer {
	return &v1alpha1.RemoteMCPServer{
		ObjectMeta: metav1.ObjectMeta{Namespace: "support", Name: name},
		Spec:       v1alpha1.RemoteMCPServerSpec{URL: url, Headers: headers},
	}
}

// document puts another document in the place of the first.
func (w *world) document(text string) { w.texts[*ref(documentName, documentKey)] = text }

// prompt puts a prompt in the place of the document.
func (w *world) prompt(text string) {
	w.template.Spec.WorkflowFrom, w.template.Spec.SystemPrompt = nil, &text
}

// policy is that of the harness, for changes.
func (w *world) policy() *v1alpha1.DocumentPolicy {
	if w.harness.Spec.DocumentPolicy == nil {
		w.harness.Spec.DocumentPolicy = &v1alpha1.DocumentPolicy{}
	}
	return w.harness.Spec.DocumentPolicy
}

// resolve reads the inputs, which must all be there.
func (w *world) resolve(t testing.TB) *compile.Inputs {
	t.Helper()
	in := w.inputs()
	missing, err := compile.Resolve(t.Context(), w, in)
	if err != nil || missing != nil {
		t.Fatalf("missing %v, error %v", missing, err)
	}
	return in
}

func (w *world) inputs() *compile.Inputs {
	return &compile.Inputs{Template: w.template, Harness: w.harness, ManagedImage: w.managedImage}
}

func (w *world) compile(t testing.TB) *compile.Result {
	t.Helper()
	return compile.Compile(w.resolve(t))
}

// revision compiles what must have one.
func (w *world) revision(t testing.TB) *compile.Revision {
	t.Helper()
	res := w.compile(t)
	if res.Refusal != nil {
		t.Fatalf("refused: %s: %s", res.Refusal.Reason, res.Refusal.Message)
	}
	return res.Revision
}

// config compiles what must have one.
func (w *world) config(t testing.TB) *adkconfigv1.AgentConfig {
	t.Helper()
	cfg, err := adkconfigv1.Unmarshal(w.revision(t).Config)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// shipped is the document of the config.
func (w *world) shipped(t testing.TB) *declarative.Document {
	t.Helper()
	doc, found := declarative.Load("document", []byte(w.config(t).GetWorkflow().GetDocumentJson()))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return doc
}

var errAway = errors.New("the server is away")

// read counts the reads.
func (w *world) read() error {
	if w.reads++; w.reads == w.failAt {
		return errAway
	}
	return nil
}

func (w *world) ModelConfig(_ context.Context, name string) (*v1alpha1.ModelConfig, error) {
	return w.models[name], w.read()
}

func (w *world) Servers(context.Context) (map[string]*v1alpha1.RemoteMCPServer, error) {
	return w.servers, w.read()
}

func (w *world) Services(context.Context) ([]string, error) {
	return w.services, w.read()
}

func (w *world) Text(_ context.Context, ref v1alpha1.KeyReference) (compile.Text, bool, bool, error) {
	text, ok := w.texts[ref]
	return compile.Text{Text: text, UID: w.uid}, hasObject(w.texts, ref.Name), ok, w.read()
}

func (w *world) Secret(_ context.Context, ref v1alpha1.KeyReference) (compile.Secret, bool, bool, error) {
	hmac, ok := w.secrets[ref]
	return compile.Secret{HMAC: hmac, UID: w.uid}, hasObject(w.secrets, ref.Name), ok, w.read()
}

func (w *world) HasSecret(_ context.Context, name string) (bool, error) {
	return hasObject(w.secrets, name), w.read()
}

func hasObject(keys map[v1alpha1.KeyReference]string, name string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(keys)), func(ref v1alpha1.KeyReference) bool { return ref.Name == name })
}
