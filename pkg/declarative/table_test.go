package declarative_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// examples finds, for each code, the golden text of its first finding: in the file that is named after the code if there
// is one.
func examples(t *testing.T) map[diag.Code]string {
	t.Helper()
	files, err := filepath.Glob("testdata/invalid/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	slices.SortFunc(files, func(a, b string) int {
		return strings.Compare(strings.TrimSuffix(a, ".txt"), strings.TrimSuffix(b, ".txt"))
	})
	finding := regexp.MustCompile(`^[^ ].*: (error|warning)\[([a-z-]+)\]: `)
	found := map[diag.Code]string{}
	named := map[diag.Code]bool{}
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".txt")
		var code diag.Code
		block := map[diag.Code]string{}
		for line := range strings.Lines(string(read(t, file))) {
			if m := finding.FindStringSubmatch(line); m != nil {
				if code = diag.Code(m[2]); block[code] != "" {
					code = "" // one example is enough
				}
			}
			if code != "" {
				block[code] += line
			}
		}
		for code, text := range block {
			if isNamed := base == string(code); found[code] == "" || isNamed && !named[code] {
				found[code], named[code] = text, isNamed
			}
		}
	}
	return found
}

func TestEveryCodeHasAGoldenFile(t *testing.T) {
	found := examples(t)
	for _, row := range diag.Table() {
		switch {
		case row.Stage == diag.StageBuild, row.Stage == diag.StageObjects: // of other packages
		case found[row.Code] == "":
			t.Errorf("no document in testdata/invalid gives %s", row.Code)
		case !strings.Contains(found[row.Code], fmt.Sprintf(": %s[%s]: ", row.Severity, row.Code)):
			t.Errorf("%s isn't given as %s", row.Code, row.Severity)
		}
		delete(found, row.Code)
	}
	for code := range found {
		t.Errorf("%s has no row in the table", code)
	}
}

// objects are the manifests that show what the codes about objects of a cluster mean; the tests of the command check them.
const objects = "../../cmd/plait/testdata/objects"

// mended is the document that shows how to do right what a code is about.
func mended(code diag.Code) string { return filepath.Join("testdata", "mended", string(code)+".yaml") }

func TestMendedDocuments(t *testing.T) {
	for _, row := range diag.Table() {
		if row.Stage == diag.StageBuild || row.Stage == diag.StageObjects {
			continue
		}
		text := read(t, mended(row.Code))
		_, list := check(string(row.Code)+".yaml", text, harness())
		right := func(d diag.Diagnostic) bool { return d.Severity == diag.Warning && d.Code != row.Code }
		if list = slices.DeleteFunc(list, right); len(list) > 0 {
			t.Errorf("findings in the right example:\n%s", render(t, list, text))
		}
	}
}

// TestDocumentation compares docs/diagnostics.md with what the table and the golden files say; -update writes it.
func TestDocumentation(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Diagnostics

What plait can say about a document. Codes are stable: scripts may rely on them. An *error* keeps a document from being
used; a *warning* is shown, and the document is used. *Load* looks at the text and at each value by itself, *validate* at
the parts of the document against each other, *objects* at the manifests of a cluster against each other, *build* at the
document against the program that is to run it.

Each code has an example of what it says, and a document that is right. This file is generated from the table of codes and
from documents of the tests; run
` + "`go test ./pkg/declarative -run TestDocumentation -update`" + ` after changing either.

| code | severity | stage | meaning |
|---|---|---|---|
`)
	for _, row := range diag.Table() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s |\n", row.Code, row.Code, row.Severity, row.Stage, row.Summary)
	}
	found := examples(t)
	for _, row := range diag.Table() {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n", row.Code, row.Summary)
		wrong, right := found[row.Code], mended(row.Code)
		if row.Stage == diag.StageBuild {
			continue
		}
		if row.Stage == diag.StageObjects {
			wrong = string(read(t, filepath.Join(objects, string(row.Code)+".txt")))
			right = filepath.Join(objects, string(row.Code)+".right.yaml")
		}
		fmt.Fprintf(&b, "\n```text\n%s```\n\nThis is right:\n\n```yaml\n%s```\n", wrong, read(t, right))
	}
	golden(t, "../../docs/diagnostics.md", b.String())
}
