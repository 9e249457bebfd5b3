package declarative_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

const prompted = header + `
agents:
  - name: main
    instruction_from: { config_map: { name: prompts, key: main } }
    global_instruction_from: { config_map: { name: shared, key: tone } }
    sub_agents: [flow, plain]
  - name: flow
    agent_class: Workflow
    nodes:
      - { id: a, type: llm, instruction_from: { config_map: { name: prompts, key: main } } }
      - { id: b, type: parallel_worker, worker: { type: llm, instruction_from: { config_map: { name: prompts, key: item } } } }
    edges: [{ from: START, to: a }, { from: a, to: b }]
  - { name: plain, instruction: Here. }
`

func TestInlinePrompts(t *testing.T) {
	doc, list := declarative.Load("x.yaml", []byte(prompted))
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	asked := map[string]int{}
	uses, found := declarative.InlinePrompts(doc, func(name, key string) (string, error) {
		asked[name+"/"+key]++
		return "Text of " + key + " {state_key}", nil
	})
	if len(found) > 0 {
		t.Fatal(found.Err())
	}
	use := func(name, key string) declarative.PromptUse {
		sum := sha256.Sum256([]byte("Text of " + key + " {state_key}"))
		return declarative.PromptUse{Name: name, Key: key, SHA256: hex.EncodeToString(sum[:])}
	}
	if diff := cmp.Diff([]declarative.PromptUse{use("prompts", "main"), use("shared", "tone"), use("prompts", "item")}, uses); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"prompts/main": 1, "shared/tone": 1, "prompts/item": 1}, asked); diff != "" {
		t.Error(diff)
	}
	out, err := declarative.Canonicalize(doc)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "_from") || strings.Count(string(out), `"instruction":"Text of main {state_key}"`) != 2 {
		t.Errorf("not inlined: %s", out)
	}
	if _, list := declarative.Validate(doc, harness()); list.HasErrors() {
		t.Error(list.Err())
	}
}

func TestPromptsThatCantBeInlined(t *testing.T) {
	doc, _ := declarative.Load("x.yaml", []byte(prompted))
	uses, found := declarative.InlinePrompts(doc, func(name, key string) (string, error) {
		switch key {
		case "main":
			return "", errors.New("the ConfigMap has no such key")
		case "tone":
			return strings.Repeat("x", declarative.MaxPromptBytes+1), nil
		}
		return "Fine.", nil
	})
	if len(uses) != 1 || uses[0].Key != "item" {
		t.Errorf("uses: %v", uses)
	}
	type finding struct {
		Code          diag.Code
		Path, Message string
		Line          int
	}
	var got []finding
	for _, d := range found {
		got = append(got, finding{d.Code, d.Path, d.Message, d.Line})
	}
	want := []finding{
		{diag.PromptSource, "agents[main].instruction_from", `the prompt "main" of the ConfigMap "prompts": the ConfigMap has no such key`, 6},
		{diag.TooLarge, "agents[main].global_instruction_from", `the prompt "tone" of the ConfigMap "shared" has 524289 bytes; a prompt may have 524288`, 7},
		{diag.PromptSource, "agents[flow].nodes[a].instruction_from", `the prompt "main" of the ConfigMap "prompts": the ConfigMap has no such key`, 12},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if doc.Agents[0].LLM.InstructionFrom == nil {
		t.Error("a reference that can't be resolved was removed")
	}
}

func TestPromptsOfADocumentBuiltInGo(t *testing.T) {
	doc := &declarative.Document{Agents: []declarative.Agent{{Name: "a", LLM: &declarative.LLM{InstructionFrom: &declarative.PromptRef{Name: "n", Key: "k"}}}}}
	_, found := declarative.InlinePrompts(doc, func(string, string) (string, error) { return "", errors.New("gone") })
	if len(found) != 1 || found[0].Path != "agents[0].instruction_from" || !found[0].IsZero() {
		t.Errorf("findings: %+v", found)
	}
}
