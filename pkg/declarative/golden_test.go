package declarative_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// harness is what the golden documents run in.
func harness() declarative.Options {
	return declarative.Options{
		Functions:    []string{"score", "plan", "split"},
		Tools:        []string{"geocode", "bash"},
		Hooks:        []string{"audit"},
		Models:       []string{"default", "fast"},
		HarnessTools: []string{"read_file", "write_file", "list_files", "bash"},
		Env:          []declarative.ExposedVar{{Name: "CRM_TOKEN", Hosts: []string{"crm.example.com"}}, {Name: "CRM_URL"}},
		MCPHosts:     []string{"crm-mcp", "*.example.com"},
	}
}

// check loads and validates a text.
func check(file string, text []byte, opts declarative.Options) (*declarative.Checked, diag.List) {
	doc, list := declarative.Load(file, text)
	if doc == nil {
		return nil, list
	}
	checked, more := declarative.Validate(doc, opts)
	list = append(list, more...)
	list.Sort()
	return checked, list
}

// render is the text form of findings about one file.
func render(t *testing.T, list diag.List, text []byte) string {
	t.Helper()
	var out strings.Builder
	if err := diag.Write(&out, list, func(string) []byte { return text }); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// golden compares a text with a file, or writes the file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got), run the test with -update if that is right:\n%s", file, diff)
	}
}

// documents lists the documents of a folder below testdata.
func documents(t testing.TB, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents in testdata/%s: %v", folder, err)
	}
	return files
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestInvalidDocuments(t *testing.T) {
	for _, file := range documents(t, "invalid") {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
			text := read(t, file)
			checked, list := check(name, text, harness())
			if len(list) == 0 {
				t.Fatal("nothing is wrong with the document")
			}
			if list.HasErrors() != (checked == nil) {
				t.Errorf("Checked is nil: %v, there are errors: %v", checked == nil, list.HasErrors())
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".txt", render(t, list, text))
		})
	}
}
