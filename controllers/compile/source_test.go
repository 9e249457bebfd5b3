package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

func TestParse(t *testing.T) {
	text := strings.Replace(document, "tools:", "global_instruction_from: { config_map: { name: house, key: style } }\n        tools:", 1)
	src := compile.Parse(*ref("docs", "a.yaml"), text)
	want := []v1alpha1.KeyReference{*ref("house", "style"), *ref("prompts", "answer")}
	if diff := cmp.Diff(want, src.Prompts()); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	if want := adkconfigv1.Digest([]byte(text)); src.Hash() != want {
		t.Errorf("hash %s, want %s", src.Hash(), want)
	}
	if len(src.Findings()) != 0 {
		t.Errorf("findings %v", src.Findings())
	}
}

func TestParseKeepsFindingsUnderTheNameOfTheKey(t *testing.T) {
	for name, text := range map[string]string{
		"no document": "a: [",
		"empty":       "",
		"a bad field": strings.Replace(document, "tools:", "tool:", 1),
	} {
		t.Run(name, func(t *testing.T) {
			src := compile.Parse(*ref("docs", "a.yaml"), text)
			if !src.Findings().HasErrors() {
				t.Fatal("no findings")
			}
			if file := src.Findings()[0].File; file != "configmap/docs/a.yaml" {
				t.Errorf("file %q", file)
			}
		})
	}
}

// One Source serves the template on all of its harnesses.
func TestCompilingLeavesTheSourceAsItWas(t *testing.T) {
	w := newWorld()
	in := w.resolve(t)
	first := compile.Compile(in)
	other := *in
	other.Texts = map[v1alpha1.KeyReference]compile.Text{*ref("prompts", "answer"): {Text: "Answer at length."}}
	if res := compile.Compile(&other); res.Refusal != nil || res.Revision.Hash == first.Revision.Hash {
		t.Errorf("another prompt made no other revision: %+v", res.Refusal)
	}
	if again := compile.Compile(in); again.Revision.Hash != first.Revision.Hash {
		t.Error("the same inputs made another revision")
	}
	if diff := cmp.Diff([]v1alpha1.KeyReference{*ref("prompts", "answer")}, in.Source.Prompts()); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
}
