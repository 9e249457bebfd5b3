package manifests_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/controllers/compile/manifests"
)

const (
	template = "apiVersion: plait.dev/v1alpha1\nkind: AgentTemplate\nmetadata: { name: triage }\nspec: { description: Routes mail. }\n"
	harness  = "apiVersion: plait.dev/v1alpha1\nkind: Harness\nmetadata: { name: main }\nspec: { auth: { none: {} } }\n"
	model    = "apiVersion: plait.dev/v1alpha1\nkind: ModelConfig\nmetadata: { name: haiku }\nspec: { provider: ollama, model: x }\n"
	server   = "apiVersion: plait.dev/v1alpha1\nkind: RemoteMCPServer\nmetadata: { name: crm }\nspec: { url: http://crm }\n"
	prompts  = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: prompts }\ndata: { answer: Be kind. }\nbinaryData: { image: AAEC }\n"
)

// folder writes files, by name and content, and returns their folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// names are those of the objects that files hold.
func names(s *manifests.Set) []string {
	var all []string
	for _, t := range s.Templates() {
		all = append(all, "AgentTemplate "+t.Name)
	}
	for _, h := range s.Harnesses() {
		all = append(all, "Harness "+h.Name)
	}
	return all
}

func TestLoadFindsObjects(t *testing.T) {
	const jsonTemplate = `{"apiVersion":"plait.dev/v1alpha1","kind":"AgentTemplate","metadata":{"name":"triage"},"spec":{}}`
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"one file": {map[string]string{"a.yaml": template}, []string{"AgentTemplate triage"}},
		"two documents": {
			map[string]string{"a.yaml": template + "---\n" + harness},
			[]string{"AgentTemplate triage", "Harness main"},
		},
		"two files": {
			map[string]string{"b.yml": template, "a.yaml": harness},
			[]string{"AgentTemplate triage", "Harness main"},
		},
		"JSON": {map[string]string{"a.json": jsonTemplate}, []string{"AgentTemplate triage"}},
		"JSON with tabs": {
			map[string]string{"a.json": "{\n\t" + jsonTemplate[1:]},
			[]string{"AgentTemplate triage"},
		},
		"JSON in YAML": {map[string]string{"a.yaml": jsonTemplate}, []string{"AgentTemplate triage"}},
		"line ends of DOS": {
			map[string]string{"a.yaml": strings.ReplaceAll(template+"---\n"+harness, "\n", "\r\n")},
			[]string{"AgentTemplate triage", "Harness main"},
		},
		"markers all over": {
			map[string]string{"a.yaml": "---\n---\n# none\n--- # one\n" + template + "...\n---\n\n"},
			[]string{"AgentTemplate triage"},
		},
		"no documents": {map[string]string{"a.yaml": "# nothing\n"}, nil},
		"other files": {
			map[string]string{"a.txt": "a: [", "sub/a.yaml": template, "b.yaml": harness},
			[]string{"Harness main"},
		},
		"a folder like a file": {map[string]string{"a.yaml/x.yaml": template}, nil},
		"other kinds": {map[string]string{
			"a.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {}\n---\napiVersion: plait.dev/v1alpha1\nkind: RunConfig\n---\n" +
				"apiVersion: adk.declarative/v0.2\nkind: AgentSystem\nagents: []\n---\nkind: Harness\n---\nrules: []\n---\n[1, 2]\n---\ntext\n---\n" +
				"apiVersion: a/b/c\nkind: Harness\n---\napiVersion: v1\nkind: Harness\n",
		}, nil},
		"a list": {
			map[string]string{"a.yaml": "apiVersion: v1\nkind: List\nitems:\n- " + indent(template) + "- " + indent(harness)},
			[]string{"AgentTemplate triage", "Harness main"},
		},
		"a list of a kind": {
			map[string]string{"a.yaml": "apiVersion: plait.dev/v1alpha1\nkind: HarnessList\nitems:\n- metadata: { name: b }\n- metadata: { name: a }\n"},
			[]string{"Harness a", "Harness b"},
		},
		"a list of another kind": {
			map[string]string{"a.yaml": "apiVersion: apps/v1\nkind: DeploymentList\nitems: [{}]\n"},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := manifests.Load(folder(t, c.files))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, names(set)); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
		})
	}
}

func indent(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

func TestLoadReportsEverythingThatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string // DIR stands for the folder
	}{
		"an unknown field": {
			map[string]string{"a.yaml": "# a comment\n\n" + strings.Replace(template, "description", "descriptor", 1)},
			[]string{`DIR/a.yaml:3: AgentTemplate triage: unknown field "spec.descriptor"`},
		},
		"an unknown field of the second document": {
			map[string]string{"a.yaml": template + "---\n\n# a comment\n" + strings.Replace(harness, "none", "nobody", 1)},
			[]string{`DIR/a.yaml:8: Harness main: unknown field "spec.auth.nobody"`},
		},
		"a wrong type": {
			map[string]string{"a.yaml": strings.Replace(template, "Routes mail.", "[1]", 1)},
			[]string{"DIR/a.yaml:1: AgentTemplate triage: json: cannot unmarshal array into Go struct field AgentTemplateSpec.spec.description of type string"},
		},
		"a key twice": {
			map[string]string{"a.yaml": template + "kind: Harness\n"}, []string{`DIR/a.yaml:1: yaml: unmarshal errors:
  line 5: key "kind" already set in map`},
		},
		"a key twice in JSON": {
			map[string]string{"a.json": `{"apiVersion":"plait.dev/v1alpha1","kind":"Harness","metadata":{"name":"a","name":"b"}}`},
			[]string{`DIR/a.json:1: Harness b: duplicate field "metadata.name"`},
		},
		"no YAML": {
			map[string]string{"a.yaml": "a: [\n"},
			[]string{"DIR/a.yaml:1: yaml: line 2: did not find expected node content"},
		},
		"no YAML in the second document": {
			map[string]string{"a.yaml": template + "---\n# a comment\na: b\nc: *d\n"}, []string{"DIR/a.yaml:7: yaml: unknown anchor 'd' referenced"},
		},
		"a key twice in the second document": {
			map[string]string{"a.yaml": template + "---\n# a comment\na: b\na: c\n"}, []string{`DIR/a.yaml:7: yaml: unmarshal errors:
  line 8: key "a" already set in map`},
		},
		"no JSON": {map[string]string{"a.json": `{"a":`}, []string{"DIR/a.json:1: unexpected end of JSON input"}},
		"two JSON": {
			map[string]string{"a.json": `{} {}`},
			[]string{"DIR/a.json:1: invalid character '{' after top-level value"},
		},
		"no name": {
			map[string]string{"a.yaml": strings.Replace(template, "name: triage", "", 1)}, []string{"DIR/a.yaml:1: AgentTemplate: it has no metadata.name"},
		},
		"another version": {
			map[string]string{"a.yaml": strings.Replace(template, "v1alpha1", "v2", 1)},
			[]string{"DIR/a.yaml:1: AgentTemplate: its apiVersion is plait.dev/v2; this program reads plait.dev/v1alpha1"},
		},
		"a document behind its marker": {
			map[string]string{"a.yaml": template + "--- {a: b}\n"}, []string{"DIR/a.yaml:5: begin a document on the line after its ---"},
		},
		"a list in a list": {
			map[string]string{"a.yaml": "apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: List }]\n"},
			[]string{"DIR/a.yaml:1: List: it stands in another list"},
		},
		"an object twice": {
			map[string]string{"a.yaml": harness + "---\n" + template, "b.yaml": "\n" + template},
			[]string{"DIR/b.yaml:2: AgentTemplate triage: it is at DIR/a.yaml:6, too"},
		},
		"several": {
			map[string]string{"a.yaml": "a: [\n", "b.yaml": strings.Replace(template, "spec", "spek", 1), "c.json": "x"},
			[]string{
				"DIR/a.yaml:1: yaml: line 2: did not find expected node content", `DIR/b.yaml:1: AgentTemplate triage: unknown field "spek"`,
				"DIR/c.json:1: invalid character 'x' looking for beginning of value",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, c.files)
			set, err := manifests.Load(dir)
			if err == nil || set != nil {
				t.Fatalf("set %v, error %v", set, err)
			}
			if diff := cmp.Diff(strings.Join(c.want, "\n"), strings.ReplaceAll(err.Error(), dir, "DIR")); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoadOfAPathThatIsntThere(t *testing.T) {
	if _, err := manifests.Load(filepath.Join(t.TempDir(), "a.yaml")); err == nil || !strings.Contains(err.Error(), "a.yaml") {
		t.Errorf("error %v", err)
	}
}

// The same file twice is the same object twice.
func TestLoadOfAFileTwice(t *testing.T) {
	path := filepath.Join(folder(t, map[string]string{"a.yaml": template}), "a.yaml")
	if _, err := manifests.Load(path, path); err == nil || !strings.Contains(err.Error(), "it is at "+path+":1, too") {
		t.Errorf("error %v", err)
	}
}

func in(namespace, text string) string {
	return strings.Replace(text, "name:", "namespace: "+namespace+", name:", 1)
}

func TestNamespaces(t *testing.T) {
	for name, c := range map[string]struct {
		files         map[string]string
		chosen        string
		wantNamespace string
		want          []string
	}{
		"none": {map[string]string{"a.yaml": template}, "", "", []string{"AgentTemplate triage"}},
		"one": {
			map[string]string{"a.yaml": in("one", template)},
			"",
			"one",
			[]string{"AgentTemplate triage"},
		},
		"one and none": {
			map[string]string{"a.yaml": in("one", template), "b.yaml": harness},
			"",
			"one",
			[]string{"AgentTemplate triage", "Harness main"},
		},
		"none, one chosen": {
			map[string]string{"a.yaml": template},
			"one",
			"one",
			[]string{"AgentTemplate triage"},
		},
		"another chosen": {map[string]string{"a.yaml": in("one", template)}, "two", "two", nil},
		"two, one of them": {
			map[string]string{"a.yaml": in("one", template), "b.yaml": in("two", harness)},
			"two",
			"two",
			[]string{"Harness main"},
		},
		"a name in both": {
			map[string]string{"a.yaml": in("one", harness), "b.yaml": in("two", harness)},
			"two",
			"two",
			[]string{"Harness main"},
		},
		"none counts as chosen": {
			map[string]string{"a.yaml": in("one", template), "b.yaml": harness},
			"two",
			"two",
			[]string{"Harness main"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := manifests.Loader{Namespace: c.chosen}.Load(folder(t, c.files))
			if err != nil {
				t.Fatal(err)
			}
			if set.Namespace() != c.wantNamespace {
				t.Errorf("namespace %q, want %q", set.Namespace(), c.wantNamespace)
			}
			if diff := cmp.Diff(c.want, names(set)); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
			for _, h := range set.Harnesses() {
				if h.Namespace != c.wantNamespace {
					t.Errorf("Harness %s has the namespace %q", h.Name, h.Namespace)
				}
			}
		})
	}
}

func TestSeveralNamespaces(t *testing.T) {
	dir := folder(t, map[string]string{"a.yaml": in("two", template) + "---\n" + in("one", harness), "b.yaml": in("one", model)})
	want := "the manifests are of several namespaces: one (" + dir + "/a.yaml:6), two (" + dir + "/a.yaml:1); choose one"
	if _, err := manifests.Load(dir); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		template, harness + "---\n" + model, server, prompts, "apiVersion: v1\nkind: List\nitems:\n- " + indent(template),
		"a: &a [*a]", "--- {a: b}\n...\n---\n", "apiVersion: plait.dev/v1alpha1\nkind: HarnessList\nitems: [null, 1, {}]\n",
		`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{"a":"AAEC"}}`, "\xff", "a: !!binary x", "? [a]\n: b\n",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		name := "a.yaml"
		if isJSON {
			name = "a.json"
		}
		path := filepath.Join(folder(t, map[string]string{name: text}), name)
		set, err := manifests.Load(path)
		if (set == nil) == (err == nil) {
			t.Fatalf("set %v and error %v", set, err)
		}
		if err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("the error names no file: %v", err)
		}
		if err == nil {
			for _, tpl := range set.Templates() {
				if tpl.Name == "" || tpl.Namespace != set.Namespace() {
					t.Errorf("template %q of %q", tpl.Name, tpl.Namespace)
				}
			}
		}
	})
}

func TestLoadTexts(t *testing.T) {
	set, err := manifests.Loader{}.LoadTexts(map[string][]byte{"b": []byte(model + "---\n" + server), "a.json": []byte(`{"kind":"x"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if m, s := set.ModelConfigs(), set.Servers(); len(m) != 1 || m[0].Name != "haiku" || len(s) != 1 || s[0].Name != "crm" {
		t.Errorf("models %v, servers %v", m, s)
	}
}

func TestProblemsOfTexts(t *testing.T) {
	_, err := manifests.Loader{}.LoadTexts(map[string][]byte{
		"a": []byte("\n" + strings.Replace(template, "spec", "spek", 1) + "---\n" + harness), "b": []byte(harness),
	})
	want := []*manifests.Problem{
		{File: "a", Line: 2, Message: `AgentTemplate triage: unknown field "spek"`},
		{File: "b", Line: 1, Message: "Harness main: it is at a:7, too"},
	}
	if diff := cmp.Diff(want, manifests.Problems(err)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if got := manifests.Problems(nil); got != nil {
		t.Errorf("problems of no error: %v", got)
	}
}
