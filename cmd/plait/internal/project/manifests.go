package project

import (
	"context"
	"errors"
	"fmt"
	"maps"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/compile/manifests"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Manifests are the objects of a cluster in files, and which of them to run.
type Manifests struct {
	// Paths are files and folders.
	Paths []string
	// Namespace is needed when the files have objects of several.
	Namespace string
	// Template and Harness are needed when there are several.
	Template, Harness string
}

// CompileManifests makes the config of a template on a harness, as the controller does. Models and endpoints of MCP
// servers that the run file has take the place of those of the objects; its document and prompts don't count.
func (p *Project) CompileManifests(ctx context.Context, m Manifests) (*Compiled, diag.List, error) {
	in, reader, err := m.inputs()
	if err != nil {
		return nil, nil, err
	}
	missing, err := compile.Resolve(ctx, reader, in)
	for _, object := range missing {
		err = errors.Join(err, errors.New(object.String()))
	}
	if err != nil {
		return nil, nil, err
	}
	p.addTexts(in)
	result := compile.Compile(in)
	if result.Refusal != nil {
		if result.Diagnostics.HasErrors() {
			return nil, result.Diagnostics, nil // they say it better
		}
		return nil, result.Diagnostics, errors.New(result.Refusal.Message)
	}
	config, err := p.overlay(result.Revision.Config)
	if err != nil {
		return nil, result.Diagnostics, err
	}
	return &Compiled{Config: config, App: in.Template.Name, checked: authored(in)}, result.Diagnostics, nil
}

// inputs reads the files and finds the template and the harness.
func (m Manifests) inputs() (*compile.Inputs, compile.Reader, error) {
	set, err := manifests.Loader{Namespace: m.Namespace}.Load(m.Paths...)
	if err != nil {
		return nil, nil, err
	}
	template, err := choose("AgentTemplate", "--template", m.Template, set.Templates())
	if err != nil {
		return nil, nil, err
	}
	var selecting []*v1alpha1.Harness
	var why error
	for _, h := range set.Harnesses() {
		if selected, reason := compile.Selected(h, template); selected {
			selecting = append(selecting, h)
		} else {
			why = errors.Join(why, fmt.Errorf("the Harness %s %s", h.Name, reason))
		}
	}
	if len(selecting) == 0 {
		return nil, nil, errors.Join(fmt.Errorf("no Harness of the files takes the AgentTemplate %s", template.Name), why)
	}
	harness, err := choose("Harness", "--harness", m.Harness, selecting)
	if err != nil {
		return nil, nil, err
	}
	// No image is started, so any name will do.
	in := &compile.Inputs{Template: template, Harness: harness, ManagedImage: "managed"}
	return in, set.Reader(manifests.ReaderOptions{AssumeSecrets: true}), nil
}

// choose returns the object of a name, or the only one.
func choose[T interface{ GetName() string }](kind, flag, name string, objects []T) (T, error) {
	var none T
	names := make([]string, 0, len(objects))
	for _, o := range objects {
		if o.GetName() == name {
			return o, nil
		}
		names = append(names, o.GetName())
	}
	switch {
	case len(objects) == 0:
		return none, fmt.Errorf("the files have no %s", kind)
	case name != "":
		return none, fmt.Errorf("%s %s: the files have no such %s; they have %v", flag, name, kind, names)
	case len(objects) > 1:
		return none, fmt.Errorf("the files have several of kind %s, %v: choose one with %s", kind, names, flag)
	}
	return objects[0], nil
}

// addTexts makes the document known under the name that findings call it.
func (p *Project) addTexts(in *compile.Inputs) {
	if p.Texts == nil {
		p.Texts = map[string][]byte{}
	}
	if ref := in.Template.Spec.WorkflowFrom; ref != nil {
		p.Texts[documentFile(ref)] = []byte(in.Texts[*ref].Text)
	}
}

func documentFile(ref *v1alpha1.KeyReference) string { return "configmap/" + ref.Name + "/" + ref.Key }

// authored is the document as its author wrote it, to find places in; nil for a prompt, and for a document that is valid
// with the tools of its template alone.
func authored(in *compile.Inputs) *declarative.Checked {
	ref := in.Template.Spec.WorkflowFrom
	if ref == nil {
		return nil
	}
	doc, _ := declarative.Load(documentFile(ref), []byte(in.Texts[*ref].Text))
	checked, _ := declarative.Validate(doc, declarative.Options{})
	return checked
}

// overlay puts what the run file has in the place of what the objects say.
func (p *Project) overlay(config []byte) ([]byte, error) {
	if p.RunFile == "" {
		return config, nil
	}
	cfg, err := adkconfigv1.Unmarshal(config)
	if err != nil {
		return nil, err
	}
	models, err := p.models()
	if err != nil {
		return nil, err
	}
	for name := range cfg.GetModels() {
		if m, ok := models[name]; ok {
			cfg.Models[name] = m
		}
	}
	doc, found := declarative.Load("document", []byte(cfg.GetWorkflow().GetDocumentJson()))
	if found.HasErrors() {
		return nil, fmt.Errorf("the compiled document: %w", found.Err())
	}
	servers, err := p.servers(doc)
	if err != nil {
		return nil, err
	}
	if cfg.McpServers == nil {
		cfg.McpServers = map[string]*adkconfigv1.MCPServer{}
	}
	maps.Copy(cfg.GetMcpServers(), servers)
	return adkconfigv1.Marshal(cfg)
}
