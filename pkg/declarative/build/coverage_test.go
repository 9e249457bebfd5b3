package build_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// Every field of the format stands in a document that a scenario executes, those of nodes in a node that runs there. What happens there is compared by TestScenarios,
// so that a golden text with a run in it is one of a document that ran.
func TestEveryFieldIsExecuted(t *testing.T) {
	c := coverage{table: fields.New(), used: map[string]bool{}}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		c.file(t, file)
	}
	for _, name := range c.all() {
		if !c.used[name] {
			t.Errorf("%s: no executed scenario uses it", name)
		}
	}
}

// coverage collects which fields stand in documents.
type coverage struct {
	table *fields.Table
	used  map[string]bool
	told  string // what happened in the scenario at hand
}

// aRun is what a scenario tells of a document that ran.
var aRun = regexp.MustCompile(`(?m)^(= |run failed: |\? )`)

func (c *coverage) file(t *testing.T, file string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var document source.Place
	for _, f := range archive.Files {
		switch f.Name {
		case "document.yaml":
			parsed, found := source.Parse(file, f.Data)
			if found.HasErrors() {
				t.Fatal(found.Err())
			}
			document = parsed.Root()
		case "want":
			c.told = string(f.Data)
		}
	}
	if aRun.MatchString(c.told) {
		c.object(document, fields.Document)
	}
}

// value visits what stands in a field.
func (c *coverage) value(p source.Place, of fields.Type) {
	for _, t := range of.Alternatives() {
		switch kind := p.Node().Kind(); {
		case t.Kind == fields.Object && kind == source.Map:
			c.object(p, t.Family)
		case t.Kind == fields.List && kind == source.List:
			for _, item := range p.Items() {
				c.value(item, *t.Elem)
			}
		case t.Kind == fields.Map && kind == source.Map:
			for _, entry := range p.Entries() {
				c.value(entry, *t.Elem)
			}
		}
	}
}

// object visits the fields of a map, which has one of the shapes of a family.
func (c *coverage) object(p source.Place, family fields.Family) {
	for _, s := range c.table.Family(family) {
		if id := p.Field("id").Node().Text(); !isA(p, s) || family == fields.Node && !strings.Contains(c.told, id+"@") {
			continue
		}
		for _, entry := range p.Entries() {
			if f := s.Field(entry.Key()); f != nil {
				c.used[s.Title()+"."+f.Name] = true
				c.value(entry, f.Type)
			}
		}
	}
}

// isA says that a map has a shape.
func isA(p source.Place, s *fields.Shape) bool {
	word := p.Field(s.By).Node().Text()
	return s.By == "" || word == s.Word || word == "" && s.Assumed
}

// all are the fields of the format.
func (c *coverage) all() []string {
	var names []string
	for _, s := range c.table.Shapes() {
		for _, f := range s.Names() {
			names = append(names, s.Title()+"."+f)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
