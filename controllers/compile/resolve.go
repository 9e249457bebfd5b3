package compile

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// errIncomplete says that inputs lack what the rest follows from.
var errIncomplete = errors.New("a revision is made of an AgentTemplate and a Harness; one of them isn't there")

// Resolve reads everything that the template and the harness of in refer to, and fills in with it. What isn't there is
// returned, all at once: in the order of the fields that refer to it, those of the template first. The error says that
// reading failed.
//
// A Source that in has already is kept if it was made of the text that is there, so that callers may share parsed
// documents.
func Resolve(ctx context.Context, r Reader, in *Inputs) ([]Missing, error) {
	if in.Template == nil || in.Harness == nil {
		return nil, errIncomplete
	}
	in.ModelConfigs = map[string]*v1alpha1.ModelConfig{}
	in.Texts = map[v1alpha1.KeyReference]Text{}
	in.Secrets = map[v1alpha1.KeyReference]Secret{}
	s := resolver{Reader: r, ctx: ctx, in: in}
	for _, step := range []func() error{s.models, s.instructions, s.servers, s.tools, s.harness} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s.missing, nil
}

// resolver is one call of [Resolve].
type resolver struct {
	Reader

	ctx     context.Context
	in      *Inputs
	missing []Missing
}

func (s *resolver) miss(m Missing) {
	if !slices.Contains(s.missing, m) {
		s.missing = append(s.missing, m)
	}
}

// models reads the models of the template, and what each of them needs.
func (s *resolver) models() error {
	template := s.in.Template
	if ref := template.Spec.ModelConfig; ref != nil {
		if err := s.model(of(template)+"spec.modelConfig", ref.Name); err != nil {
			return err
		}
	}
	for _, m := range template.Spec.Models {
		by := fmt.Sprintf("%sspec.models[%s].modelConfig", of(template), m.Name)
		if err := s.model(by, m.ModelConfig.Name); err != nil {
			return err
		}
	}
	return nil
}

func (s *resolver) model(by, name string) error {
	if _, known := s.in.ModelConfigs[name]; known || name == "" {
		return nil
	}
	m, err := s.ModelConfig(s.ctx, name)
	if err != nil {
		return err
	}
	if m == nil {
		s.miss(Missing{By: by, Kind: kindModelConfig, Name: name})
		return nil
	}
	s.in.ModelConfigs[name] = m
	if m.Spec.APIKeySecretRef != nil {
		if err := s.secret(of(m)+"spec.apiKeySecretRef", *m.Spec.APIKeySecretRef); err != nil {
			return err
		}
	}
	if err := s.headers(of(m), m.Spec.Headers); err != nil {
		return err
	}
	if m.Spec.Faux == nil {
		return nil
	}
	return s.text(of(m)+"spec.faux.scriptFrom", m.Spec.Faux.ScriptFrom)
}

// headers reads the secrets of the headers of a model or server.
func (s *resolver) headers(of string, headers []v1alpha1.Header) error {
	for _, h := range headers {
		if h.SecretKeyRef == nil {
			continue
		}
		if err := s.secret(fmt.Sprintf("%sspec.headers[%s]", of, h.Name), *h.SecretKeyRef); err != nil {
			return err
		}
	}
	return nil
}

// instructions reads the document with its prompts, or the prompt of a template without a document.
func (s *resolver) instructions() error {
	template := s.in.Template
	if ref := template.Spec.SystemPromptFrom; ref != nil {
		if err := s.text(of(template)+"spec.systemPromptFrom", *ref); err != nil {
			return err
		}
	}
	ref := template.Spec.WorkflowFrom
	if ref == nil {
		s.in.Source = nil
		return nil
	}
	if err := s.text(of(template)+"spec.workflowFrom", *ref); err != nil {
		return err
	}
	text, there := s.in.Texts[*ref]
	if !there {
		s.in.Source = nil
		return nil
	}
	if src := s.in.Source; src == nil || src.ref != *ref || src.text != text.Text {
		s.in.Source = Parse(*ref, text.Text)
	}
	for _, prompt := range s.in.Source.prompts {
		if err := s.text(s.in.Source.file()+": a prompt of the document", prompt); err != nil {
			return err
		}
	}
	return nil
}

// servers reads what decides which hosts a document may name.
func (s *resolver) servers() error {
	var err error
	if s.in.Servers, err = s.Servers(s.ctx); err != nil {
		return err
	}
	s.in.Services, err = s.Services(s.ctx)
	return err
}

func (s *resolver) tools() error {
	template := s.in.Template
	for _, t := range template.Spec.Tools {
		name := t.MCP.Server.Name
		server := s.in.Servers[name]
		switch {
		case name == "":
		case server == nil:
			by := fmt.Sprintf("%sspec.tools[%s].mcp.server", of(template), name)
			s.miss(Missing{By: by, Kind: kindServer, Name: name})
		default:
			if err := s.headers(of(server), server.Spec.Headers); err != nil {
				return err
			}
		}
	}
	return nil
}

// harness reads the secrets of the harness. Of the keys of callers only the object has to be there: pods read them
// themselves.
func (s *resolver) harness() error {
	h := s.in.Harness
	for _, v := range h.Spec.Env {
		if v.SecretKeyRef == nil {
			continue
		}
		if err := s.secret(fmt.Sprintf("%sspec.env[%s]", of(h), v.Name), *v.SecretKeyRef); err != nil {
			return err
		}
	}
	if h.Spec.Auth.Bearer == nil || h.Spec.Auth.Bearer.SecretName == "" {
		return nil
	}
	name := h.Spec.Auth.Bearer.SecretName
	there, err := s.HasSecret(s.ctx, name)
	if err == nil && !there {
		s.miss(Missing{By: of(h) + "spec.auth.bearer", Kind: kindSecret, Name: name})
	}
	return err
}

// text reads a key of a ConfigMap. A reference that isn't whole is for the compiler to refuse.
func (s *resolver) text(by string, ref v1alpha1.KeyReference) error {
	if _, known := s.in.Texts[ref]; known || ref.Name == "" || ref.Key == "" {
		return nil
	}
	text, object, ok, err := s.Text(s.ctx, ref)
	if err != nil {
		return err
	}
	if ok {
		s.in.Texts[ref] = text
		return nil
	}
	s.miss(missingKey(by, kindConfigMap, ref, object))
	return nil
}

func (s *resolver) secret(by string, ref v1alpha1.KeyReference) error {
	if _, known := s.in.Secrets[ref]; known || ref.Name == "" || ref.Key == "" {
		return nil
	}
	secret, object, ok, err := s.Secret(s.ctx, ref)
	if err != nil {
		return err
	}
	if ok {
		s.in.Secrets[ref] = secret
		return nil
	}
	s.miss(missingKey(by, kindSecret, ref, object))
	return nil
}
