package diag_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

func at(line, column, end int) diag.Diagnostic {
	return diag.Diagnostic{Code: diag.UnknownField, File: "x.yaml", Pos: diag.Pos{Line: line, Column: column, EndColumn: end},
		Path: "agents[a].mode", Message: "no such field", Hint: "remove it"}
}

func write(t *testing.T, text string, list ...diag.Diagnostic) string {
	t.Helper()
	var out strings.Builder
	if err := diag.Write(&out, list, func(string) []byte { return []byte(text) }); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWriteQuotesTheLine(t *testing.T) {
	got := write(t, "one\n  two: 2\nthree\n", at(2, 3, 6))
	want := `x.yaml:2:3: error[unknown-field]: no such field
    2 |   two: 2
      |   ^~~
   agents[a].mode: remove it
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWriteUnderlines(t *testing.T) {
	tests := map[string]struct {
		text        string
		column, end int
		want        string // the two lines of the excerpt, without the margin
	}{
		"one character":           {"abc", 2, 3, "abc\n ^"},
		"to the end of the line":  {"abc", 2, 99, "abc\n ^~"},
		"behind the last one":     {"abc", 4, 5, "abc\n   ^"},
		"an empty line":           {"", 1, 2, "\n^"},
		"behind tabs":             {"\ta\tbc", 4, 6, "\ta\tbc\n\t \t^~"},
		"behind wide characters":  {"列表x", 3, 4, "列表x\n    ^"},
		"wide characters":         {"a列表", 2, 4, "a列表\n ^~~~"},
		"emoji":                   {"😀x", 2, 3, "😀x\n  ^"},
		"combining characters":    {"e\u0301x", 3, 4, "e\u0301x\n ^"},
		"what could steer a tty":  {"a\x1b[31mb", 2, 3, "a\ufffd[31mb\n ^"},
		"what could reorder text": {"a\u202eb", 3, 4, "a\ufffdb\n  ^"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split(write(t, tt.text, at(1, tt.column, tt.end)), "\n")
			got := strings.TrimPrefix(lines[1], "    1 | ") + "\n" + strings.TrimPrefix(lines[2], "      | ")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWriteCutsLongLines(t *testing.T) {
	line := strings.Repeat("a", 500) + "X" + strings.Repeat("b", 500)
	lines := strings.Split(write(t, line, at(1, 501, 502)), "\n")
	if n := len([]rune(lines[1])); n > 140 {
		t.Errorf("the excerpt has %d characters", n)
	}
	source, caret := []rune(lines[1]), []rune(lines[2])
	if i := strings.IndexRune(lines[2], '^'); i != len(caret)-1 || source[i] != 'X' {
		t.Errorf("the caret isn't below X:\n%s\n%s", lines[1], lines[2])
	}
}

func TestWriteCountsTheRest(t *testing.T) {
	var list diag.List
	for range diag.MaxWritten + 3 {
		list = append(list, at(1, 1, 2))
	}
	list = append(list, diag.Diagnostic{Code: diag.NoDefault, Severity: diag.Warning})
	got := write(t, "x", list...)
	if !strings.HasSuffix(got, "and 3 more errors, 1 more warning\n") {
		t.Errorf("ends with %q", got[len(got)-60:])
	}
	if n := strings.Count(got, "error[unknown-field]"); n != diag.MaxWritten {
		t.Errorf("%d findings are printed", n)
	}
}

func TestWriteWithoutSource(t *testing.T) {
	tests := map[string]struct {
		d    diag.Diagnostic
		want string
	}{
		"no text": {at(2, 3, 6), "x.yaml:2:3: error[unknown-field]: no such field\n   agents[a].mode: remove it\n"},
		"no position": {diag.Diagnostic{Code: "c", Path: "agents[a]", Message: "m"},
			"error[c]: m\n   agents[a]\n"},
		"only a file": {diag.Diagnostic{Code: "c", File: "x.yaml", Message: "m", Hint: "h"}, "x.yaml: error[c]: m\n   h\n"},
		"nothing":     {diag.Diagnostic{Code: "c", Message: "m\x07"}, "error[c]: m\ufffd\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := diag.Write(&out, diag.List{tt.d}, nil); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWriteSeveralFiles(t *testing.T) {
	a, b := at(1, 1, 2), at(1, 1, 2)
	b.File = "y.yaml"
	var out strings.Builder
	texts := map[string]string{"x.yaml": "from x", "y.yaml": "from y"}
	if err := diag.Write(&out, diag.List{a, b, a}, func(f string) []byte { return []byte(texts[f]) }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "from x"); got != 2 || !strings.Contains(out.String(), "from y") {
		t.Errorf("wrong lines:\n%s", out.String())
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteReturnsTheErrorOfTheWriter(t *testing.T) {
	want := errors.New("disk full")
	if err := diag.Write(brokenWriter{want}, diag.List{at(1, 1, 2)}, nil); !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
}

func TestJSON(t *testing.T) {
	d := at(2, 3, 6)
	d.Pointer = "/agents/0/mode"
	d.Severity = diag.Warning
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":"unknown-field","severity":"warning","file":"x.yaml","path":"agents[a].mode","pointer":"/agents/0/mode",` +
		`"line":2,"column":3,"end_column":6,"message":"no such field","hint":"remove it"}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
	var back diag.Diagnostic
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, back); diff != "" {
		t.Error(diff)
	}
	if err := json.Unmarshal([]byte(`{"severity":"fatal"}`), &back); err == nil {
		t.Error("an unknown severity is read")
	}
}

func TestListError(t *testing.T) {
	warning := diag.Diagnostic{Code: "w", Severity: diag.Warning, Message: "careful"}
	if err := (diag.List{warning}).Err(); err != nil {
		t.Errorf("a warning is an error: %v", err)
	}
	if err := (diag.List{warning, at(2, 3, 6)}).Err(); err.Error() != "x.yaml:2:3: error[unknown-field]: no such field" {
		t.Errorf("got %q", err)
	}
	err := fmt.Errorf("load: %w", diag.List{at(2, 3, 6), warning, at(3, 1, 2)}.Err())
	var list *diag.ListError
	if !errors.As(err, &list) || len(list.List) != 3 || !strings.HasSuffix(err.Error(), "(and 1 more)") {
		t.Errorf("got %q", err)
	}
}

func TestPlaceInErrors(t *testing.T) {
	tests := map[string]diag.Diagnostic{
		"3:4: error[c]: m":                 {Code: "c", Message: "m", Pos: diag.Pos{Line: 3, Column: 4}},
		"x.yaml: agents[a]: error[c]: m":   {Code: "c", Message: "m", File: "x.yaml", Path: "agents[a]"},
		"x.yaml: error[c]: m":              {Code: "c", Message: "m", File: "x.yaml"},
		"x.yaml:3:4: error[unused-c]: m\"": {Code: "unused-c", Message: "m\"", File: "x.yaml", Pos: diag.Pos{Line: 3, Column: 4}},
	}
	for want, d := range tests {
		if got := d.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSort(t *testing.T) {
	list := diag.List{at(2, 1, 2), at(1, 5, 6), at(1, 2, 3), {File: "a.yaml", Code: "z"}, {File: "a.yaml", Code: "b"}}
	list.Sort()
	var got []string
	for _, d := range list {
		got = append(got, fmt.Sprintf("%s:%d:%d:%s", d.File, d.Line, d.Column, d.Code))
	}
	want := []string{"a.yaml:0:0:b", "a.yaml:0:0:z", "x.yaml:1:2:unknown-field", "x.yaml:1:5:unknown-field", "x.yaml:2:1:unknown-field"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
