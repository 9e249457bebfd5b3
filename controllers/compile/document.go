package compile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
)

// readDocument takes the document of the template, or makes one of its prompt. A document without a description gets the
// template's.
func (c *compilation) readDocument() *Refusal {
	template := c.in.Template
	if template.Spec.WorkflowFrom == nil {
		return c.promptDocument()
	}
	src := c.in.Source
	if src == nil || src.ref != *template.Spec.WorkflowFrom {
		return refuse(of(template) + "spec.workflowFrom: the document wasn't read")
	}
	c.result.Document = &DocumentInfo{SourceHash: src.hash}
	c.find(src.findings...)
	if c.doc = src.document(); c.doc == nil {
		return c.refuseFindings()
	}
	if c.doc.Metadata.Description == "" {
		c.doc.Metadata.Description = template.Spec.Description
	}
	c.inlinePrompts()
	return nil
}

// inlinePrompts puts the texts of ConfigMaps into the document. What a prompt says is used with the finding that it is
// missing as well, so that the rest of the document is checked.
func (c *compilation) inlinePrompts() {
	uses, found := declarative.InlinePrompts(c.doc, func(name, key string) (string, error) {
		text, ok := c.in.Texts[v1alpha1.KeyReference{Name: name, Key: key}]
		if !ok {
			return "", errors.New("it isn't there")
		}
		return text.Text, nil
	})
	c.find(found...)
	slices.SortFunc(uses, func(a, b declarative.PromptUse) int {
		return compareRefs(v1alpha1.KeyReference{Name: a.Name, Key: a.Key}, v1alpha1.KeyReference{Name: b.Name, Key: b.Key})
	})
	for _, u := range uses {
		c.prompts = append(c.prompts, &adkconfigv1.PromptSource{Name: u.Name, Key: u.Key, Sha256: u.SHA256})
	}
}

// promptDocument makes a document of a prompt: one agent, which has all tools of the template. The prompt is an
// instruction like that of a document, so {key} in it stands for a value of the state.
func (c *compilation) promptDocument() *Refusal {
	template := c.in.Template
	instruction, refusal := c.systemPrompt()
	if refusal != nil {
		return refusal
	}
	c.doc = &declarative.Document{
		APIVersion: declarative.APIVersion,
		Kind:       declarative.Kind,
		Metadata:   declarative.Metadata{Name: template.Name, Description: template.Spec.Description},
		Agents: []declarative.Agent{{
			Name:        agentName(template.Name),
			Description: template.Spec.Description,
			LLM:         &declarative.LLM{Instruction: instruction},
		}},
	}
	return nil
}

// systemPrompt is the text of the prompt, wherever it stands.
func (c *compilation) systemPrompt() (string, *Refusal) {
	template := c.in.Template
	if template.Spec.SystemPrompt != nil {
		return *template.Spec.SystemPrompt, nil
	}
	ref := *template.Spec.SystemPromptFrom
	text, ok := c.in.Texts[ref]
	switch {
	case !ok:
		return "", refuse(of(template) + "spec.systemPromptFrom: the prompt wasn't read")
	case text.Text == "":
		return "", refuse(fmt.Sprintf("configmap/%s/%s: the prompt is empty", ref.Name, ref.Key))
	case len(text.Text) > declarative.MaxPromptBytes:
		return "", refuse(fmt.Sprintf("configmap/%s/%s: the prompt has %d bytes; a prompt may have %d",
			ref.Name, ref.Key, len(text.Text), declarative.MaxPromptBytes))
	}
	c.prompts = []*adkconfigv1.PromptSource{{Name: ref.Name, Key: ref.Key, Sha256: adkconfigv1.Digest([]byte(text.Text))}}
	return text.Text, nil
}

// notInName matches what the name of an object may have and that of an agent may not. It is never written to.
var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// agentName makes the name of an agent of that of an object.
func agentName(name string) string {
	const longest = 63
	name = notInName.ReplaceAllString(name, "_")
	if name == "" || name == "user" || name[0] == '-' || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name[:min(len(name), longest)]
}
