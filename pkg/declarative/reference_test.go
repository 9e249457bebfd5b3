package declarative_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/fields"
)

const reference = "../../docs/architecture/workflow-agents.md"

// fieldTable is a mark in the reference: which shape's fields stand between it and the end mark. A family with several
// shapes stands for what all have, and one of its shapes for what it has in addition.
var fieldTable = regexp.MustCompile(`(?s)<!-- fields: ([a-z_ -]+)(?:/(\w+))? -->\n.*?<!-- end -->`) // never written to

// TestReferenceTables compares the tables of the reference with the table of fields; -update writes them.
func TestReferenceTables(t *testing.T) {
	table := fields.New()
	shown := map[string]bool{}
	got := fieldTable.ReplaceAllStringFunc(string(read(t, reference)), func(mark string) string {
		m := fieldTable.FindStringSubmatch(mark)
		head, _, _ := strings.Cut(mark, "\n")
		var out strings.Builder
		out.WriteString(head + "\n\n| field | type | default | meaning |\n|---|---|---|---|\n")
		for _, f := range tableOf(t, table, fields.Family(m[1]), m[2]) {
			shown[f.Name+f.Description] = true
			name := "`" + f.Name + "`"
			if f.Required {
				name = "**" + name + "**"
			}
			value := ""
			if f.Default != "" {
				value = "`" + f.Default + "`"
			}
			cell := strings.NewReplacer("|", `\|`)
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", name, cell.Replace(f.Type.String()), value, cell.Replace(f.Description))
		}
		return out.String() + "\n<!-- end -->"
	})
	golden(t, reference, got)
	for _, s := range table.Shapes() {
		for _, f := range s.Fields {
			if !shown[f.Name+f.Description] {
				t.Errorf("the reference has no table with %s of %s", f.Name, s.Noun)
			}
		}
	}
}

func tableOf(t *testing.T, table *fields.Table, family fields.Family, word string) []fields.Field {
	t.Helper()
	shapes := table.Family(family)
	if len(shapes) == 0 {
		t.Fatalf("%s is no family", family)
	}
	var common, rest []fields.Field
	of := shapes[0]
	if word != "" {
		of = table.Shape(family, word)
	}
	for _, f := range of.Fields {
		lacks := func(s *fields.Shape) bool { return s.Field(f.Name) == nil }
		// timeout and retry are told once for all types that have them.
		if !slices.ContainsFunc(shapes, lacks) || family == fields.Node && (f.Name == "timeout" || f.Name == "retry") {
			common = append(common, f)
		} else {
			rest = append(rest, f)
		}
	}
	if word == "" {
		return common
	}
	return rest
}

// TestDocumentsInDocs validates every YAML block of the documentation that is a document, or a part of one.
func TestDocumentsInDocs(t *testing.T) {
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")
	var files []string
	for _, pattern := range []string{"../../docs/*.md", "../../docs/*/*.md", "../../README.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	checked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range blocks.FindAllStringSubmatch(string(text), -1) {
			doc, ok := wholeDocument(m[1])
			if !ok {
				continue
			}
			checked++
			if _, list := check(filepath.Base(file), []byte(doc), declarative.Options{}); list.HasErrors() {
				t.Errorf("%s:\n%s\n%s", file, render(t, list, []byte(doc)), doc)
			}
		}
	}
	if checked < 12 {
		t.Errorf("%d blocks are documents", checked)
	}
}

// wholeDocument completes a part of a document: fields of its top level, or of a Workflow.
func wholeDocument(block string) (doc string, ok bool) {
	head := "apiVersion: " + declarative.APIVersion + "\nkind: " + declarative.Kind + "\n"
	first, _, _ := strings.Cut(block, ":")
	switch first {
	case "apiVersion":
		return block, strings.HasPrefix(block, "apiVersion: "+declarative.APIVersion)
	case "agents", "mcp_servers", "limits":
		return head + block, true
	case "nodes":
		return head + "agents:\n  - name: main\n    agent_class: Workflow\n    " + strings.ReplaceAll(strings.TrimSpace(block), "\n", "\n    ") + "\n", true
	}
	return "", false
}
