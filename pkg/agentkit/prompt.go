package agentkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// systemPrompt is the system prompt of an agent: the two instructions, the global one first, and the guidelines of the
// tools; nothing else. Every provider sends the text that is assembled here.
type systemPrompt struct {
	blocks     []template
	guidelines string
	fixed      string // the whole text when no block has a placeholder
	isFixed    bool
}

// values are what placeholders stand for.
type values interface {
	state(key string) (any, bool)
	artifact(name string) (string, bool)
}

// template is a text with placeholders, taken apart once.
type template struct {
	field string // where it comes from, for errors
	parts []piece
}

// piece is literal text, or a placeholder when name isn't empty.
type piece struct {
	text     string
	name     string
	artifact bool
	optional bool
}

func newSystemPrompt(cfg Config, specs []core.Spec) systemPrompt {
	p := systemPrompt{guidelines: guidelines(specs), isFixed: true}
	for _, t := range []template{
		parseTemplate("global_instruction", cfg.GlobalInstruction),
		parseTemplate("instruction", cfg.Instruction),
	} {
		p.blocks = append(p.blocks, t)
		for _, piece := range t.parts {
			p.isFixed = p.isFixed && piece.name == ""
		}
	}
	if p.isFixed {
		p.fixed, _ = p.assemble(nil) // without placeholders nothing can be missing
	}
	return p
}

// text returns the system prompt with its placeholders filled from v.
func (p *systemPrompt) text(v values) (string, error) {
	if p.isFixed {
		return p.fixed, nil
	}
	return p.assemble(v)
}

func (p *systemPrompt) assemble(v values) (string, error) {
	var texts []string
	for _, b := range p.blocks {
		text, err := b.fill(v)
		if err != nil {
			return "", err
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	if p.guidelines != "" {
		texts = append(texts, p.guidelines)
	}
	return strings.Join(texts, "\n\n"), nil
}

// guidelines lists what the tools ask for, each sentence once, in the order in which they come first.
func guidelines(specs []core.Spec) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, s := range specs {
		for _, g := range s.Guidelines {
			if g = strings.TrimSpace(g); g == "" || seen[g] {
				continue
			}
			seen[g] = true
			b.WriteString("\n- " + g)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "Guidelines for the tools:" + b.String()
}

var (
	braces    = regexp.MustCompile(`\{+[^{}]*\}+`)
	stateName = regexp.MustCompile(`^((app|user|temp):)?[A-Za-z_][A-Za-z0-9_]*$`)
)

// parseTemplate finds the placeholders of a text. Braces around anything that isn't the name of a state key or an
// artifact are text: prompts are full of JSON.
func parseTemplate(field, text string) template {
	t := template{field: field}
	text = strings.TrimSpace(text)
	rest := 0
	for _, at := range braces.FindAllStringIndex(text, -1) {
		name := strings.TrimSpace(strings.Trim(text[at[0]:at[1]], "{}"))
		name, optional := strings.CutSuffix(name, "?")
		name, artifact := strings.CutPrefix(name, "artifact.")
		if name == "" || !artifact && !stateName.MatchString(name) {
			continue
		}
		t.parts = append(t.parts, piece{text: text[rest:at[0]]},
			piece{name: name, artifact: artifact, optional: optional})
		rest = at[1]
	}
	t.parts = append(t.parts, piece{text: text[rest:]})
	return t
}

// fill puts the values in, as text and once: a value that looks like a placeholder stays what it is.
func (t template) fill(v values) (string, error) {
	var b strings.Builder
	for _, p := range t.parts {
		if p.name == "" {
			b.WriteString(p.text)
			continue
		}
		text, ok := p.value(v)
		if ok {
			b.WriteString(text)
		} else if !p.optional {
			return "", &PromptError{Field: t.field, Name: p.name, Artifact: p.artifact}
		}
	}
	return b.String(), nil
}

func (p piece) value(v values) (text string, ok bool) {
	if p.artifact {
		return v.artifact(p.name)
	}
	value, ok := v.state(p.name)
	if !ok {
		return "", false
	}
	return asText(value), true
}

// asText writes a state value for a prompt: text as it is, null as nothing, anything else as JSON.
func asText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// PromptError says that a placeholder of the system prompt stands for nothing.
type PromptError struct {
	Field    string // instruction or global_instruction
	Name     string
	Artifact bool
}

// Error names the placeholder and says how to make it optional.
func (e *PromptError) Error() string {
	if e.Artifact {
		return fmt.Sprintf("%s: there is no artifact %q; write {artifact.%s?} if it may be missing", e.Field, e.Name, e.Name)
	}
	return fmt.Sprintf("%s: the state has no key %q; write {%s?} if it may be missing", e.Field, e.Name, e.Name)
}

// Code returns "prompt".
func (e *PromptError) Code() string { return "prompt" }
