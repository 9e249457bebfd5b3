package declarative_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/declarative/fields"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// TestValidDocuments finds nothing in the documents of testdata/valid, not even warnings.
func TestValidDocuments(t *testing.T) {
	for _, file := range documents(t, "valid") {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
			text := read(t, file)
			if _, list := check(name, text, harness()); len(list) > 0 {
				t.Errorf("findings:\n%s", render(t, list, text))
			}
			if out := canonical(t, text); string(canonical(t, out)) != string(out) {
				t.Errorf("the canonical form isn't its own canonical form:\n%s", out)
			}
		})
	}
}

// TestEveryFieldIsInAValidDocument walks the table of fields and the documents together. A field that several shapes
// share needs one of them.
func TestEveryFieldIsInAValidDocument(t *testing.T) {
	w := fieldWalk{table: fields.New(), seen: map[string]bool{}}
	for _, file := range documents(t, "valid") {
		f, _ := source.Parse(file, read(t, file))
		w.shape(f.Root(), w.table.Shape(fields.Document, ""))
	}
	for _, s := range w.table.Shapes() {
		for _, f := range s.Fields {
			if !w.seen[f.Name+f.Description] {
				t.Errorf("no document has %s of %s", f.Name, s.Noun)
			}
		}
	}
}

// fieldWalk notes which fields documents use.
type fieldWalk struct {
	table *fields.Table
	seen  map[string]bool // by name and description
}

func (w fieldWalk) shape(p source.Place, s *fields.Shape) {
	for _, e := range p.Entries() {
		if f := s.Field(e.Key()); f != nil {
			w.seen[f.Name+f.Description] = true
			w.value(e, f.Type)
		}
	}
}

func (w fieldWalk) value(p source.Place, t fields.Type) {
	for _, alternative := range t.Alternatives() {
		switch kind := p.Node().Kind(); {
		case alternative.Kind == fields.Object && kind == source.Map:
			shapes := w.table.Family(alternative.Family)
			word := p.Field(shapes[0].By).Node().Text()
			for _, s := range shapes {
				if s.Word == word || word == "" && s.Assumed {
					w.shape(p, s)
				}
			}
		case alternative.Kind == fields.List:
			for _, item := range p.Items() {
				w.value(item, *alternative.Elem)
			}
		case alternative.Kind == fields.Map:
			for _, e := range p.Entries() {
				w.value(e, *alternative.Elem)
			}
		}
	}
}
