package agentkit_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares a text with the file of that name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// systemPrompt returns what the model is sent.
func systemPrompt(t *testing.T, cfg agentkit.Config, in agentkit.RunInput) (string, error) {
	t.Helper()
	model := script(t, faux.Turn{Text: "ok"})
	cfg.Model = model
	if _, err := newAgent(t, cfg).Run(t.Context(), in); err != nil {
		return "", err
	}
	return model.last(t).System, nil
}

func guided(name string, guidelines ...string) *tool {
	x := says(name, "")
	x.spec.Guidelines = guidelines
	return x
}

func TestTheSystemPromptIsAssembledInOneOrder(t *testing.T) {
	tools := []core.Tool{
		guided("edit", "Read a file before you edit it.", "Keep paths relative."),
		guided("plain"),
		guided("write", "Keep paths relative.", " ", "Write whole files."),
	}
	for name, cfg := range map[string]agentkit.Config{
		"prompt-full.txt": {GlobalInstruction: "You work for {company}.\n", Instruction: "\nAnswer in {lang?}.\nUse JSON: {\"a\": {}}.\n", Tools: tools},
		"prompt-bare.txt": {Instruction: "Answer."},
		"prompt-none.txt": {},
		"prompt-tool.txt": {Tools: tools[2:]},
	} {
		state := map[string]any{"company": "Acme {lang}"}
		got, err := systemPrompt(t, cfg, agentkit.RunInput{Input: "go", State: func(k string) (any, bool) { v, ok := state[k]; return v, ok }})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, got)
	}
}

func TestPlaceholders(t *testing.T) {
	state := map[string]any{"name": "Ann", "n": int64(3), "f": 2.0, "ok": true, "none": nil, "list": []any{"<a>", map[string]any{"b": int64(1)}},
		"app:x": "app", "user:x": "user", "temp:x": "temp", "like": "{name}"}
	in := agentkit.RunInput{
		Input:    "go",
		State:    func(k string) (any, bool) { v, ok := state[k]; return v, ok },
		Artifact: func(name string) (string, bool) { return "text of " + name, name == "notes.md" },
	}
	for _, c := range []struct{ text, want, err string }{
		{"Hi {name}!", "Hi Ann!", ""},
		{"{n} {f} {ok} [{none}]", "3 2 true []", ""},
		{"{list}", `["<a>",{"b":1}]`, ""},
		{"{app:x} {user:x} {temp:x}", "app user temp", ""},
		{"{ name }, {{name}} or {{{name}}}", "Ann, Ann or Ann", ""},
		{"[{gone?}]", "[]", ""},
		{"{like}", "{name}", ""}, // put in once
		{"{artifact.notes.md} [{artifact.gone?}]", "text of notes.md []", ""},
		{`{"a": 1} {a-b} {1x} {} {other:x} {a.b}`, `{"a": 1} {a-b} {1x} {} {other:x} {a.b}`, ""},
		{"{gone}", "", `instruction: the state has no key "gone"; write {gone?} if it may be missing`},
		{"{artifact.gone}", "", `instruction: there is no artifact "gone"; write {artifact.gone?} if it may be missing`},
	} {
		got, err := systemPrompt(t, agentkit.Config{Instruction: c.text}, in)
		if c.err != "" {
			var pe *agentkit.PromptError
			if !errors.As(err, &pe) || pe.Error() != c.err {
				t.Errorf("%s: err = %v, want %s", c.text, err, c.err)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s\n got %s (err %v)\nwant %s", c.text, got, err, c.want)
		}
	}
}

func TestWithoutStateAndArtifactsEveryPlaceholderIsMissing(t *testing.T) {
	for _, text := range []string{"{name}", "{artifact.x}"} {
		_, err := systemPrompt(t, agentkit.Config{GlobalInstruction: text}, agentkit.RunInput{Input: "go"})
		var pe *agentkit.PromptError
		if !errors.As(err, &pe) || pe.Field != "global_instruction" {
			t.Errorf("%s: err = %v", text, err)
		}
	}
}
