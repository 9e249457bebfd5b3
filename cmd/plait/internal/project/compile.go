package project

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

const providerFaux = intake.ProviderFaux

// Compiled is a project that is ready to run.
type Compiled struct {
	// Config are the canonical bytes of the AgentConfig that runs are pinned to.
	Config []byte
	// App is the application that new sessions belong to: the document's name.
	App string

	checked *declarative.Checked
	moved   declarative.Moved
}

// Compile validates the project and makes its config. With an error among the findings there is none.
func (p *Project) Compile() (*Compiled, diag.List, error) {
	doc, uses, found, err := p.load()
	if err != nil || doc == nil {
		return nil, found, err
	}
	models, err := p.models()
	if err != nil {
		return nil, found, err
	}
	cfg := &adkconfigv1.AgentConfig{
		ConfigVersion: adkconfigv1.Version,
		Template:      p.name(doc),
		Models:        models,
		Policy:        p.policy(doc, models),
	}
	checked, more := declarative.Validate(doc, intake.Validation(cfg, intake.Environment{}))
	found = append(found, more...)
	found = append(found, p.strangeServers(doc)...)
	found.Sort()
	if found.HasErrors() {
		return nil, found, nil
	}
	compiled := &Compiled{App: cfg.GetTemplate(), checked: checked}
	if p.Node != "" {
		if doc, more, err = p.oneNode(compiled, cfg); err != nil || more.HasErrors() {
			return nil, append(found, more...), err
		}
	}
	if cfg.McpServers, err = p.servers(doc); err != nil {
		return nil, found, err
	}
	if cfg.Workflow, err = workflow(doc, uses); err != nil {
		return nil, found, err
	}
	if compiled.Config, err = adkconfigv1.Marshal(cfg); err != nil {
		return nil, found, err
	}
	return compiled, found, nil
}

// oneNode puts the node that is to run alone in the place of the document. What only warns is said of the whole document.
func (p *Project) oneNode(c *Compiled, cfg *adkconfigv1.AgentConfig) (*declarative.Document, diag.List, error) {
	doc, moved, err := declarative.OneNode(c.checked, p.Node)
	if err != nil {
		return nil, nil, fmt.Errorf("--node %s: %w", p.Node, err)
	}
	c.moved = moved
	if _, found := declarative.Validate(doc, intake.Validation(cfg, intake.Environment{})); found.HasErrors() {
		return nil, c.Locate(found), nil
	}
	return doc, nil, nil
}

// Locate gives findings about the canonical document, which has no lines, their places in the author's file.
func (c *Compiled) Locate(found diag.List) diag.List {
	if c.checked == nil {
		return found
	}
	located := make(diag.List, 0, len(found))
	for _, d := range found {
		d.Path = c.moved.Back(d.Path)
		located = append(located, c.checked.Locate(d))
	}
	located.Sort()
	return located
}

// workflow is the canonical document, with what its prompts were made of.
func workflow(doc *declarative.Document, uses []declarative.PromptUse) (*adkconfigv1.ADKWorkflowConfig, error) {
	canonical, err := declarative.Canonicalize(doc)
	if err != nil {
		return nil, err
	}
	prompts := make([]*adkconfigv1.PromptSource, 0, len(uses))
	for _, u := range uses {
		prompts = append(prompts, &adkconfigv1.PromptSource{Name: u.Name, Key: u.Key, Sha256: u.SHA256})
	}
	return adkconfigv1.NewWorkflow(canonical, prompts...)
}

// name is the document's, or that of its file.
func (p *Project) name(doc *declarative.Document) string {
	if doc.Metadata.Name != "" {
		return doc.Metadata.Name
	}
	base := filepath.Base(p.document)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// models are those of the run file; a document without one runs on a scripted model.
func (p *Project) models() (map[string]*adkconfigv1.Model, error) {
	models := map[string]*adkconfigv1.Model{}
	if p.RunFile == "" {
		models["default"] = &adkconfigv1.Model{Provider: providerFaux, Model: "scripted"}
	}
	var errs []error
	for _, m := range p.Settings.Models {
		cfg := &adkconfigv1.Model{Provider: m.Provider, Model: cmp.Or(m.Model, m.Name), BaseUrl: m.BaseURL, Catalog: m.Catalog,
			PromptCache: m.Cached, PromptCacheKey: m.CacheKey, ReasoningSummary: m.Summary}
		switch {
		case m.APIKeyEnv != "":
			cfg.ApiKey = &adkconfigv1.SecretRef{From: &adkconfigv1.SecretRef_Env{Env: m.APIKeyEnv}}
		case m.KeyFile != "":
			cfg.ApiKey = &adkconfigv1.SecretRef{From: &adkconfigv1.SecretRef_File{File: resolve(p.dir, m.KeyFile)}}
		}
		if m.Profile != "" || len(m.Overrides) > 0 {
			cfg.Compat = &adkconfigv1.Compat{Profile: m.Profile, Overrides: m.Overrides}
		}
		if m.Script != "" {
			script, err := readScript(resolve(p.dir, m.Script))
			if err != nil {
				errs = append(errs, fmt.Errorf("model %s: %w", m.Name, err))
			}
			cfg.Script = script
		}
		models[m.Name] = cfg
	}
	return models, errors.Join(errs...)
}

// readScript reads a script, which is written in YAML or JSON and shipped as JSON.
func readScript(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	script, err := yaml.YAMLToJSONStrict(text)
	if err == nil {
		_, err = faux.Parse(script)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return string(script), nil
}

// servers are the endpoints that the run file puts in the place of the document's.
func (p *Project) servers(doc *declarative.Document) (map[string]*adkconfigv1.MCPServer, error) {
	servers := map[string]*adkconfigv1.MCPServer{}
	var errs []error
	for _, s := range p.Settings.Servers {
		if !slices.ContainsFunc(doc.MCPServers, func(d declarative.MCPServer) bool { return d.Name == s.Name }) {
			errs = append(errs, fmt.Errorf("%s: mcpServers.%s: the document has no MCP server of that name", p.RunFile, s.Name))
			continue
		}
		if s.URL != "" {
			servers[s.Name] = &adkconfigv1.MCPServer{Endpoint: &adkconfigv1.MCPServer_Http{
				Http: &adkconfigv1.MCPServerHTTP{Url: s.URL},
			}}
			continue
		}
		stdio, err := p.stdio(s)
		errs = append(errs, err)
		servers[s.Name] = &adkconfigv1.MCPServer{Endpoint: &adkconfigv1.MCPServer_Stdio{Stdio: stdio}}
	}
	return servers, errors.Join(errs...)
}

// stdio is a server that is started in the folder of the run file. The folder is part of the config, so that a run can
// be taken up from anywhere.
func (p *Project) stdio(s Server) (*adkconfigv1.MCPServerStdio, error) {
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return nil, err
	}
	stdio := &adkconfigv1.MCPServerStdio{Command: s.Command, Dir: dir, Env: map[string]*adkconfigv1.Value{}}
	for _, v := range s.Env {
		if v.FromEnv != "" {
			ref := &adkconfigv1.SecretRef{From: &adkconfigv1.SecretRef_Env{Env: v.FromEnv}}
			stdio.Env[v.Name] = &adkconfigv1.Value{From: &adkconfigv1.Value_Secret{Secret: ref}}
			continue
		}
		stdio.Env[v.Name] = &adkconfigv1.Value{From: &adkconfigv1.Value_Literal{Literal: v.Value}}
	}
	return stdio, nil
}

// policy lets the document use what the run file lists. On a laptop the author of both is the same person, so the hosts
// are those that the document names.
func (p *Project) policy(
	doc *declarative.Document, models map[string]*adkconfigv1.Model,
) *adkconfigv1.DocumentPolicy {
	hosts := serverHosts(doc)
	grants := make([]*adkconfigv1.EnvGrant, 0, len(p.Settings.Env))
	for _, v := range p.Settings.Env {
		grants = append(grants, &adkconfigv1.EnvGrant{Name: v.Name, Hosts: hosts})
	}
	slices.SortFunc(grants, func(a, b *adkconfigv1.EnvGrant) int { return strings.Compare(a.GetName(), b.GetName()) })
	return &adkconfigv1.DocumentPolicy{
		McpHosts:     hosts,
		Env:          grants,
		HarnessTools: p.harnessTools(),
		Models:       slices.Sorted(maps.Keys(models)),
	}
}

func (p *Project) harnessTools() []string {
	tools := p.Settings.HarnessTools
	if tools == nil {
		tools = intake.DefaultHarnessTools()
	}
	return slices.Sorted(slices.Values(tools))
}

func serverHosts(doc *declarative.Document) []string {
	var hosts []string
	for _, s := range doc.MCPServers {
		if u, err := url.Parse(s.URL); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

func isRunFile(path string, data []byte) bool {
	var head struct {
		Kind string `json:"kind"`
	}
	return filepath.Base(path) == FileName || yaml.Unmarshal(data, &head) == nil && head.Kind == Kind
}
