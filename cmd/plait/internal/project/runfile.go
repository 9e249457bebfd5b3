package project

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// APIVersion and Kind are what a run file says at its top; FileName is what it is called in a folder.
const (
	APIVersion = "plait.dev/v1alpha1"
	Kind       = "RunConfig"
	FileName   = "plait.yaml"
)

// RunFile is a run file as written. Paths in it are relative to its folder.
type RunFile struct {
	Document     string
	Models       []Model
	Servers      []Server
	Env          []EnvVar
	Prompts      string
	HarnessTools []string // nil: the default of a harness
	Workspace    string
	Store        string

	place source.Place
}

// Model is what a name of the document stands for.
type Model struct {
	Name      string
	Provider  string
	Model     string
	BaseURL   string
	APIKeyEnv string
	KeyFile   string            // holds the key, and is read for every call
	Cached    string            // for how long prompts are, by the provider anthropic
	CacheKey  string            // for the providers of OpenAI's APIs
	Summary   string            // how much of the reasoning is told, by the provider openai-responses
	Profile   string            // whose dialect of an OpenAI API is spoken
	Overrides map[string]string // single deviations, over those of the profile
	Catalog   *adkconfigv1.CatalogOverrides
	Script    string // a file, for the provider faux

	place source.Place
}

// Server replaces the endpoint of an MCP server of the document: by a child process or by another URL.
type Server struct {
	Name    string
	Command []string
	Env     []EnvVar
	URL     string
}

// EnvVar is a variable with its value, or with the variable of plait's own environment that has it.
type EnvVar struct {
	Name    string
	Value   string
	FromEnv string
}

// parseRunFile reads a run file; with an error among the findings it isn't of use.
func parseRunFile(name string, data []byte) (*RunFile, diag.List) {
	f, found := source.Parse(name, data)
	if f == nil {
		return nil, found
	}
	r := runFileReader{report: source.NewReport(found)}
	file := r.file(f.Root())
	return file, r.report.List()
}

// runFileReader turns the tree of a run file into values.
type runFileReader struct{ report *source.Report }

func (r runFileReader) file(p source.Place) *RunFile {
	const noun = "a run file"
	fields := []string{
		"apiVersion", "kind", "document", "models", "mcpServers", "env", "prompts", "harnessTools", "workspace", "store",
	}
	o, ok := r.report.Object(p, noun, fields, func(field string) string {
		if field == "skills" {
			return "this release has no skills"
		}
		return ""
	})
	if !ok || !o.Require(noun, "apiVersion", "kind", "document") {
		return &RunFile{}
	}
	o.Enum("apiVersion", APIVersion)
	o.Enum("kind", Kind)
	file := &RunFile{
		place:        p,
		Document:     o.NonEmpty("document"),
		Env:          r.env(o, "env"),
		Prompts:      o.NonEmpty("prompts"),
		HarnessTools: o.Strings("harnessTools"),
		Workspace:    o.NonEmpty("workspace"),
		Store:        o.NonEmpty("store"),
	}
	for _, e := range o.Map("models", "a map of models by the names of the document") {
		file.Models = append(file.Models, r.model(e))
	}
	r.keysStayOwn(o, file)
	for _, e := range o.Map("mcpServers", "a map of MCP servers by the names of the document") {
		file.Servers = append(file.Servers, r.server(e))
	}
	return file
}

func (r runFileReader) model(p source.Place) Model {
	const noun = "a model"
	m := Model{Name: p.Key(), place: p}
	fields := []string{"provider", "model", "baseURL", "apiKeyEnv", "apiKeyFile", "promptCache", "promptCacheKey", "reasoningSummary",
		"compat", "catalog", "script"}
	o, ok := r.report.Object(p, noun, fields, nil)
	if !ok || !o.Require(noun, "provider") {
		return m
	}
	m.Provider = o.Enum("provider", intake.Providers()...)
	m.Model = o.NonEmpty("model")
	m.BaseURL = o.NonEmpty("baseURL")
	m.APIKeyEnv = o.NonEmpty("apiKeyEnv")
	m.KeyFile = o.NonEmpty("apiKeyFile")
	m.Cached = o.Enum("promptCache", "5m", "1h", "off")
	m.CacheKey = o.NonEmpty("promptCacheKey")
	m.Summary = o.Enum("reasoningSummary", "auto", "concise", "detailed")
	m.Script = o.NonEmpty("script")
	m.Profile, m.Overrides = r.compat(o.Field("compat"))
	m.Catalog = r.catalog(o.Field("catalog"))
	r.belongs(o, m.Provider, "compat", "openai", "openai-responses")
	r.belongs(o, m.Provider, "promptCache", "anthropic")
	r.belongs(o, m.Provider, "promptCacheKey", "openai", "openai-responses")
	r.belongs(o, m.Provider, "reasoningSummary", "openai-responses")
	switch {
	case m.APIKeyEnv != "" && m.KeyFile != "":
		r.report.Value(o.Field("apiKeyFile"), diag.Exclusive, "the key is in a variable (apiKeyEnv) or in a file (apiKeyFile), not in both", "")
	case m.Script != "" && m.Provider != providerFaux:
		r.report.Value(o.Field("script"), diag.Exclusive,
			fmt.Sprintf("a script belongs to the provider %s, this one is %s", providerFaux, m.Provider), "")
	case m.BaseURL != "" && !plainURL(m.BaseURL):
		r.report.Value(o.Field("baseURL"), diag.BadValue,
			`"baseURL" isn't an http or https URL with a host and without credentials`,
			"name the variable that holds the key in apiKeyEnv")
	}
	return m
}

// belongs reports a field that other providers have.
func (r runFileReader) belongs(o source.Object, provider, field string, providers ...string) {
	if !o.Has(field) || slices.Contains(providers, provider) {
		return
	}
	noun := "the provider "
	if len(providers) > 1 {
		noun = "the providers "
	}
	r.report.Value(o.Field(field), diag.Exclusive,
		fmt.Sprintf("%s belongs to %s%s, this one is %s", field, noun, strings.Join(providers, " and "), provider), "")
}

// compat reads how a server deviates from OpenAI's.
func (r runFileReader) compat(p source.Place) (profile string, overrides map[string]string) {
	if !p.Exists() {
		return "", nil
	}
	o, ok := r.report.Object(p, "compat", []string{"profile", "overrides"}, nil)
	if !ok {
		return "", nil
	}
	for _, e := range o.Map("overrides", "a map of deviations by name") {
		if overrides == nil {
			overrides = map[string]string{}
		}
		overrides[e.Key()] = r.report.Text(e, "a string")
	}
	return o.NonEmpty("profile"), overrides
}

// catalog reads what the author knows better of a model than the catalog.
func (r runFileReader) catalog(p source.Place) *adkconfigv1.CatalogOverrides {
	if !p.Exists() {
		return nil
	}
	limits := []string{"contextWindow", "maxOutputTokens"}
	prices := []string{"inputPrice", "outputPrice", "cacheReadPrice", "cacheWritePrice"}
	o, ok := r.report.Object(p, "catalog", slices.Concat(limits, prices), nil)
	if !ok {
		return nil
	}
	const dear = 1e6 // dollars for a million tokens
	limit := func(name string) *int64 {
		if n := o.Int(name, 1); n > 0 {
			return &n
		}
		return nil
	}
	return &adkconfigv1.CatalogOverrides{
		ContextWindow:   limit(limits[0]),
		MaxOutputTokens: limit(limits[1]),
		InputPrice:      o.Float(prices[0], 0, dear),
		OutputPrice:     o.Float(prices[1], 0, dear),
		CacheReadPrice:  o.Float(prices[2], 0, dear),
		CacheWritePrice: o.Float(prices[3], 0, dear),
	}
}

// keysStayOwn reports variables that would give the key of a model to the document.
func (r runFileReader) keysStayOwn(o source.Object, file *RunFile) {
	for _, v := range file.Env {
		for _, m := range file.Models {
			if m.APIKeyEnv != "" && (v.Name == m.APIKeyEnv || v.FromEnv == m.APIKeyEnv) {
				r.report.Value(o.Field("env").Entry(v.Name), diag.Exclusive,
					fmt.Sprintf("%s holds the key of the model %s, which no document is given", m.APIKeyEnv, m.Name), "")
			}
		}
	}
}

func (r runFileReader) server(p source.Place) Server {
	s := Server{Name: p.Key()}
	o, ok := r.report.Object(p, "an MCP server", []string{"command", "env", "url"}, nil)
	if !ok {
		return s
	}
	s.Command, s.URL, s.Env = o.Strings("command"), o.NonEmpty("url"), r.env(o, "env")
	switch {
	case o.Has("command") == o.Has("url"):
		r.report.Value(p, diag.Exclusive, "an MCP server needs a command or a url, and not both", "")
	case o.Has("command") && len(s.Command) == 0:
		r.report.Value(o.Field("command"), diag.MissingField, `"command" is empty`, "write a program and its arguments: [go, run, ./crm]")
	case s.URL != "" && !plainURL(s.URL):
		r.report.Value(o.Field("url"), diag.BadValue, `"url" isn't an http or https URL with a host and without credentials`,
			"credentials belong into headers of the document that are taken from the environment: {env: NAME}")
	case o.Has("url") && o.Has("env"):
		r.report.Value(o.Field("env"), diag.Exclusive, "env belongs to a server that is started by a command", "")
	}
	return s
}

func (r runFileReader) env(o source.Object, field string) []EnvVar {
	var vars []EnvVar
	for _, p := range o.Map(field, "a map of variables") {
		v := EnvVar{Name: p.Key()}
		if p.Node().Kind() != source.Map {
			v.Value = r.report.Text(p, "a string, or {fromEnv: NAME}")
		} else if from, ok := r.report.Object(p, "a variable", []string{"fromEnv"}, nil); ok && from.Require("a variable", "fromEnv") {
			v.FromEnv = from.NonEmpty("fromEnv")
		}
		vars = append(vars, v)
	}
	return vars
}

// plainURL reports whether a URL may stand in a config. Its text isn't repeated in a finding: it may hold a password.
func plainURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

// resolve makes a path of the run file one of this process.
func resolve(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
