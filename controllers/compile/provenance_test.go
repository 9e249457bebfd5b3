package compile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// withoutHashes is the provenance without hashes, which are tested elsewhere.
func withoutHashes(inputs []compile.Input) []compile.Input {
	var all []compile.Input
	for _, in := range inputs {
		in.Hash = ""
		all = append(all, in)
	}
	return all
}

func TestProvenanceNamesWhatIsUsed(t *testing.T) {
	const group = "plait.dev/v1alpha1"
	w := newWorld()
	w.uid = "keys"
	w.template.UID, w.harness.UID = "template", "harness"
	w.models["haiku"].UID, w.servers["crm"].UID = "model", "server"
	w.models["unused"] = model("unused", v1alpha1.ModelConfigSpec{
		Provider: "google", Model: "x", APIKeySecretRef: ref("keys", "alice"),
	})
	w.template.Spec.Models = []v1alpha1.NamedModel{named("unused", "unused"), named("again", "haiku")}
	w.models["haiku"].Spec.Failover = []string{"again"}
	w.servers["unused"] = server("unused", "https://unused.example")
	want := []compile.Input{
		{APIVersion: group, Kind: "AgentTemplate", Name: "triage", UID: "template"},
		{APIVersion: "v1", Kind: "ConfigMap", Name: "docs", Key: "triage.yaml", UID: "keys"},
		{APIVersion: "v1", Kind: "ConfigMap", Name: "prompts", Key: "answer", UID: "keys"},
		{APIVersion: group, Kind: "Harness", Name: "main", UID: "harness"},
		{APIVersion: group, Kind: "ModelConfig", Name: "haiku", UID: "model"},
		{APIVersion: group, Kind: "RemoteMCPServer", Name: "crm", UID: "server"},
		{APIVersion: "v1", Kind: "Secret", Name: "anthropic", Key: "token", UID: "keys"},
		{APIVersion: "v1", Kind: "Secret", Name: "crm", Key: "token", UID: "keys"},
	}
	if diff := cmp.Diff(want, withoutHashes(w.revision(t).Provenance)); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
}

func TestProvenanceOfAPromptAndAScript(t *testing.T) {
	w := newWorld()
	w.template.Spec.WorkflowFrom, w.template.Spec.SystemPromptFrom = nil, ref("prompts", "answer")
	w.template.Spec.Tools = nil
	w.models["haiku"] = fauxModel()
	w.texts[*ref("scripts", "a.yaml")] = "{}"
	var got []string
	for _, in := range w.revision(t).Provenance {
		got = append(got, in.Kind+" "+in.Name+" "+in.Key)
	}
	want := []string{
		"AgentTemplate triage ", "ConfigMap prompts answer", "ConfigMap scripts a.yaml", "Harness main ", "ModelConfig haiku ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
}

// A hash changes with what counts of an input, and with nothing else.
func TestProvenanceHashes(t *testing.T) {
	hashes := func(w *world) map[string]string {
		all := map[string]string{}
		for _, in := range w.revision(t).Provenance {
			all[in.Kind+" "+in.Name] = in.Hash
		}
		return all
	}
	before := hashes(newWorld())
	if want := adkconfigv1.Digest([]byte(document)); before["ConfigMap docs"] != want {
		t.Errorf("hash %s of the document, want %s", before["ConfigMap docs"], want)
	}
	if before["Secret crm"] != "hmac-crm" {
		t.Errorf("hash %s of a secret, want its HMAC", before["Secret crm"])
	}
	for input, edits := range map[string]struct{ matters, doesnt func(w *world) }{
		"AgentTemplate triage": {
			func(w *world) { w.template.Spec.Description = "x" },
			func(w *world) { w.template.Spec.Suspend, w.template.Labels = true, map[string]string{"a": "b"} },
		},
		"Harness main": {
			func(w *world) { w.harness.Spec.URL = "https://agents.example" },
			func(w *world) { w.harness.Spec.Replicas, w.harness.UID = new(int32(3)), "x" },
		},
		"ModelConfig haiku": {
			func(w *world) { w.models["haiku"].Spec.Model = "x" },
			func(w *world) { w.models["haiku"].Generation = 3 },
		},
		"RemoteMCPServer crm": {
			func(w *world) { w.servers["crm"].Spec.URL = "https://x.example" },
			func(w *world) { w.servers["crm"].Annotations = map[string]string{"a": "b"} },
		},
		"ConfigMap prompts": {
			func(w *world) { w.texts[*ref("prompts", "answer")] = "x" },
			func(w *world) { w.texts[*ref("prompts", "other")] = "x" },
		},
		"Secret anthropic": {
			func(w *world) { w.secrets[*ref("anthropic", "token")] = "x" },
			func(w *world) { w.secrets[*ref("anthropic", "other")] = "x" },
		},
	} {
		t.Run(input, func(t *testing.T) {
			w := newWorld()
			edits.doesnt(w)
			if diff := cmp.Diff(before, hashes(w)); diff != "" {
				t.Errorf("what doesn't matter changed hashes (-before +after):\n%s", diff)
			}
			edits.matters(w)
			after := hashes(w)
			if after[input] == before[input] {
				t.Error("what matters left the hash as it was")
			}
			after[input] = before[input]
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("other hashes changed, too (-before +after):\n%s", diff)
			}
		})
	}
}
