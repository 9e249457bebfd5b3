package compile_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
)

func TestModelIsShippedWhole(t *testing.T) {
	w := newWorld()
	w.models["haiku"] = model("haiku", v1alpha1.ModelConfigSpec{
		Provider:        "openai",
		Model:           "gpt",
		APIKeySecretRef: ref("anthropic", "token"),
		BaseURL:         "https://models.example/v1",
		Headers: []v1alpha1.Header{
			{Name: "X-Team", Value: literal("support")}, {Name: "X-Token", Value: secretValue("crm", "token")},
		},
		ProxyURL:   "http://proxy.example:3128",
		RateLimits: &v1alpha1.RateLimits{RequestsPerMinute: 60, TokensPerMinute: 100_000},
		Catalog: &v1alpha1.CatalogOverrides{
			ContextWindow: new(int64(128_000)), MaxOutputTokens: new(int64(4_096)), InputPrice: new(resource.MustParse("2.5")),
			OutputPrice: new(resource.MustParse("10")), CacheReadPrice: new(resource.MustParse("250m")), CacheWritePrice: new(resource.MustParse("0")),
		},
		Compat: &v1alpha1.Compat{Profile: "vllm", Overrides: map[string]string{"stop": "none"}},
	})
	want := &adkconfigv1.Model{
		Provider: "openai", Model: "gpt", BaseUrl: "https://models.example/v1", ProxyUrl: "http://proxy.example:3128",
		ApiKey: inVariable("PLAIT_SECRET_ANTHROPIC__TOKEN"),
		Headers: map[string]*adkconfigv1.Value{
			"X-Team":  {From: &adkconfigv1.Value_Literal{Literal: "support"}},
			"X-Token": {From: &adkconfigv1.Value_Secret{Secret: inVariable("PLAIT_SECRET_CRM__TOKEN")}},
		},
		RateLimits: &adkconfigv1.RateLimits{RequestsPerMinute: 60, TokensPerMinute: 100_000},
		Catalog: &adkconfigv1.CatalogOverrides{
			ContextWindow: new(int64(128_000)), MaxOutputTokens: new(int64(4_096)), InputPrice: new(2.5), OutputPrice: new(10.0),
			CacheReadPrice: new(0.25), CacheWritePrice: new(0.0),
		},
		Compat: &adkconfigv1.Compat{Profile: "vllm", Overrides: map[string]string{"stop": "none"}},
	}
	if diff := cmp.Diff(want, w.config(t).GetModels()["default"], protocmp.Transform()); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
}

func inVariable(name string) *adkconfigv1.SecretRef {
	return &adkconfigv1.SecretRef{From: &adkconfigv1.SecretRef_Env{Env: name}}
}

// Blocks that say nothing make no difference.
func TestEmptyBlocks(t *testing.T) {
	w := newWorld()
	w.models["haiku"].Spec.Provider = "openai"
	before := w.revision(t).Hash
	w.models["haiku"].Spec.RateLimits, w.models["haiku"].Spec.Catalog = &v1alpha1.RateLimits{}, &v1alpha1.CatalogOverrides{}
	w.models["haiku"].Spec.Headers = []v1alpha1.Header{}
	w.models["haiku"].Spec.Compat = &v1alpha1.Compat{Overrides: map[string]string{}}
	w.harness.Spec.Resources, w.harness.Spec.PodTemplate = &corev1.ResourceRequirements{}, &v1alpha1.PodOverlay{Labels: map[string]string{}}
	w.harness.Spec.DocumentPolicy = &v1alpha1.DocumentPolicy{MaxLimits: &v1alpha1.MaxLimits{}}
	if after := w.revision(t).Hash; after != before {
		t.Error("another revision")
	}
}

func TestOnlyModelsInUseAreShipped(t *testing.T) {
	w := newWorld()
	for _, name := range []string{"a", "b", "c", "unused"} {
		w.models[name] = model(name, v1alpha1.ModelConfigSpec{Provider: "ollama", Model: name})
		w.template.Spec.Models = append(w.template.Spec.Models, named(name, name))
	}
	w.models["haiku"].Spec.Failover = []string{"b", "a"}
	w.models["a"].Spec.Failover = []string{"c", "default"}
	cfg := w.config(t)
	if diff := cmp.Diff([]string{"a", "b", "c", "default"}, slices.Sorted(maps.Keys(cfg.GetModels()))); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b", "a"}, cfg.GetModels()["default"].GetFailover()); diff != "" {
		t.Errorf("the order of stand-ins (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"default"}, cfg.GetPolicy().GetModels()); diff != "" {
		t.Errorf("models that the document may use (-want +got):\n%s", diff)
	}
	checkShipped(t, w.revision(t).Config)
}

func TestScriptIsShippedAsJSON(t *testing.T) {
	w := newWorld()
	w.models["haiku"] = fauxModel()
	w.texts[*ref("scripts", "a.yaml")] = "# says hello\nturns:\n- text: Hello.\n"
	if got := w.config(t).GetModels()["default"].GetScript(); got != `{"turns":[{"text":"Hello."}]}` {
		t.Errorf("script %s", got)
	}
	before := w.revision(t).Hash
	w.texts[*ref("scripts", "a.yaml")] = `{"turns": [{"text": "Hello."}]}`
	if w.revision(t).Hash != before {
		t.Error("the same script in other words made another revision")
	}
}

func fauxModel() *v1alpha1.ModelConfig {
	return model("haiku", v1alpha1.ModelConfigSpec{
		Provider: "faux", Model: "scripted", Faux: &v1alpha1.FauxModel{ScriptFrom: *ref("scripts", "a.yaml")},
	})
}

func TestScriptThatIsNoYAML(t *testing.T) {
	w := newWorld()
	w.models["haiku"] = fauxModel()
	for name, text := range map[string]string{"broken": "turns: [", "a key twice": "a: 1\na: 2\n"} {
		t.Run(name, func(t *testing.T) {
			w.texts[*ref("scripts", "a.yaml")] = text
			res := w.compile(t)
			if res.Refusal == nil || !strings.HasPrefix(res.Refusal.Message, "configmap/scripts/a.yaml: the script of ModelConfig haiku: ") {
				t.Errorf("refusal %+v", res.Refusal)
			}
		})
	}
}

func TestServersOfTheTemplate(t *testing.T) {
	w := newWorld()
	w.servers["crm"].Spec.Timeout = &metav1.Duration{Duration: 90 * time.Second}
	w.servers["crm"].Spec.Headers = append(w.servers["crm"].Spec.Headers, v1alpha1.Header{Name: "X-Tenant", Value: literal("")})
	want := map[string]*adkconfigv1.MCPServer{"crm": {
		Endpoint: &adkconfigv1.MCPServer_Http{Http: &adkconfigv1.MCPServerHTTP{
			Url: "https://crm.example/mcp",
			Headers: map[string]*adkconfigv1.Value{
				"Authorization": {From: &adkconfigv1.Value_Secret{Secret: inVariable("PLAIT_SECRET_CRM__TOKEN")}},
				"X-Tenant":      {From: &adkconfigv1.Value_Literal{}},
			},
		}},
		Timeout: durationpb.New(90 * time.Second),
	}}
	if diff := cmp.Diff(want, w.config(t).GetMcpServers(), protocmp.Transform()); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
}

func TestTooManyServers(t *testing.T) {
	w := newWorld()
	var more strings.Builder
	for i := range declarative.MaxMCPServers - 1 {
		fmt.Fprintf(&more, "  - { name: s%d, url: http://search/mcp }\n", i)
	}
	w.document(strings.Replace(document, "mcp_servers:\n", "mcp_servers:\n"+more.String(), 1))
	wantRefusal(t, w.compile(t), v1alpha1.ReasonWorkflowInvalid,
		"AgentTemplate triage: spec.tools: with those of the template the document has 201 MCP servers; it may have 200")
}
