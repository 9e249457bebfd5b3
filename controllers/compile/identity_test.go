package compile_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// richWorld has something in every list, so that there is something to change the order of.
func richWorld() *world {
	w := newWorld()
	w.document(strings.Replace(withHeader("TOKEN"), "crm, read_file", "crm, erp, read_file, write_file", 1))
	w.template.Spec.Tools = []v1alpha1.Tool{tool("crm", "b", "a"), tool("erp")}
	w.template.Spec.Models = []v1alpha1.NamedModel{named("fast", "flash"), named("unused", "unused")}
	w.models["haiku"].Spec.Failover = []string{"fast"}
	w.models["haiku"].Spec.Headers = []v1alpha1.Header{{Name: "X-A", Value: literal("a")}, {Name: "X-B", Value: literal("b")}}
	w.models["flash"] = model("flash", v1alpha1.ModelConfigSpec{Provider: "google", Model: "flash"})
	w.models["unused"] = model("unused", v1alpha1.ModelConfigSpec{Provider: "google", Model: "unused"})
	w.servers["erp"] = server("erp", "https://erp.example/mcp")
	w.servers["unused"] = server("unused", "https://unused.example/mcp")
	w.services = []string{"search", "other"}
	spec := &w.harness.Spec
	spec.Env = []v1alpha1.EnvVar{{Name: "TOKEN", Value: secretValue("keys", "alice")}, {Name: "REGION", Value: literal("eu")}}
	spec.SessionStore = sessions("")
	spec.URL = "https://agents.example"
	spec.PodTemplate = &v1alpha1.PodOverlay{
		Labels: map[string]string{"a": "b"}, ImagePullSecrets: []v1alpha1.Reference{{Name: "a"}, {Name: "b"}},
	}
	spec.DocumentPolicy = &v1alpha1.DocumentPolicy{
		MCPHosts:     []string{"a.example", "b.example"},
		Env:          []v1alpha1.EnvGrant{{Name: "TOKEN", Hosts: []string{"search", "a.example"}}, {Name: "UNUSED", Hosts: []string{"b.example"}}},
		HarnessTools: &[]v1alpha1.HarnessTool{"read_file", "write_file", "bash"},
		Models:       &[]string{"default", "fast"},
		MaxLimits:    &v1alpha1.MaxLimits{MaxSteps: new(int64(10))},
	}
	return w
}

// idle are edits that change nothing for a pod.
func idle() map[string]func(w *world) {
	return map[string]func(w *world){
		"a comment in the document": func(w *world) { w.document(w.text() + "# a comment\n") },
		"another order of its keys": func(w *world) {
			w.document(strings.Replace(w.text(), "kind: AgentSystem\n", "", 1) + "kind: AgentSystem\n")
		},
		"a default that is written out": func(w *world) {
			w.document(strings.Replace(w.text(), "type: llm", "type: llm\n        model: default", 1))
		},
		"another key of its ConfigMap": func(w *world) { w.texts[*ref(documentName, "other.yaml")] = "x" },
		"another ConfigMap":            func(w *world) { w.texts[*ref("other", "other.yaml")] = "x" },
		"another key of a Secret":      func(w *world) { w.secrets[*ref("anthropic", "other")] = "hmac" },
		"credentials of callers":       func(w *world) { w.secrets[*ref("keys", "bob")] = "hmac" },
		"new UIDs": func(w *world) {
			w.uid, w.template.UID, w.harness.UID, w.models["haiku"].UID = "1", "2", "3", "4"
		},
		"labels and annotations": func(w *world) {
			w.template.Labels, w.harness.Annotations = map[string]string{"a": "b"}, map[string]string{"a": "b"}
		},
		"resource versions":    func(w *world) { w.template.ResourceVersion, w.harness.Generation = "7", 7 },
		"a new Service":        func(w *world) { w.services = append(w.services, "new") },
		"another server":       func(w *world) { w.servers["new"] = server("new", "https://new.example") },
		"a server nobody uses": func(w *world) { w.servers["unused"].Spec.URL = "https://other.example" },
		"a model nobody uses":  func(w *world) { w.models["unused"].Spec.Model = "other" },
		"a host nobody uses": func(w *world) {
			w.policy().MCPHosts = append(w.policy().MCPHosts, "c.example")
		},
		"a grant nobody uses": func(w *world) {
			unused := func(g v1alpha1.EnvGrant) bool { return g.Name == "UNUSED" }
			w.policy().Env[slices.IndexFunc(w.policy().Env, unused)].Hosts = []string{"c.example"}
		},
		"a tool nobody uses": func(w *world) {
			*w.policy().HarnessTools = append(*w.policy().HarnessTools, "run_command")
		},
		"a model in the policy": func(w *world) {
			*w.policy().Models = append(*w.policy().Models, "unused", "unknown")
		},
		"replicas":                 func(w *world) { w.harness.Spec.Replicas = new(int32(0)) },
		"the deadline of rollouts": func(w *world) { w.harness.Spec.ProgressDeadlineSeconds = new(int32(10)) },
		"the selector of templates": func(w *world) {
			w.harness.Spec.AllowedAgentTemplates = &v1alpha1.TemplateSelector{}
		},
		"capabilities": func(w *world) {
			w.harness.Spec.BYO.Capabilities = &v1alpha1.Capabilities{Documents: true}
		},
		"history": func(w *world) { w.template.Spec.RevisionHistoryLimit = new(int32(1)) },
		"suspend and pin": func(w *world) {
			w.template.Spec.Suspend, w.template.Spec.Revision = true, "0123456789ab"
		},
		"defaults of the definitions":    writeDefaults,
		"the image of managed harnesses": func(w *world) { w.managedImage = "other" },
		"status":                         func(w *world) { w.template.Status.Mode = v1alpha1.ModeWorkflow },
		"the description": func(w *world) {
			w.document(w.text() + "metadata: { description: Of the template. }\n")
			w.template.Spec.Description = "Of somebody else."
		},
		"the order of lists": func(w *world) {
			slices.Reverse(w.template.Spec.Tools)
			slices.Reverse(w.template.Spec.Tools[1].MCP.Tools)
			slices.Reverse(w.template.Spec.Models)
			slices.Reverse(w.models["haiku"].Spec.Headers)
			slices.Reverse(w.harness.Spec.Env)
			slices.Reverse(w.harness.Spec.PodTemplate.ImagePullSecrets)
			slices.Reverse(w.policy().MCPHosts)
			slices.Reverse(w.policy().Env)
			slices.Reverse(w.policy().Env[1].Hosts)
			slices.Reverse(*w.policy().HarnessTools)
			slices.Reverse(*w.policy().Models)
			slices.Reverse(w.services)
		},
	}
}

// idleWorld has a description, which one of the idle edits is about.
func idleWorld() *world {
	w := richWorld()
	w.template.Spec.Description = "Of the template."
	return w
}

// Nobody's pods are replaced for these.
func TestWhatMakesNoNewRevision(t *testing.T) {
	before := idleWorld().revision(t)
	for name, edit := range idle() {
		t.Run(name, func(t *testing.T) {
			w := idleWorld()
			edit(w)
			if after := w.revision(t); after.Hash != before.Hash {
				t.Errorf("another revision (-before +after):\n%s%s", cmp.Diff(string(before.Config), string(after.Config)),
					cmp.Diff(string(manifestBytes(t, before)), string(manifestBytes(t, after))))
			}
		})
	}
}

// A policy that says nothing of models allows those of the template.
func TestNoPolicyOfModels(t *testing.T) {
	w := idleWorld()
	before := w.revision(t)
	w.policy().Models = nil
	if w.revision(t).Hash != before.Hash {
		t.Error("another revision")
	}
}

// Several of these at once, in any order, replace nobody's pods either.
func TestIdleEditsTogether(t *testing.T) {
	before := idleWorld().revision(t)
	names := slices.Sorted(maps.Keys(idle()))
	rapid.Check(t, func(t *rapid.T) {
		w := idleWorld()
		for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID[string]).Draw(t, "edits") {
			idle()[name](w)
		}
		in := w.inputs()
		missing, err := compile.Resolve(t.Context(), w, in)
		if err != nil || missing != nil {
			t.Fatalf("missing %v, error %v", missing, err)
		}
		if res := compile.Compile(in); res.Refusal != nil || res.Revision.Hash != before.Hash {
			t.Fatalf("another revision, or the refusal %+v", res.Refusal)
		}
	})
}

// writeDefaults writes what an API server fills in.
func writeDefaults(w *world) {
	spec := &w.harness.Spec
	spec.Replicas, spec.MaxConcurrentRuns = new(int32(1)), new(int32(64))
	spec.TerminationGracePeriodSeconds, spec.ProgressDeadlineSeconds = new(int64(60)), new(int32(300))
	spec.NetworkPolicy = &v1alpha1.NetworkPolicy{Enabled: new(true)}
	spec.SessionStore.File.Fsync = "always"
	for i := range w.template.Spec.Tools {
		w.template.Spec.Tools[i].MCP.Server.Kind = "RemoteMCPServer"
	}
}

// text is that of the document.
func (w *world) text() string { return w.texts[*ref(documentName, documentKey)] }

// Each of these changes what a pod does.
func TestWhatMakesANewRevision(t *testing.T) {
	hashes := map[string]string{}
	for name, edit := range map[string]func(w *world){
		"nothing": func(*world) {},
		"the document": func(w *world) {
			w.document(strings.Replace(w.text(), "id: answer", "id: reply", 1))
			w.rename()
		},
		"a prompt":           func(w *world) { w.texts[*ref("prompts", "answer")] = "Answer at length." },
		"the description":    func(w *world) { w.template.Spec.Description = "Of the template." },
		"the template":       func(w *world) { w.template.Name = "other" },
		"the harness":        func(w *world) { w.harness.Name = "other" },
		"the namespace":      func(w *world) { w.template.Namespace, w.harness.Namespace = "other", "other" },
		"a model":            func(w *world) { w.models["haiku"].Spec.Model = "other" },
		"a stand-in":         func(w *world) { w.models["flash"].Spec.Model = "other" },
		"a model's address":  func(w *world) { w.models["haiku"].Spec.BaseURL = "https://other.example" },
		"a header":           func(w *world) { w.models["haiku"].Spec.Headers[0].Value = literal("other") },
		"an API key":         func(w *world) { w.secrets[*ref("anthropic", "token")] = "other" },
		"a server's address": func(w *world) { w.servers["crm"].Spec.URL = "https://other.example" },
		"a server's secret":  func(w *world) { w.secrets[*ref("crm", "token")] = "other" },
		"a server's timeout": func(w *world) {
			w.servers["crm"].Spec.Timeout = &metav1.Duration{Duration: time.Second}
		},
		"a server's description": func(w *world) { w.servers["crm"].Spec.Description = "Customers." },
		"a server's tools":       func(w *world) { w.template.Spec.Tools[0].MCP.Tools = []string{"a"} },
		"a host that is a Service": func(w *world) {
			w.policy().MCPHosts = append(w.policy().MCPHosts, "search")
			w.services = []string{"other"}
		},
		"a grant":               func(w *world) { w.policy().Env[0].Hosts = []string{"search"} },
		"limits":                func(w *world) { w.policy().MaxLimits.MaxSteps = new(int64(11)) },
		"the image":             func(w *world) { w.harness.Spec.BYO.Image = "other@sha256:0" },
		"the command":           func(w *world) { w.harness.Spec.BYO.Command = []string{"other"} },
		"the arguments":         func(w *world) { w.harness.Spec.BYO.Args = []string{"other"} },
		"a variable":            func(w *world) { w.harness.Spec.Env[1].Value = literal("us") },
		"a variable's secret":   func(w *world) { w.harness.Spec.Env[0].Value = secretValue("crm", "token") },
		"a variable's content":  func(w *world) { w.secrets[*ref("keys", "alice")] = "other" },
		"who is let in":         func(w *world) { w.harness.Spec.Auth = v1alpha1.Auth{None: &v1alpha1.NoAuth{}} },
		"the Secret of callers": func(w *world) { w.harness.Spec.Auth.Bearer.SecretName = "crm" },
		"the claim": func(w *world) {
			w.harness.Spec.SessionStore.File.PersistentVolumeClaim.Name = "other"
		},
		"how sessions are written": func(w *world) { w.harness.Spec.SessionStore.File.Fsync = "never" },
		"sessions in the pod":      func(w *world) { w.harness.Spec.SessionStore = nil },
		"the URL":                  func(w *world) { w.harness.Spec.URL = "https://other.example" },
		"runs at once":             func(w *world) { w.harness.Spec.MaxConcurrentRuns = new(int32(1)) },
		"the time to end":          func(w *world) { w.harness.Spec.TerminationGracePeriodSeconds = new(int64(30)) },
		"the network": func(w *world) {
			w.harness.Spec.NetworkPolicy = &v1alpha1.NetworkPolicy{Enabled: new(false)}
		},
		"the overlay":               func(w *world) { w.harness.Spec.PodTemplate.PriorityClassName = "high" },
		"another key of the labels": func(w *world) { w.harness.Spec.PodTemplate.Labels["c"] = "d" },
		"resources": func(w *world) {
			w.harness.Spec.Resources = &corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("1")}}
		},
	} {
		w := richWorld()
		edit(w)
		hash := w.revision(t).Hash
		if other, twice := hashes[hash]; twice {
			t.Errorf("%s and %s are one revision", name, other)
		}
		hashes[hash] = name
	}
}

// rename follows the node of the document.
func (w *world) rename() { w.document(strings.ReplaceAll(w.text(), "to: answer", "to: reply")) }

func TestShort(t *testing.T) {
	rev := newWorld().revision(t)
	if short := rev.Short(); len(short) != 12 || !strings.HasPrefix(rev.Hash, short) || len(rev.Hash) != 64 {
		t.Errorf("short form %q of %q", short, rev.Hash)
	}
}

// Compiling changes nothing that it is given: other calls share it.
func TestCompileLeavesInputsAlone(t *testing.T) {
	w := richWorld()
	in := w.resolve(t)
	before := *in
	before.Template, before.Harness = in.Template.DeepCopy(), in.Harness.DeepCopy()
	before.ModelConfigs, before.Servers = deepCopies(in.ModelConfigs), deepCopies(in.Servers)
	before.Texts, before.Secrets = maps.Clone(in.Texts), maps.Clone(in.Secrets)
	before.Services = slices.Clone(in.Services)
	first := compile.Compile(in)
	if diff := diffInputs(&before, in); diff != "" {
		t.Errorf("inputs (-before +after):\n%s", diff)
	}
	if second := compile.Compile(&before); second.Revision.Hash != first.Revision.Hash {
		t.Error("copies of the inputs made another revision")
	}
}

func deepCopies[T interface{ DeepCopy() T }](objects map[string]T) map[string]T {
	copies := map[string]T{}
	for name, o := range objects {
		copies[name] = o.DeepCopy()
	}
	return copies
}
