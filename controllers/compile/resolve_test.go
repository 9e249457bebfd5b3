package compile_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

func TestResolveReportsWhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(w *world)
		want []string
	}{
		"nothing": {func(*world) {}, nil},
		"the document's object": {
			func(w *world) { delete(w.texts, *ref(documentName, documentKey)) },
			[]string{"AgentTemplate triage: spec.workflowFrom: there is no ConfigMap docs"},
		},
		"the document's key": {
			func(w *world) { w.template.Spec.WorkflowFrom.Key = "other.yaml" },
			[]string{"AgentTemplate triage: spec.workflowFrom: the ConfigMap docs has no key other.yaml"},
		},
		"a prompt of the document": {
			func(w *world) { delete(w.texts, *ref("prompts", "answer")) },
			[]string{"configmap/docs/triage.yaml: a prompt of the document: there is no ConfigMap prompts"},
		},
		"the prompt of a template": {
			func(w *world) {
				w.template.Spec.WorkflowFrom, w.template.Spec.SystemPromptFrom = nil, ref("prompts", "other")
			},
			[]string{"AgentTemplate triage: spec.systemPromptFrom: the ConfigMap prompts has no key other"},
		},
		"a model": {
			func(w *world) { delete(w.models, "haiku") },
			[]string{"AgentTemplate triage: spec.modelConfig: there is no ModelConfig haiku"},
		},
		"a model under a further name": {
			func(w *world) { w.template.Spec.Models = []v1alpha1.NamedModel{named("fast", "flash")} },
			[]string{"AgentTemplate triage: spec.models[fast].modelConfig: there is no ModelConfig flash"},
		},
		"a model's key": {
			func(w *world) { delete(w.secrets, *ref("anthropic", "token")) },
			[]string{"ModelConfig haiku: spec.apiKeySecretRef: there is no Secret anthropic"},
		},
		"a model's header": {
			func(w *world) {
				w.models["haiku"].Spec.Headers = []v1alpha1.Header{{Name: "X-Team", Value: secretValue("anthropic", "team")}}
			},
			[]string{"ModelConfig haiku: spec.headers[X-Team]: the Secret anthropic has no key team"},
		},
		"a script": {
			func(w *world) {
				w.models["haiku"].Spec.Faux = &v1alpha1.FauxModel{ScriptFrom: *ref("scripts", "a.yaml")}
			},
			[]string{"ModelConfig haiku: spec.faux.scriptFrom: there is no ConfigMap scripts"},
		},
		"a server": {
			func(w *world) { delete(w.servers, "crm") },
			[]string{"AgentTemplate triage: spec.tools[crm].mcp.server: there is no RemoteMCPServer crm"},
		},
		"a server's header": {
			func(w *world) { delete(w.secrets, *ref("crm", "token")) },
			[]string{"RemoteMCPServer crm: spec.headers[Authorization]: there is no Secret crm"},
		},
		"a variable of the harness": {
			func(w *world) {
				w.harness.Spec.Env = []v1alpha1.EnvVar{{Name: "A", Value: literal("b")}, {Name: "TOKEN", Value: secretValue("keys", "x")}}
			},
			[]string{"Harness main: spec.env[TOKEN]: the Secret keys has no key x"},
		},
		"the keys of callers": {
			func(w *world) { w.harness.Spec.Auth.Bearer.SecretName = "others" },
			[]string{"Harness main: spec.auth.bearer: there is no Secret others"},
		},
		"the same twice": {
			func(w *world) {
				w.template.Spec.Models = []v1alpha1.NamedModel{named("a", "haiku"), named("b", "haiku")}
				delete(w.secrets, *ref("anthropic", "token"))
			},
			[]string{"ModelConfig haiku: spec.apiKeySecretRef: there is no Secret anthropic"},
		},
		"everything": {
			func(w *world) {
				w.template.Spec.Models = []v1alpha1.NamedModel{named("z", "z"), named("a", "a")}
				w.harness.Spec.Env = []v1alpha1.EnvVar{{Name: "TOKEN", Value: secretValue("env", "x")}}
				maps.DeleteFunc(w.texts, func(r v1alpha1.KeyReference, _ string) bool { return r.Name == "prompts" })
				clear(w.secrets)
			},
			[]string{
				"ModelConfig haiku: spec.apiKeySecretRef: there is no Secret anthropic",
				"AgentTemplate triage: spec.models[z].modelConfig: there is no ModelConfig z",
				"AgentTemplate triage: spec.models[a].modelConfig: there is no ModelConfig a",
				"configmap/docs/triage.yaml: a prompt of the document: there is no ConfigMap prompts",
				"RemoteMCPServer crm: spec.headers[Authorization]: there is no Secret crm",
				"Harness main: spec.env[TOKEN]: there is no Secret env",
				"Harness main: spec.auth.bearer: there is no Secret keys",
			},
		},
		"references that aren't whole are for the compiler": {
			func(w *world) {
				w.template.Spec.WorkflowFrom = &v1alpha1.KeyReference{}
				w.template.Spec.ModelConfig = &v1alpha1.Reference{}
				w.template.Spec.Tools = []v1alpha1.Tool{{}}
				w.harness.Spec.Auth.Bearer.SecretName = ""
				w.harness.Spec.Env = []v1alpha1.EnvVar{{Name: "A", Value: secretValue("", "")}}
			},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			c.edit(w)
			missing, err := compile.Resolve(t.Context(), w, w.inputs())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range missing {
				got = append(got, m.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
		})
	}
}

func named(name, config string) v1alpha1.NamedModel {
	return v1alpha1.NamedModel{Name: name, ModelConfig: v1alpha1.Reference{Name: config}}
}

// Whatever read fails, the error comes through and nothing counts as missing.
func TestResolveFailsWhenReadingFails(t *testing.T) {
	w := newWorld()
	w.harness.Spec.Env = []v1alpha1.EnvVar{{Name: "TOKEN", Value: secretValue("keys", "alice")}}
	w.models["haiku"].Spec.Headers = []v1alpha1.Header{{Name: "X-Team", Value: secretValue("keys", "alice")}}
	w.resolve(t)
	for last := w.reads; w.failAt < last; {
		w.failAt++
		w.reads = 0
		missing, err := compile.Resolve(t.Context(), w, w.inputs())
		if !errors.Is(err, errAway) || missing != nil {
			t.Errorf("read %d of %d fails: missing %v, error %v", w.failAt, last, missing, err)
		}
	}
}

func TestResolveKeepsASourceOfTheSameText(t *testing.T) {
	w := newWorld()
	in := w.resolve(t)
	parsed := in.Source
	if _, err := compile.Resolve(t.Context(), w, in); err != nil || in.Source != parsed {
		t.Errorf("the document was parsed again, error %v", err)
	}
	w.document(document + "# a comment\n")
	if _, err := compile.Resolve(t.Context(), w, in); err != nil || in.Source == parsed {
		t.Errorf("another text kept the old document, error %v", err)
	}
	w.prompt("Be kind.")
	if _, err := compile.Resolve(t.Context(), w, in); err != nil || in.Source != nil {
		t.Errorf("a prompt kept the old document, error %v", err)
	}
}

func TestResolveWithoutATemplate(t *testing.T) {
	w := newWorld()
	for _, in := range []*compile.Inputs{{}, {Template: w.template}, {Harness: w.harness}} {
		if _, err := compile.Resolve(t.Context(), w, in); err == nil {
			t.Errorf("no error about %v", in)
		}
	}
}
