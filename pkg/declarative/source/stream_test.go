package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

func TestParseStream(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string // the value of a, or the code of the first finding, with its line
	}{
		"one document":               {"a: x\n", []string{"x@1"}},
		"one with a marker":          {"---\na: x\n", []string{"x@2"}},
		"two":                        {"a: x\n---\na: y\n", []string{"x@1", "y@3"}},
		"empty ones are left out":    {"---\n---\n# nothing\n---\na: x\n---\n", []string{"x@5"}},
		"comments before the first":  {"# licence\n\n---\na: x\n", []string{"x@4"}},
		"a directive":                {"%YAML 1.2\n---\na: x\n", []string{"x@3"}},
		"a broken one among others":  {"a: x\n---\na: [\n---\na: z\n", []string{"x@1", "syntax@3", "z@5"}},
		"CRLF":                       {"a: x\r\n---\r\na: y\r\n", []string{"x@1", "y@3"}},
		"a byte order mark":          {"\ufeffa: x\n---\na: y\n", []string{"x@1", "y@3"}},
		"dashes within a block":      {"a: |-\n  ---\nb: 1\n", []string{"---@1"}},
		"an end marker":              {"a: x\n...\n---\na: y\n", []string{"x@1", "y@4"}},
		"no document at all":         {"# nothing\n", nil},
		"a quote that is never shut": {"a: 'x\n---\na: y\n", []string{"syntax@1", "y@3"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, part := range source.ParseStream("f", []byte(test.text)) {
				line := func(p diag.Pos) string { return "@" + string(rune('0'+p.Line)) }
				if part.File == nil {
					got = append(got, string(part.Found[0].Code)+line(part.Found[0].Pos))
					continue
				}
				a := part.File.Root().Field("a")
				got = append(got, a.Node().Text()+line(a.Pos()))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseStreamTooLarge(t *testing.T) {
	parts := source.ParseStream("f", []byte(strings.Repeat("#\n", source.MaxBytes)))
	if len(parts) != 1 || parts[0].File != nil || parts[0].Found[0].Code != diag.TooLarge {
		t.Errorf("got %v", parts)
	}
}

// TestParseWithin finds the word HERE of a document within a string, however the string is written.
func TestParseWithin(t *testing.T) {
	tests := map[string]string{
		"literal":          "data:\n  doc: |\n    a: 1\n    b: HERE\n",
		"literal, chomped": "data:\n  doc: |-\n    b: HERE",
		"folded":           "data:\n  doc: >\n    a: 1\n\n    b: HERE\n",
		"double quoted":    "data: { doc: \"a: \\u00e9\\nb: HERE\\n\" }\n",
		"single quoted":    "data: { doc: 'b: it''s HERE' }\n",
		"plain JSON":       "data:\n  doc: '{\"b\": \"HERE\"}'\n",
		"wide characters":  "data:\n  doc: |\n    a: 語語\n    b: 語 HERE\n",
		"second document":  "a: 1\n---\ndata:\n  doc: |\n    b: HERE\n",
		"byte order mark":  "data: { doc: \"\\ufeffb: HERE\" }\n",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			parts := source.ParseStream("f", []byte(text))
			around := parts[len(parts)-1].File.Root().Field("data").Field("doc")
			f, found := source.ParseWithin(around)
			if f == nil {
				t.Fatal(found)
			}
			b := f.Root().Field("b")
			runes := []rune(b.Node().Text())
			got := b.Within(len(runes)-len("HERE"), len(runes))
			if want := standsAt(text, "HERE"); got != want {
				t.Errorf("at %+v, want %+v", got, want)
			}
			alone := standsAt(strings.TrimPrefix(around.Node().Text(), "\ufeff"), "HERE")
			if got, want := around.Relocate(alone), standsAt(text, "HERE"); got != want {
				t.Errorf("relocated to %+v, want %+v", got, want)
			}
		})
	}
}

func TestRelocateWhatTheTextHasnt(t *testing.T) {
	f, _ := source.Parse("f", []byte("doc: |\n  a: 1\n"))
	for _, pos := range []diag.Pos{{}, {Line: 9, Column: 1, EndColumn: 2}} {
		if got := f.Root().Field("doc").Relocate(pos); !got.IsZero() {
			t.Errorf("%+v: at %+v", pos, got)
		}
	}
}

// standsAt is where a word stands in a text.
func standsAt(text, word string) diag.Pos {
	before, _, _ := strings.Cut(text, word)
	column := len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
	return diag.Pos{Line: strings.Count(before, "\n") + 1, Column: column, EndColumn: column + len([]rune(word))}
}

func TestParseWithinReportsInTheFileAround(t *testing.T) {
	tests := map[string]struct{ text, place string }{
		"a syntax error":      {"doc: |\n  a: 1\n  b: [HERE\n", "[HERE"},
		"a control character": {"doc: \"a: HERE\\a\"\n", `\a`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, _ := source.Parse("f", []byte(test.text))
			_, found := source.ParseWithin(f.Root().Field("doc"))
			want := standsAt(test.text, test.place)
			if len(found) != 1 || found[0].Line != want.Line || found[0].Column != want.Column || found[0].File != "f" {
				t.Errorf("got %v, want it at %+v", found, want)
			}
		})
	}
}

func TestParseWithinAnEmptyString(t *testing.T) {
	f, _ := source.Parse("f", []byte("doc: ''\n"))
	if f, found := source.ParseWithin(f.Root().Field("doc")); f != nil || len(found) != 1 {
		t.Errorf("got %v", found)
	}
}
