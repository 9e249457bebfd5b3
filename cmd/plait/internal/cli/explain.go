package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/declarative/fields"
)

func newExplain(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [FIELD.PATH]",
		Short: "Say what a field of the document is for",
		Long: "explain prints the type, the default, the meaning and an example of a field, and the fields below it. A path goes from " +
			"field to field, and through the type of a node or the class of an agent: nodes.llm.tools, agents.LoopAgent. It may " +
			"start anywhere, and the path of a finding is one, too.",
		Example: "  plait explain\n  plait explain nodes.llm.tools\n  plait explain retry.when",
		Args:    arguments(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			table := fields.New()
			found, err := table.Find(strings.Join(args, ""))
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			e := explainer{table: table, shown: map[fields.Family]bool{}}
			e.explain(found)
			_, err = streams.Out.Write(e.out.Bytes())
			return err
		},
	}
}

// explainer writes what the table of fields says for people.
type explainer struct {
	table *fields.Table
	shown map[fields.Family]bool // whose fields are written already
	out   bytes.Buffer
}

// explain writes the matches, equal fields of several shapes once.
func (e *explainer) explain(found []fields.Match) {
	for len(found) > 0 {
		first := found[0]
		same := func(m fields.Match) bool { return first.Field != nil && m.Field != nil && equal(first.Field, m.Field) }
		var titles []string
		for _, m := range found {
			if title := m.Shape.Title(); same(m) && !slices.Contains(titles, title) {
				titles = append(titles, title)
			}
		}
		if first.Field == nil {
			e.shape(first.Shape)
			found = found[1:]
		} else {
			e.field(first, titles)
			found = slices.DeleteFunc(found, same)
		}
		if len(found) > 0 {
			e.out.WriteByte('\n')
		}
	}
}

// equal reports whether two fields say the same.
func equal(a, b *fields.Field) bool {
	return a.Description == b.Description && a.Required == b.Required && a.Type.String() == b.Type.String()
}

func (e *explainer) field(m fields.Match, titles []string) {
	f := m.Field
	fmt.Fprintf(&e.out, "FIELD:    %s <%s>%s\n", f.Name, f.Type, required(f))
	fmt.Fprintf(&e.out, "OF:       %s\n", strings.Join(titles, ", "))
	if f.Default != "" {
		fmt.Fprintf(&e.out, "DEFAULT:  %s\n", f.Default)
	}
	fmt.Fprintf(&e.out, "EXAMPLE:  %s: %s\n\n", f.Name, f.Example)
	e.paragraph("", f.Description)
	for _, family := range f.Type.Families() {
		if !e.shown[family] {
			e.shown[family] = true
			e.out.WriteByte('\n')
			e.family(e.table.Family(family))
		}
	}
}

func (e *explainer) shape(s *fields.Shape) {
	fmt.Fprintf(&e.out, "KIND:     %s\n\n", s.Title())
	e.paragraph("", s.Description)
	e.out.WriteByte('\n')
	e.fields("FIELDS:", s.Fields)
}

// family writes the fields of a shape that is alone; of several, what tells them apart and what they have in common.
func (e *explainer) family(shapes []*fields.Shape) {
	if len(shapes) == 1 {
		e.fields("FIELDS:", shapes[0].Fields)
		return
	}
	fmt.Fprintf(&e.out, "BY %s:\n", shapes[0].By)
	for _, s := range shapes {
		fmt.Fprintf(&e.out, "  %s\n", s.Word)
		e.paragraph("      ", s.Description)
	}
	common := slices.DeleteFunc(slices.Clone(shapes[0].Fields), func(f fields.Field) bool {
		return slices.ContainsFunc(shapes, func(s *fields.Shape) bool { return s.Field(f.Name) == nil })
	})
	e.out.WriteByte('\n')
	e.fields("FIELDS of all:", common)
}

func (e *explainer) fields(title string, all []fields.Field) {
	fmt.Fprintf(&e.out, "%s\n", title)
	for i := range all {
		f := &all[i]
		fmt.Fprintf(&e.out, "  %s <%s>%s\n", f.Name, f.Type, required(f))
		e.paragraph("      ", f.Description)
	}
}

func required(f *fields.Field) string {
	if f.Required {
		return " required"
	}
	return ""
}

// lineWidth is that of most terminals.
const lineWidth = 80

// paragraph writes a text in lines of at most lineWidth characters, without the marks of code.
func (e *explainer) paragraph(indent, text string) {
	line := indent
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "`", "")) {
		if len(line)+1+len(word) > lineWidth && line != indent {
			e.out.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	e.out.WriteString(line + "\n")
}
