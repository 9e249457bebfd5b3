package apply_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/compile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// newTemplate is a template as the API server has it.
func newTemplate() *v1alpha1.AgentTemplate {
	return &v1alpha1.AgentTemplate{ObjectMeta: metav1.ObjectMeta{
		Namespace: "agents", Name: "support-triage", UID: "3b0cbf0e-3e63-4b1f-8c55-7f3f1a5f0d11",
	}}
}

func newHarness() *v1alpha1.Harness {
	replicas, deadline := int32(2), int32(300)
	return &v1alpha1.Harness{
		ObjectMeta: metav1.ObjectMeta{Namespace: "agents", Name: "standard"},
		Spec:       v1alpha1.HarnessSpec{Replicas: &replicas, ProgressDeadlineSeconds: &deadline},
	}
}

// lean is a manifest with what every one has.
func lean() *compile.Manifest {
	return &compile.Manifest{
		Version: compile.ManifestVersion, Namespace: "agents", Template: "support-triage", Harness: "standard",
		ConfigSHA256:                  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		Image:                         "registry.example/harness:v1",
		Env:                           []compile.EnvVar{{Name: "PLAIT_AUTH", Value: "none"}},
		TerminationGracePeriodSeconds: 60,
	}
}

// rich is a manifest with all that one can have.
func rich() *compile.Manifest {
	m := lean()
	m.Command, m.Args = []string{"/harness"}, []string{"--check"}
	m.Env = append(m.Env,
		compile.EnvVar{Name: "PLAIT_SECRET_1", Secret: &v1alpha1.KeyReference{Name: "anthropic", Key: "key"}},
		compile.EnvVar{Name: "TOKEN", Secret: &v1alpha1.KeyReference{Name: "tokens", Key: "token"}, Optional: true},
	)
	m.AuthSecret, m.Claim = "keys", "sessions"
	m.Restricted = true
	m.Egress = []compile.Endpoint{
		{Host: "api.anthropic.com", Port: 443},
		{Host: "crm-mcp", Port: 8080, Service: true},
		{Host: "mcp.example", Port: 443},
		{Host: "mcp.example", Port: 8443},
	}
	m.Resources = &corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")},
	}
	m.Pod = &v1alpha1.PodOverlay{
		Labels:             map[string]string{"team": "support", apply.LabelRevision: "mine"},
		Annotations:        map[string]string{"example.com/scrape": "true"},
		NodeSelector:       map[string]string{"disk": "fast"},
		Tolerations:        []corev1.Toleration{{Key: "agents", Operator: corev1.TolerationOpExists}},
		ServiceAccountName: "agents",
		PriorityClassName:  "high",
		ImagePullSecrets:   []v1alpha1.Reference{{Name: "registry"}},
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.ScheduleAnyway,
		}},
	}
	return m
}

// The objects are those of the golden files, which are to be read before they are committed.
func TestObjects(t *testing.T) {
	for name, manifest := range map[string]*compile.Manifest{"lean": lean(), "rich": rich()} {
		t.Run(name, func(t *testing.T) {
			r := &apply.Rollout{Template: newTemplate(), Harness: newHarness(), Revision: "3f9ac1d20b7e", Manifest: manifest}
			var got bytes.Buffer
			for _, obj := range r.Objects() {
				text, err := yaml.Marshal(obj)
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString("---\n")
				got.Write(text)
			}
			golden(t, filepath.Join("testdata", name+".yaml"), got.Bytes())
		})
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// Rendering is a function: what is rendered twice is the same, and shares nothing with the manifest that writing one
// could change in the other.
func TestObjectsAreTheSameEveryTime(t *testing.T) {
	manifest := rich()
	r := &apply.Rollout{Template: newTemplate(), Harness: newHarness(), Revision: "3f9ac1d20b7e", Manifest: manifest}
	first := r.Objects()
	for _, obj := range first {
		obj.GetLabels()["changed"] = "true"
	}
	for i, obj := range r.Objects() {
		if obj.GetLabels()["changed"] != "" {
			t.Errorf("object %d shares its labels with an earlier one", i)
		}
	}
	if diff := cmp.Diff(rich(), manifest); diff != "" {
		t.Errorf("the manifest has changed: %s", diff)
	}
}

// A harness that names no replicas leaves them to whoever scales the Deployment.
func TestReplicasAreLeftAlone(t *testing.T) {
	h := newHarness()
	h.Spec.Replicas = nil
	r := &apply.Rollout{Template: newTemplate(), Harness: h, Revision: "3f9ac1d20b7e", Manifest: lean()}
	objects := r.Objects()
	text, err := yaml.Marshal(objects[len(objects)-1])
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("replicas")) {
		t.Errorf("the Deployment has replicas:\n%s", text)
	}
}

// What isn't secret may be read of anybody's pod, what is secret may not: no secret value stands in an object.
func TestSecretsAreReferences(t *testing.T) {
	r := &apply.Rollout{Template: newTemplate(), Harness: newHarness(), Revision: "3f9ac1d20b7e", Manifest: rich()}
	objects := r.Objects()
	text, err := yaml.Marshal(objects[len(objects)-1])
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("secretKeyRef")); n != 2 {
		t.Errorf("the Deployment has %d references to Secrets, want 2", n)
	}
}
