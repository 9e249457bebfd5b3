package build_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/workflow"
)

// mistakesPage is the page of the documentation that shows what runs say of mistakes.
const mistakesPage = "../../../docs/run-errors.md"

const mistakesHead = `# What runs say of mistakes

Each of these documents was run, and failed. What is shown is what a terminal shows: the place in the file, the code by which
` + "`retry.when`" + ` and the handlers of ` + "`ERROR`" + ` edges tell failures apart, the activation, what is wrong with what was expected, the line,
and the field of the document. A harness, which has no file, gives the same without the line.
`

// TestMistakes runs the documents of testdata/mistakes.txtar: each file is one, which gets "hello" and says in comments what the
// model answers. What they say is a page of the documentation.
func TestMistakes(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/mistakes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	page.WriteString(mistakesHead)
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			shown := mistake(t, f)
			fmt.Fprintf(&page, "\n## %s\n\n```text\n%s```\n", strings.TrimSuffix(f.Name, ".yaml"), shown)
		})
	}
	if *update {
		if err := os.WriteFile(filepath.Clean(mistakesPage), page.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(mistakesPage)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), page.String()); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
}

// mistake runs a document and shows what it fails by.
func mistake(t *testing.T, f txtar.File) string {
	t.Helper()
	files := map[string]string{"document.yaml": string(f.Data)}
	if _, script, ok := strings.Cut(string(f.Data), "# The model answers:\n"); ok {
		files["model.yaml"] = strings.ReplaceAll("\n"+script, "\n# ", "\n")
	}
	s := &scenario{files: files, workspace: t.TempDir()}
	checked := s.build(t)
	found := s.found
	if s.system != nil {
		found = append(found, failing(t, s.system, checked))
	}
	var out bytes.Buffer
	for i := range found {
		found[i].File = "agents.yaml"
	}
	if err := diag.Write(&out, found, func(string) []byte { return f.Data }); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// failing is what a run fails by, with its place.
func failing(t *testing.T, sys *build.System, checked *declarative.Checked) diag.Diagnostic {
	t.Helper()
	for _, err := range sys.Workflow().Run(context.Background(), workflow.RunRequest{
		Session: "s_1", Run: "r_1", Input: "hello", Env: workflow.Env{Limits: sys.Limits(), Deterministic: true},
	}) {
		if failed, ok := errors.AsType[*workflow.RunError](err); ok {
			if failed.Field == "" {
				t.Errorf("%v names no field", failed)
			}
			return checked.Diagnose(failed.Field, diag.Code(failed.Code), strings.Replace(failed.Error(), failed.Field+": ", "", 1), "")
		}
	}
	t.Fatal("the run didn't fail")
	return diag.Diagnostic{}
}
