package compile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// Objects from files weren't checked by an API server.
func TestObjectsKeepTheRulesOfTheirKinds(t *testing.T) {
	const (
		inTemplate = "AgentTemplate triage: "
		inHarness  = "Harness main: "
		inModel    = "ModelConfig haiku: "
		inServer   = "RemoteMCPServer crm: "
	)
	template := func(edit func(s *v1alpha1.AgentTemplateSpec)) func(w *world) {
		return func(w *world) { edit(&w.template.Spec) }
	}
	harness := func(edit func(s *v1alpha1.HarnessSpec)) func(w *world) {
		return func(w *world) { edit(&w.harness.Spec) }
	}
	policy := func(edit func(p *v1alpha1.DocumentPolicy)) func(w *world) { return func(w *world) { edit(w.policy()) } }
	limits := func(l v1alpha1.MaxLimits) func(w *world) { return func(w *world) { w.policy().MaxLimits = &l } }
	haiku := func(edit func(s *v1alpha1.ModelConfigSpec)) func(w *world) {
		return func(w *world) { edit(&w.models["haiku"].Spec) }
	}
	catalog := func(c v1alpha1.CatalogOverrides) func(w *world) {
		return func(w *world) { w.models["haiku"].Spec.Catalog = &c }
	}
	crm := func(edit func(s *v1alpha1.RemoteMCPServerSpec)) func(w *world) {
		return func(w *world) { edit(&w.servers["crm"].Spec) }
	}
	header := func(name string, value v1alpha1.Value) func(w *world) {
		return crm(func(s *v1alpha1.RemoteMCPServerSpec) { s.Headers = []v1alpha1.Header{{Name: name, Value: value}} })
	}
	env := func(vars ...v1alpha1.EnvVar) func(w *world) {
		return harness(func(s *v1alpha1.HarnessSpec) { s.Env = vars })
	}

	for name, c := range map[string]struct {
		edit func(w *world)
		want string
	}{
		"a document and a prompt": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.SystemPrompt = new("x") }),
			inTemplate + "spec: give exactly one of workflowFrom, systemPrompt and systemPromptFrom",
		},
		"neither": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.WorkflowFrom = nil }),
			inTemplate + "spec: give exactly one of workflowFrom, systemPrompt and systemPromptFrom",
		},
		"a prompt without a model": {
			func(w *world) { w.prompt("x"); w.template.Spec.ModelConfig = nil }, inTemplate + "spec: a template with a prompt needs modelConfig",
		},
		"an empty prompt": {func(w *world) { w.prompt("") }, inTemplate + "spec.systemPrompt: it is empty"},
		"half a reference": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.WorkflowFrom = ref("a", "") }),
			inTemplate + "spec.workflowFrom: give name and key",
		},
		"no name of a model": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.ModelConfig.Name = "" }), inTemplate + "spec.modelConfig.name: it is empty",
		},
		"another default": {
			template(func(s *v1alpha1.AgentTemplateSpec) {
				s.Models = []v1alpha1.NamedModel{named("default", "haiku")}
			}),
			inTemplate + "spec.models[0]: the model default is modelConfig; models are further names",
		},
		"a bad name of a model": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.Models = []v1alpha1.NamedModel{named("a b", "haiku")} }),
			inTemplate + `spec.models[0].name: "a b" can't be the name of a model`,
		},
		"a model without an object": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.Models = []v1alpha1.NamedModel{named("a", "")} }),
			inTemplate + "spec.models[0].modelConfig.name: it is empty",
		},
		"a model twice": {
			template(func(s *v1alpha1.AgentTemplateSpec) {
				s.Models = []v1alpha1.NamedModel{named("a", "haiku"), named("a", "haiku")}
			}),
			inTemplate + `spec.models: "a" stands in it twice`,
		},
		"another kind of servers": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.Tools[0].MCP.Server.Kind = "Service" }),
			inTemplate + `spec.tools[0].mcp.server.kind: "Service" isn't a kind of servers; there is RemoteMCPServer`,
		},
		"a name that documents can't have": {
			func(w *world) {
				w.template.Spec.Tools = []v1alpha1.Tool{tool("c_rm")}
				w.servers["c_rm"] = server("c_rm", "https://crm.example")
			},
			inTemplate + `spec.tools[0].mcp.server.name: "c_rm" can't be the name of a server; it consists of small letters, digits and -, ` +
				"starts with a letter and has at most 32 characters",
		},
		"an empty tool": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.Tools = []v1alpha1.Tool{tool("crm", "")} }),
			inTemplate + "spec.tools[0].mcp.tools: the name of a tool is empty",
		},
		"a tool twice": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.Tools = []v1alpha1.Tool{tool("crm", "a", "a")} }),
			inTemplate + `spec.tools[0].mcp.tools: "a" stands in it twice`,
		},
		"a server twice": {
			template(func(s *v1alpha1.AgentTemplateSpec) { s.Tools = []v1alpha1.Tool{tool("crm"), tool("crm")} }),
			inTemplate + `spec.tools: "crm" stands in it twice`,
		},
		"other namespaces": {
			func(w *world) { w.template.Namespace = "a" }, inTemplate + `metadata.namespace: it is "a", that of Harness main is "support"`,
		},

		"no program": {
			harness(func(s *v1alpha1.HarnessSpec) { s.BYO = nil }),
			inHarness + "spec: give either byo, an image of your own, or managed, the image of this release",
		},
		"two programs": {
			func(w *world) { w.harness.Spec.Managed, w.managedImage = &v1alpha1.ManagedHarness{}, image },
			inHarness + "spec: give either byo, an image of your own, or managed, the image of this release",
		},
		"a managed program of an unknown image": {
			harness(func(s *v1alpha1.HarnessSpec) { s.BYO, s.Managed = nil, &v1alpha1.ManagedHarness{} }),
			inHarness + "spec.managed: the image of managed harnesses isn't known here",
		},
		"no image": {
			harness(func(s *v1alpha1.HarnessSpec) { s.BYO = &v1alpha1.BYOHarness{AllowTags: true} }), inHarness + "spec.byo.image: it is empty",
		},
		"a tag": {
			harness(func(s *v1alpha1.HarnessSpec) { s.BYO.Image = "harness:1" }),
			inHarness + "spec.byo.image: name the image by digest (NAME@sha256:…), or set allowTags: true",
		},
		"a variable of the controller": {
			env(v1alpha1.EnvVar{Name: "PLAIT_AUTH", Value: literal("none")}),
			inHarness + `spec.env[0].name: "PLAIT_AUTH": variables that begin with PLAIT_ are set by the controller`,
		},
		"a bad name of a variable": {
			env(v1alpha1.EnvVar{Name: "A-B", Value: literal("x")}),
			inHarness + `spec.env[0].name: "A-B" can't be the name of a variable; it consists of letters, digits and _`,
		},
		"a variable twice": {
			env(v1alpha1.EnvVar{Name: "A", Value: literal("x")}, v1alpha1.EnvVar{Name: "A", Value: literal("y")}),
			inHarness + `spec.env: "A" stands in it twice`,
		},
		"a variable without a value": {
			env(v1alpha1.EnvVar{Name: "A"}),
			inHarness + "spec.env[0]: give either value or secretKeyRef",
		},
		"a variable with two values": {
			env(v1alpha1.EnvVar{Name: "A", Value: v1alpha1.Value{Value: new("x"), SecretKeyRef: ref("keys", "alice")}}),
			inHarness + "spec.env[0]: give either value or secretKeyRef",
		},
		"half a secret": {
			env(v1alpha1.EnvVar{Name: "A", Value: secretValue("keys", "")}),
			inHarness + "spec.env[0].secretKeyRef: give name and key",
		},
		"nobody said who is let in": {
			harness(func(s *v1alpha1.HarnessSpec) { s.Auth = v1alpha1.Auth{} }),
			inHarness + "spec.auth: give either bearer, callers with a key, or none, everybody",
		},
		"callers without a Secret": {
			harness(func(s *v1alpha1.HarnessSpec) { s.Auth.Bearer.SecretName = "" }), inHarness + "spec.auth.bearer.secretName: it is empty",
		},
		"a store of no kind": {
			harness(func(s *v1alpha1.HarnessSpec) { s.SessionStore = &v1alpha1.SessionStore{} }), inHarness + "spec.sessionStore: give file",
		},
		"files without a claim": {
			harness(func(s *v1alpha1.HarnessSpec) {
				s.SessionStore = &v1alpha1.SessionStore{File: &v1alpha1.FileStore{}}
			}),
			inHarness + "spec.sessionStore.file.persistentVolumeClaim.name: it is empty",
		},
		"an unknown fsync": {
			harness(func(s *v1alpha1.HarnessSpec) { s.SessionStore = sessions("often") }),
			inHarness + `spec.sessionStore.file.fsync: it is "often"; it must be always, interval or never`,
		},
		"files of two pods": {
			harness(func(s *v1alpha1.HarnessSpec) { s.SessionStore, s.Replicas = sessions(""), new(int32(2)) }),
			inHarness + "spec.sessionStore.file: sessions in files are written by one pod: replicas must be at most 1",
		},
		"no runs": {
			harness(func(s *v1alpha1.HarnessSpec) { s.MaxConcurrentRuns = new(int32(0)) }), inHarness + "spec.maxConcurrentRuns: it must be at least 1",
		},
		"no time to end": {
			harness(func(s *v1alpha1.HarnessSpec) { s.TerminationGracePeriodSeconds = new(int64(9)) }),
			inHarness + "spec.terminationGracePeriodSeconds: it is 9; it must be from 15 to 3600",
		},
		"a URL that is none": {
			harness(func(s *v1alpha1.HarnessSpec) { s.URL = "agents.example" }), inHarness + `spec.url: "agents.example" isn't an http or https URL`,
		},
		"a host that is none": {
			policy(func(p *v1alpha1.DocumentPolicy) { p.MCPHosts = []string{"https://a.example"} }),
			inHarness + `spec.documentPolicy.mcpHosts: "https://a.example" isn't a host; expected host, host:port or *.domain`,
		},
		"a grant of the controller's": {
			policy(func(p *v1alpha1.DocumentPolicy) {
				p.Env = []v1alpha1.EnvGrant{{Name: "PLAIT_X", Hosts: []string{"a"}}}
			}),
			inHarness + `spec.documentPolicy.env[0].name: "PLAIT_X": variables that begin with PLAIT_ can't be exposed`,
		},
		"a grant to nobody": {
			policy(func(p *v1alpha1.DocumentPolicy) { p.Env = []v1alpha1.EnvGrant{{Name: "X"}} }),
			inHarness + "spec.documentPolicy.env[0].hosts: name the hosts that its value may be sent to",
		},
		"a grant to no host": {
			policy(func(p *v1alpha1.DocumentPolicy) { p.Env = []v1alpha1.EnvGrant{{Name: "X", Hosts: []string{"*"}}} }),
			inHarness + `spec.documentPolicy.env[0].hosts: "*" isn't a host; expected host, host:port or *.domain`,
		},
		"a grant twice": {
			policy(func(p *v1alpha1.DocumentPolicy) {
				p.Env = []v1alpha1.EnvGrant{{Name: "X", Hosts: []string{"a"}}, {Name: "X", Hosts: []string{"b"}}}
			}),
			inHarness + `spec.documentPolicy.env: "X" stands in it twice`,
		},
		"an unknown tool": {
			policy(func(p *v1alpha1.DocumentPolicy) { p.HarnessTools = &[]v1alpha1.HarnessTool{"reboot"} }),
			inHarness + `spec.documentPolicy.harnessTools: "reboot" isn't a tool of a harness; there are read_file, write_file, list_files, ` +
				"bash, run_command, powershell, edit_file, search_files, find_files, fetch_url, exit_loop",
		},
		"no steps": {
			limits(v1alpha1.MaxLimits{MaxSteps: new(int64(0))}), inHarness + "spec.documentPolicy.maxLimits.maxSteps: it must be at least 1",
		},
		"no time": {
			limits(v1alpha1.MaxLimits{MaxDuration: &metav1.Duration{}}),
			inHarness + "spec.documentPolicy.maxLimits.maxDuration: it must be longer than 0s",
		},
		"no money": {
			limits(v1alpha1.MaxLimits{MaxCostUSD: new(resource.MustParse("0"))}),
			inHarness + "spec.documentPolicy.maxLimits.maxCostUSD: it must be more than 0",
		},

		"an unknown provider": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.Provider = "acme" }),
			inModel + `spec.provider: "acme" isn't a provider; there are anthropic, openai, openai-responses, google, ollama, faux`,
		},
		"no model": {haiku(func(s *v1alpha1.ModelConfigSpec) { s.Model = "" }), inModel + "spec.model: it is empty"},
		"a script of another provider": {
			func(w *world) {
				w.models["haiku"].Spec.Faux = &v1alpha1.FauxModel{ScriptFrom: *ref("prompts", "answer")}
			},
			inModel + "spec.faux: it belongs to the provider faux, which needs it",
		},
		"no script": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.Provider = "faux" }), inModel + "spec.faux: it belongs to the provider faux, which needs it",
		},
		"half a script": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.Provider, s.Faux = "faux", &v1alpha1.FauxModel{} }),
			inModel + "spec.faux.scriptFrom: give name and key",
		},
		"compat of another wire": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.Compat = &v1alpha1.Compat{} }),
			inModel + "spec.compat: it belongs to the providers openai and openai-responses",
		},
		"caching of another wire": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.Provider, s.PromptCache = "openai", "1h" }),
			inModel + "spec.promptCache: it belongs to the provider anthropic",
		},
		"a cache's key of another wire": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.PromptCacheKey = "k" }),
			inModel + "spec.promptCacheKey: it belongs to the providers openai and openai-responses",
		},
		"a summary of another wire": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.Provider, s.ReasoningSummary = "openai", "auto" }),
			inModel + "spec.reasoningSummary: it belongs to the provider openai-responses",
		},
		"credentials in a URL": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.BaseURL = "https://user:planted@ai.example" }),
			inModel + "spec.baseURL: the URL holds credentials; put them in a Secret and send them in a header",
		},
		"a proxy of another scheme": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.ProxyURL = "socks5://proxy.example" }),
			inModel + `spec.proxyURL: "socks5://proxy.example" isn't an http or https URL`,
		},
		"a stand-in without a name": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.Failover = []string{""} }), inModel + "spec.failover: the name of a model is empty",
		},
		"a negative rate": {
			haiku(func(s *v1alpha1.ModelConfigSpec) { s.RateLimits = &v1alpha1.RateLimits{TokensPerMinute: -1} }),
			inModel + "spec.rateLimits: a limit is negative; 0 means none",
		},
		"no context window": {
			catalog(v1alpha1.CatalogOverrides{ContextWindow: new(int64(0))}), inModel + "spec.catalog.contextWindow: it must be at least 1",
		},
		"a negative price": {
			catalog(v1alpha1.CatalogOverrides{CacheReadPrice: new(resource.MustParse("-1"))}), inModel + "spec.catalog.cacheReadPrice: it can't be negative",
		},

		"no URL": {crm(func(s *v1alpha1.RemoteMCPServerSpec) { s.URL = "" }), inServer + "spec.url: it is empty"},
		"no host": {
			crm(func(s *v1alpha1.RemoteMCPServerSpec) { s.URL = "http://:80/mcp" }),
			inServer + `spec.url: "http://:80/mcp" isn't an http or https URL`,
		},
		"a bad URL": {
			crm(func(s *v1alpha1.RemoteMCPServerSpec) { s.URL = "http://a\n" }),
			inServer + `spec.url: "http://a\n" is no URL`,
		},
		"a big port": {
			crm(func(s *v1alpha1.RemoteMCPServerSpec) { s.URL = "http://a:65536" }),
			inServer + `spec.url: "http://a:65536" has the port 65536; ports end at 65535`,
		},
		"a fragment": {
			crm(func(s *v1alpha1.RemoteMCPServerSpec) { s.URL = "http://a/#b" }),
			inServer + `spec.url: "http://a/#b" has a fragment, which isn't sent to a server`,
		},
		"no timeout": {
			crm(func(s *v1alpha1.RemoteMCPServerSpec) { s.Timeout = &metav1.Duration{Duration: -time.Second} }),
			inServer + "spec.timeout: it must be longer than 0s",
		},
		"a header without a name": {
			header("", literal("x")),
			inServer + `spec.headers[0].name: "" can't be the name of a header`,
		},
		"a header with a bad name": {
			header("X Y", literal("x")),
			inServer + `spec.headers[0].name: "X Y" can't be the name of a header`,
		},
		"a header of the client": {
			header("mcp-Session-Id", literal("x")),
			inServer + `spec.headers[0].name: "mcp-Session-Id": Host, Content-Length, Cookie and Mcp-* are set by the client itself`,
		},
		"two lines in a header": {
			header("X-A", literal("x\r\nX-B: planted")), inServer + `spec.headers[0].value: the value of the header "X-A" holds a control character`,
		},
		"a header without a value": {
			header("X-A", v1alpha1.Value{}),
			inServer + "spec.headers[0]: give either value or secretKeyRef",
		},
		"one header in two spellings": {
			crm(func(s *v1alpha1.RemoteMCPServerSpec) {
				s.Headers = []v1alpha1.Header{{Name: "X-A", Value: literal("a")}, {Name: "x-a", Value: literal("b")}}
			}),
			inServer + `spec.headers: "x-a" stands in it twice`,
		},
		"several": {
			func(w *world) { w.harness.Spec.Auth, w.models["haiku"].Spec.Model = v1alpha1.Auth{}, "" },
			inHarness + "spec.auth: give either bearer, callers with a key, or none, everybody (and 1 more)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			c.edit(w)
			in := w.inputs()
			if _, err := compile.Resolve(t.Context(), w, in); err != nil {
				t.Fatal(err)
			}
			wantRefusal(t, compile.Compile(in), v1alpha1.ReasonWorkflowInvalid, c.want)
		})
	}
}

// Servers that the template doesn't use are somebody else's to mend.
// All problems of an object are told, which a refusal only counts.
func TestProblems(t *testing.T) {
	h := &v1alpha1.Harness{ObjectMeta: metav1.ObjectMeta{Name: "main"}, Spec: v1alpha1.HarnessSpec{MaxConcurrentRuns: new(int32(0))}}
	want := []string{
		"Harness main: spec: give either byo, an image of your own, or managed, the image of this release",
		"Harness main: spec.auth: give either bearer, callers with a key, or none, everybody",
		"Harness main: spec.maxConcurrentRuns: it must be at least 1",
	}
	if diff := cmp.Diff(want, compile.Problems(h)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if got := compile.Problems(&v1alpha1.RemoteMCPServer{}); len(got) == 0 || !strings.Contains(got[0], "spec.url: it is empty") {
		t.Errorf("of an empty server: %v", got)
	}
}

func TestBrokenServersBeside(t *testing.T) {
	w := newWorld()
	w.servers["other"] = server("other", "::")
	w.revision(t)
}

func TestTooLarge(t *testing.T) {
	w := newWorld()
	w.document(strings.Replace(document, "tools:", "global_instruction_from: { config_map: { name: house, key: style } }\n        tools:", 1))
	w.texts[*ref("prompts", "answer")] = strings.Repeat("a", 500_000)
	w.texts[*ref("house", "style")] = strings.Repeat("b", 400_000)
	wantRefusal(t, w.compile(t), v1alpha1.ReasonTooLarge, "the revision has 904 kB; it may have 900 kB: "+
		"configmap/prompts/answer has 500 kB, configmap/house/style has 400 kB, configmap/docs/triage.yaml has 1 kB")
}

// There are other things than texts of ConfigMaps that can be too large.
func TestTooLargeWithoutConfigMaps(t *testing.T) {
	w := newWorld()
	w.prompt(strings.Repeat("a", 600_000))
	w.harness.Spec.Env = []v1alpha1.EnvVar{{Name: "A", Value: literal(strings.Repeat("b", 700_000))}}
	wantRefusal(t, w.compile(t), v1alpha1.ReasonTooLarge, "the revision has 1303 kB; it may have 900 kB: "+
		"Harness main: spec.env has 701 kB, AgentTemplate triage: spec.systemPrompt has 600 kB")
}

// A document may be too large already before it is part of a config.
func TestDocumentTooLargeWithItsPrompts(t *testing.T) {
	w := newWorld()
	w.document(strings.Replace(document, "tools:", "global_instruction_from: { config_map: { name: house, key: style } }\n        tools:", 1))
	w.texts[*ref("prompts", "answer")] = strings.Repeat("a", 520_000)
	w.texts[*ref("house", "style")] = strings.Repeat("\x01", 300_000)
	res := w.compile(t)
	if res.Refusal == nil || res.Refusal.Reason != v1alpha1.ReasonTooLarge ||
		!strings.Contains(res.Refusal.Message, "configmap/prompts/answer has 520 kB, configmap/house/style has 300 kB") {
		t.Errorf("refusal %+v", res.Refusal)
	}
}

func TestPromptTooLarge(t *testing.T) {
	w := newWorld()
	w.texts[*ref("prompts", "answer")] = strings.Repeat("a", 1<<20)
	wantRefusal(t, w.compile(t), v1alpha1.ReasonWorkflowInvalid, "configmap/docs/triage.yaml:12:27: error[too-large]: "+
		`the prompt "answer" of the ConfigMap "prompts" has 1048576 bytes; a prompt may have 524288`)
}
