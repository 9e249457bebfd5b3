package harnesstest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/declarative"
)

// Config wraps a document in a config with one scripted model, "default", and changes it by each edit. The document's
// prompts must stand in it.
func Config(tb testing.TB, document, script string, edits ...func(*adkconfigv1.AgentConfig)) []byte {
	tb.Helper()
	return compile(tb, document, script, nil, edits)
}

// SupportTriage is the config of the example, with its CRM at a URL.
func SupportTriage(tb testing.TB, crm string, edits ...func(*adkconfigv1.AgentConfig)) []byte {
	tb.Helper()
	dir := filepath.Join(Repository(), "examples", "support-triage")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			tb.Fatal(err)
		}
		return string(text)
	}
	edit := func(cfg *adkconfigv1.AgentConfig) {
		cfg.Namespace, cfg.Template, cfg.Harness = "default", "support-triage", "standard"
		cfg.Policy.McpHosts = []string{"crm-mcp:8080"}
		cfg.Policy.HarnessTools = []string{"write_file"}
		cfg.McpServers = map[string]*adkconfigv1.MCPServer{
			"crm": {Endpoint: &adkconfigv1.MCPServer_Http{Http: &adkconfigv1.MCPServerHTTP{Url: crm}}},
		}
	}
	var prompts struct{ Data map[string]string }
	if err := yaml.Unmarshal([]byte(read("prompts.yaml")), &prompts); err != nil {
		tb.Fatal(err)
	}
	return compile(tb, read("agentsystem.yaml"), read("model.yaml"), prompts.Data, slices.Insert(edits, 0, edit))
}

func compile(
	tb testing.TB, document, script string, prompts map[string]string, edits []func(*adkconfigv1.AgentConfig),
) []byte {
	tb.Helper()
	doc, found := declarative.Load("document.yaml", []byte(document))
	if found.HasErrors() {
		tb.Fatal(found.Err())
	}
	if _, found := declarative.InlinePrompts(doc, func(_, key string) (string, error) { return prompts[key], nil }); found.HasErrors() {
		tb.Fatal(found.Err())
	}
	canonical, err := declarative.Canonicalize(doc)
	if err != nil {
		tb.Fatal(err)
	}
	workflow, err := adkconfigv1.NewWorkflow(canonical)
	if err != nil {
		tb.Fatal(err)
	}
	model := &adkconfigv1.Model{Provider: "faux", Model: "scripted"}
	if script != "" {
		text, err := yaml.YAMLToJSONStrict([]byte(script))
		if err != nil {
			tb.Fatal(err)
		}
		model.Script = string(text)
	}
	cfg := &adkconfigv1.AgentConfig{
		ConfigVersion: adkconfigv1.Version,
		Template:      "test",
		Workflow:      workflow,
		Models:        map[string]*adkconfigv1.Model{"default": model},
		Policy:        &adkconfigv1.DocumentPolicy{Models: []string{"default"}},
	}
	for _, edit := range edits {
		edit(cfg)
	}
	config, err := adkconfigv1.Marshal(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return config
}

// Repository is the folder of the module that a test runs in.
func Repository() string {
	for dir, err := os.Getwd(); err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
	return "."
}
