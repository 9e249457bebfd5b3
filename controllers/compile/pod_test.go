package compile_test

import (
	stdcmp "cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openairesponses"
)

func TestVariablesOfThePod(t *testing.T) {
	base := map[string]string{
		"PLAIT_AUTH": "bearer", "PLAIT_GRACE_PERIOD": "50s", "PLAIT_HARNESS": "main", "PLAIT_MAX_CONCURRENT_RUNS": "64",
		"PLAIT_NAMESPACE": "support", "PLAIT_TEMPLATE": "triage",
		"PLAIT_SECRET_ANTHROPIC__TOKEN": "secret anthropic/token", "PLAIT_SECRET_CRM__TOKEN": "secret crm/token",
	}
	for name, c := range map[string]struct {
		edit func(spec *v1alpha1.HarnessSpec)
		want map[string]string // beside base
	}{
		"defaults": {func(*v1alpha1.HarnessSpec) {}, nil},
		"everybody is let in": {
			func(s *v1alpha1.HarnessSpec) { s.Auth = v1alpha1.Auth{None: &v1alpha1.NoAuth{}} },
			map[string]string{"PLAIT_AUTH": "none"},
		},
		"a URL": {
			func(s *v1alpha1.HarnessSpec) { s.URL = "https://agents.example" },
			map[string]string{"PLAIT_URL": "https://agents.example/triage"},
		},
		"a URL with a path": {
			func(s *v1alpha1.HarnessSpec) { s.URL = "https://agents.example/v1/" },
			map[string]string{"PLAIT_URL": "https://agents.example/v1/triage"},
		},
		"runs at once": {
			func(s *v1alpha1.HarnessSpec) { s.MaxConcurrentRuns = new(int32(8)) },
			map[string]string{"PLAIT_MAX_CONCURRENT_RUNS": "8"},
		},
		"a time to end": {
			func(s *v1alpha1.HarnessSpec) { s.TerminationGracePeriodSeconds = new(int64(120)) },
			map[string]string{"PLAIT_GRACE_PERIOD": "1m50s"},
		},
		"the shortest time to end": {
			func(s *v1alpha1.HarnessSpec) { s.TerminationGracePeriodSeconds = new(int64(15)) },
			map[string]string{"PLAIT_GRACE_PERIOD": "5s"},
		},
		"sessions in files": {
			func(s *v1alpha1.HarnessSpec) { s.SessionStore = sessions("") }, map[string]string{"PLAIT_FSYNC": "always"},
		},
		"sessions forced to the disk now and then": {
			func(s *v1alpha1.HarnessSpec) { s.SessionStore = sessions("interval") }, map[string]string{"PLAIT_FSYNC": "interval"},
		},
		"variables of the harness": {
			func(s *v1alpha1.HarnessSpec) {
				s.Env = []v1alpha1.EnvVar{
					{Name: "REGION", Value: literal("eu")}, {Name: "EMPTY", Value: literal("")}, {Name: "TOKEN", Value: secretValue("keys", "alice")},
				}
			},
			map[string]string{"REGION": "eu", "EMPTY": "", "TOKEN": "secret keys/alice"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			c.edit(&w.harness.Spec)
			want := maps.Clone(base)
			maps.Copy(want, c.want)
			got, last := map[string]string{}, ""
			for _, v := range w.revision(t).Manifest.Env {
				got[v.Name] = v.Value
				if v.Secret != nil {
					got[v.Name] += "secret " + v.Secret.Name + "/" + v.Secret.Key
				}
				if v.Name <= last {
					t.Errorf("%s stands behind %s", v.Name, last)
				}
				last = v.Name
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("variables (-want +got):\n%s", diff)
			}
		})
	}
}

func sessions(fsync string) *v1alpha1.SessionStore {
	return &v1alpha1.SessionStore{File: &v1alpha1.FileStore{PersistentVolumeClaim: v1alpha1.Reference{Name: "data"}, Fsync: fsync}}
}

// Two keys never share a variable, however alike they look.
func TestVariablesOfSecretsAreDistinct(t *testing.T) {
	refs := []*v1alpha1.KeyReference{
		ref("a-b", "c"), ref("a.b", "c"), ref("a", "b-c"), ref("a", "b_c"), ref("a", "B_C"), ref("a", "b.c"), ref("a", "bC"),
		ref("a", "b__c"), ref("a-2d", "c"), ref("a", "_2Dc"), ref("a", "-c"), ref("a", "_c"), ref("a", "__c"),
	}
	w := newWorld()
	for i, r := range refs {
		w.secrets[*r] = "hmac"
		w.models["haiku"].Spec.Headers = append(w.models["haiku"].Spec.Headers, v1alpha1.Header{
			Name: fmt.Sprintf("X-%d", i), Value: v1alpha1.Value{SecretKeyRef: r},
		})
	}
	seen := map[string]v1alpha1.KeyReference{}
	for _, v := range w.revision(t).Manifest.Env {
		if v.Secret == nil {
			continue
		}
		if other, twice := seen[v.Name]; twice {
			t.Errorf("%s holds %v and %v", v.Name, other, *v.Secret)
		}
		seen[v.Name] = *v.Secret
	}
	if want := len(refs) + 2; len(seen) != want {
		t.Errorf("%d secrets, want %d", len(seen), want)
	}
}

func TestPod(t *testing.T) {
	w := newWorld()
	w.managedImage = "registry.example/managed:1"
	if m := w.revision(t).Manifest; m.Image != image || m.AuthSecret != "keys" || m.Claim != "" || !m.Restricted ||
		m.TerminationGracePeriodSeconds != 60 || m.Pod != nil || m.Resources != nil {
		t.Errorf("manifest %+v", m)
	}
	spec := &w.harness.Spec
	spec.BYO.Command, spec.BYO.Args = []string{"/harness"}, []string{"-v"}
	spec.Auth = v1alpha1.Auth{None: &v1alpha1.NoAuth{}}
	spec.SessionStore = sessions("never")
	spec.NetworkPolicy = &v1alpha1.NetworkPolicy{Enabled: new(false)}
	spec.TerminationGracePeriodSeconds = new(int64(30))
	spec.Resources = &corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("2")}}
	spec.PodTemplate = &v1alpha1.PodOverlay{ImagePullSecrets: []v1alpha1.Reference{{Name: "b"}, {Name: "a"}}}
	m := w.revision(t).Manifest
	if m.AuthSecret != "" || m.Claim != "data" || m.Restricted || m.TerminationGracePeriodSeconds != 30 ||
		m.Command[0] != "/harness" || m.Args[0] != "-v" || m.Resources.Limits.Cpu().Value() != 2 {
		t.Errorf("manifest %+v", m)
	}
	if diff := cmp.Diff([]v1alpha1.Reference{{Name: "a"}, {Name: "b"}}, m.Pod.ImagePullSecrets); diff != "" {
		t.Errorf("pull secrets (-want +got):\n%s", diff)
	}
	if spec.PodTemplate.ImagePullSecrets[0].Name != "b" {
		t.Error("the harness was changed")
	}
	spec.BYO, spec.Managed = nil, &v1alpha1.ManagedHarness{}
	if m := w.revision(t).Manifest; m.Image != "registry.example/managed:1" || m.Command != nil {
		t.Errorf("manifest %+v of a managed harness", m)
	}
}

func TestSecretsOfThePod(t *testing.T) {
	w := newWorld()
	w.harness.Spec.Env = []v1alpha1.EnvVar{{Name: "CRM", Value: secretValue("crm", "token")}, {Name: "ALICE", Value: secretValue("keys", "alice")}}
	want := []compile.SecretUse{
		{Name: "anthropic", Key: "token", HMAC: "hmac-anthropic"},
		{Name: "crm", Key: "token", HMAC: "hmac-crm"},
		{Name: "keys", Key: "alice", HMAC: "hmac-alice"},
	}
	if diff := cmp.Diff(want, w.revision(t).Manifest.Secrets); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}

func TestEgress(t *testing.T) {
	rest := []compile.Endpoint{{Host: "crm.example", Port: 443}, {Host: "search", Port: 9000, Service: true}}
	for name, c := range map[string]struct {
		edit func(w *world)
		want []compile.Endpoint // beside rest
	}{
		"anthropic":        {func(*world) {}, []compile.Endpoint{{Host: "api.anthropic.com", Port: 443}}},
		"openai":           {provider("openai"), []compile.Endpoint{{Host: "api.openai.com", Port: 443}}},
		"openai-responses": {provider("openai-responses"), []compile.Endpoint{{Host: "api.openai.com", Port: 443}}},
		"google": {
			provider("google"),
			[]compile.Endpoint{{Host: "generativelanguage.googleapis.com", Port: 443}},
		},
		"ollama": {provider("ollama"), nil},
		"a base URL": {
			func(w *world) { w.models["haiku"].Spec.BaseURL = "http://ai.example/v1" }, []compile.Endpoint{{Host: "ai.example", Port: 80}},
		},
		"a Service": {
			func(w *world) {
				w.services = []string{"ai", "search"}
				w.models["haiku"].Spec.BaseURL = "http://AI.support.svc:11434"
			},
			[]compile.Endpoint{{Host: "ai.support.svc", Port: 11434, Service: true}},
		},
		"another namespace's Service": {
			func(w *world) { w.models["haiku"].Spec.BaseURL = "http://ai.other.svc:11434" },
			[]compile.Endpoint{{Host: "ai.other.svc", Port: 11434}},
		},
		"a proxy": {
			func(w *world) { w.models["haiku"].Spec.ProxyURL = "http://a.proxy.example:3128" },
			[]compile.Endpoint{{Host: "a.proxy.example", Port: 3128}},
		},
		"a stand-in": {
			func(w *world) {
				w.models["haiku"].Spec.BaseURL = "https://b.example"
				w.models["fast"] = model("fast", v1alpha1.ModelConfigSpec{Provider: "ollama", Model: "x", BaseURL: "http://a.example"})
				w.models["haiku"].Spec.Failover = []string{"fast"}
				w.template.Spec.Models = []v1alpha1.NamedModel{named("fast", "fast")}
			},
			[]compile.Endpoint{{Host: "a.example", Port: 80}, {Host: "b.example", Port: 443}},
		},
		"two models of one host": {
			func(w *world) {
				w.models["fast"] = model("fast", v1alpha1.ModelConfigSpec{Provider: "anthropic", Model: "x"})
				w.models["haiku"].Spec.Failover = []string{"fast"}
				w.template.Spec.Models = []v1alpha1.NamedModel{named("fast", "fast")}
			},
			[]compile.Endpoint{{Host: "api.anthropic.com", Port: 443}},
		},
		"a server whose URL is a variable": {
			func(w *world) {
				w.document(strings.Replace(document, "mcp_servers:\n", "mcp_servers:\n  - { name: away, url_env: AWAY_URL }\n", 1))
				w.policy().Env = []v1alpha1.EnvGrant{{Name: "AWAY_URL", Hosts: []string{"a.example:8443", "*.b.example", "AA.example"}}}
				w.models["haiku"].Spec.BaseURL = "http://c"
				w.services = []string{"search"}
			},
			[]compile.Endpoint{
				{Host: "*.b.example", Port: 80}, {Host: "*.b.example", Port: 443}, {Host: "a.example", Port: 8443},
				{Host: "aa.example", Port: 80}, {Host: "aa.example", Port: 443}, {Host: "c", Port: 80},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			c.edit(w)
			want := slices.SortedFunc(slices.Values(slices.Concat(c.want, rest)), func(a, b compile.Endpoint) int {
				return stdcmp.Or(strings.Compare(a.Host, b.Host), int(a.Port-b.Port))
			})
			if diff := cmp.Diff(want, w.revision(t).Manifest.Egress); diff != "" {
				t.Errorf("egress (-want +got):\n%s", diff)
			}
		})
	}
}

// The profiles of the OpenAI wires are called where those wires call them.
func TestEgressOfProfiles(t *testing.T) {
	bases := map[[2]string]string{}
	for _, p := range openai.Profiles() {
		bases[[2]string{"openai", p.Name}] = p.BaseURL
	}
	for _, p := range openairesponses.Profiles() {
		bases[[2]string{"openai-responses", p.Name}] = p.BaseURL
	}
	for name, base := range bases {
		w := newWorld()
		w.models["haiku"].Spec.Provider = name[0]
		w.models["haiku"].Spec.Compat = &v1alpha1.Compat{Profile: name[1]}
		var hosts []string
		for _, e := range w.revision(t).Manifest.Egress {
			if e.Host != "crm.example" && e.Host != "search" {
				hosts = append(hosts, e.Host)
			}
		}
		u, err := url.Parse(base)
		if err != nil || strings.Join(hosts, ",") != u.Hostname() {
			t.Errorf("%v: may call %q, calls %q", name, hosts, base)
		}
	}
}

func provider(name string) func(w *world) {
	return func(w *world) { w.models["haiku"].Spec.Provider = name }
}

// A document may name a port that there isn't; nobody can be called there.
func TestEgressToAPortThatIsntThere(t *testing.T) {
	w := newWorld()
	w.document(strings.Replace(document, "9000", "99999", 1))
	want := []compile.Endpoint{{Host: "api.anthropic.com", Port: 443}, {Host: "crm.example", Port: 443}}
	if diff := cmp.Diff(want, w.revision(t).Manifest.Egress); diff != "" {
		t.Errorf("egress (-want +got):\n%s", diff)
	}
}

func TestScriptCallsNobody(t *testing.T) {
	w := newWorld()
	w.prompt("Be kind.")
	w.template.Spec.Tools = nil
	w.models["haiku"] = fauxModel()
	w.texts[*ref("scripts", "a.yaml")] = "{}"
	if got := w.revision(t).Manifest.Egress; got != nil {
		t.Errorf("egress %v", got)
	}
}
